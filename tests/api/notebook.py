"""notebook.py NOTEBOOK...: runs the code cells of notebooks, one after the other, in an empty folder. What a cell shows with IPython is
taken as shown if the file is there. Fails where a cell does, names it, and holds that the cells' outputs are not kept in the file."""
import json
import os
import sys
import tempfile
import types


class Shown:
    """In place of IPython.display.Image where that is not installed."""
    def __init__(self, filename):
        with open(filename, "rb") as picture:
            assert picture.read(8) == b"\x89PNG\r\n\x1a\n", filename


def stand_in():
    try:
        import IPython.display  # noqa: F401
    except ImportError:
        display = types.ModuleType("IPython.display")
        display.Image = Shown
        sys.modules["IPython"] = types.ModuleType("IPython")
        sys.modules["IPython.display"] = display


def run(path):
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    names = {"__name__": "__main__"}
    for number, cell in enumerate(notebook["cells"], 1):
        if cell["cell_type"] != "code":
            continue
        assert not cell["outputs"], f"{path}: cell {number}: outputs are kept: clear them"
        code = compile("".join(cell["source"]), f"{os.path.basename(path)}, cell {number}", "exec")
        exec(code, names)
    return names


if __name__ == "__main__":
    stand_in()
    for given in sys.argv[1:]:
        notebook_path = os.path.abspath(given)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            result = run(notebook_path)
            depth = result["depth"]
            assert depth.shape == (result["run"].fields["h"].count,) and 0.09 < depth.min() < depth.max() < 1.01, depth
            os.chdir("/")
    print("ok")
