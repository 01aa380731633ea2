"""Reads a VTK XML file from the format's description alone and prints its arrays, one a line.

Long arrays are shortened to count, first, last and sum. Any deviation from the format is an exception."""
import re
import struct
import sys
import xml.etree.ElementTree as ET
import zlib

SIZES = {"UInt8": (1, "B"), "Int32": (4, "i"), "Float32": (4, "f"), "Float64": (8, "d")}


def split(raw):
    """The XML with an empty AppendedData, and the appended bytes after the underscore."""
    found = re.search(rb'<AppendedData encoding="raw">\s*_', raw)
    end = raw.rindex(b"</AppendedData>")
    return raw[: found.end()] + raw[end:], raw[found.end() : end]


def decode(data, at, kind):
    n_blocks, size, last = struct.unpack_from("<3Q", data, at)
    packed = struct.unpack_from("<%dQ" % n_blocks, data, at + 24)
    at += 24 + 8 * n_blocks
    out = b""
    for i, n in enumerate(packed):
        block = zlib.decompress(data[at : at + n])
        wanted = last if i == n_blocks - 1 and last else size
        assert len(block) == wanted, (len(block), wanted)
        out += block
        at += n
    width, code = SIZES[kind]
    assert len(out) % width == 0
    return struct.unpack("<%d%s" % (len(out) // width, code), out), at


def show(values):
    if len(values) > 60:
        return "count %d first %.17g last %.17g sum %.17g" % (len(values), values[0], values[-1], sum(values))
    return " ".join(str(v) if isinstance(v, int) else "%.9g" % v for v in values)


def main(path):
    xml, data = split(open(path, "rb").read())
    root = ET.fromstring(xml)
    assert root.attrib["header_type"] == "UInt64" and root.attrib["byte_order"] == "LittleEndian"
    assert root.attrib["compressor"] == "vtkZLibDataCompressor"
    grid = root[0]
    assert grid.tag == root.attrib["type"]
    piece = grid.find("Piece")
    print(grid.tag, *("%s=%s" % p for p in grid.attrib.items()), *("%s=%s" % p for p in piece.attrib.items()))
    print("time", grid.find("FieldData/DataArray").text)
    end = 0
    for section in piece:
        for array in section:
            a = array.attrib
            assert int(a["offset"]) == end, "arrays are not packed in order"
            values, end = decode(data, int(a["offset"]), a["type"])
            print(section.tag, a.get("Name"), a["type"], a["NumberOfComponents"], show(values))
    assert data[end:] == b"\n", "bytes after the last array"


main(sys.argv[1])
