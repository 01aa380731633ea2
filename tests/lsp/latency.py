#!/usr/bin/env python3
"""latency.py DSLC [LINES]: how long a question takes in a file of LINES lines (10000), after every key; fails beyond 50 ms. What
counts is the server's own time, the least of some tries: a machine that others use does not count. `dslc lsp` answers while the check of the text is still running; then once all is known."""
import os
import random
import sys
import tempfile
import time
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client import Client, find, position, uri_of  # noqa: E402

LIMIT_MS, YARDSTICK_MS, TRIES, PATIENCE = 50, 17, 7, 30
SETTLED = ("rename", "rename of all", "formatting")  # asked by hand, not with every key: the text has been read by then


def busy_ms(process):
    """Time of the processor that the server has used; None: this system does not say."""
    try:
        return int(open("/proc/%d/schedstat" % process).read().split()[0]) / 1e6
    except (OSError, ValueError, IndexError):
        return None


def slowness():
    """How much longer than on the machine where the limit was set some fixed work takes here, now: at most 3 times, at least once."""
    r, best = random.Random(1), 1e9
    data = " ".join(str(r.randrange(10 ** r.randrange(1, 9))) for _ in range(60000)).encode()
    for _ in range(5):
        begun = time.process_time()
        zlib.compress(data, 6)
        best = min(best, (time.process_time() - begun) * 1e3)
    return min(max(best / YARDSTICK_MS, 1), 3)


def chain(lines):
    """The families of tests/unit/test_compile.c, as their author would have written them: each equation reads those before."""
    out = ["-- A long scheme.", "scheme grown on mesh(2) {", "  parameter k = 0.5 [1/s]   -- a rate", "  state s @ cells [m]   -- depth",
           "  e0 @ cells = s"]
    i = 0
    while len(out) < lines - 12:
        i += 1
        before = "e%d" % (i - 1) if i % 40 else "s"
        out.append("  -- equation number %d, which reads the one before" % i)
        if i % 3 == 0:
            out.append("  e%d @ cells = %s + sum(f of c to d) (s[d] - s[c])*%d.5   -- (%d)" % (i, before, i, i))
        elif i % 3 == 1:
            out.append("  e%d @ cells = %s*1.0%d + a*k*%d [s] where a = s" % (i, before, i, i))
        else:
            out.append("  fn f%d(a, b) = if a > b then a*%d else b" % (i, i))
            out.append("  e%d @ cells = f%d(%s, s)" % (i, i, before))
    out += ["  flux F @ faces = (s[L] - s[R])*1 [m/s]", "  boundary wall { ghost s = s[L] }", "  dt = 0.1 [s]",
            "  step { update s = s - dt/volume*sum(f of c) area*F }", "}", ""]
    return "\n".join(out), i


def main():
    dslc, lines = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10000
    text, last = chain(lines)
    folder = os.path.realpath(tempfile.mkdtemp())
    uri = uri_of(os.path.join(folder, "grown.ew"))
    c = Client(dslc)
    c.start()
    c.open(uri, text)
    middle = text.index("e%d, s)" % (last // 2 // 120 * 120 + 4))
    doc = {"textDocument": {"uri": uri}}
    here = dict(doc, position=position(text, middle))
    questions = {
        "hover": ("textDocument/hover", here),
        "definition": ("textDocument/definition", here),
        "references": ("textDocument/references", dict(here, context={"includeDeclaration": True})),
        "references of all": ("textDocument/references", dict(doc, position=find(text, "s @ cells"), context={"includeDeclaration": True})),
        "completion": ("textDocument/completion", here),
        "outline": ("textDocument/documentSymbol", doc),
        "rename": ("textDocument/rename", dict(here, newName="renamed")),
        "rename of all": ("textDocument/rename", dict(doc, position=find(text, "s @ cells"), newName="renamed")),
        "formatting": ("textDocument/formatting", dict(doc, options={})),
    }
    version, worst, limit = 1, 0, LIMIT_MS * slowness()
    end = find(text, "1.0", 3, 3)
    careless = find(text, "  e1 @ cells = ")

    def pose(name, method, params, edit, settle):
        """The least time of some tries, each about a text that has just changed by `edit`; `settle`: and that has been read by then."""
        nonlocal version, worst
        best = (1e9, 1e9)
        for again in range(TRIES + PATIENCE):
            if again >= TRIES and best[0] <= limit:
                break
            if edit:
                version += 1
                c.change(uri, version, [{"range": {"start": edit[0], "end": edit[0]}, "text": edit[1]}])
            if settle:
                c.ask("textDocument/hover", here)
            before, begun = busy_ms(c.process.pid), time.monotonic()
            answer = c.end(c.begin(method, params))
            took = (c.when - begun) * 1e3
            assert "result" in answer and (answer["result"] or name == "formatting"), (name, str(answer)[:300])
            worked = busy_ms(c.process.pid) - before if before is not None else took
            best = min(best, (min(worked, took), took))
            time.sleep(0.02 if again < TRIES else 0.5)
        print("%-20s %6.1f ms of the processor, %6.1f ms waited" % (name, *best))
        worst = max(worst, best[0])

    for name, (method, params) in questions.items():
        pose(name, method, params, (end, "7"), name in SETTLED)
    pose("careless text", *questions["formatting"], (careless, " "), True)
    begun = time.monotonic()
    problems = c.diagnostics(uri, version, 120)
    print("%-20s %6.1f ms" % ("all messages after", (time.monotonic() - begun) * 1e3))
    errors = [p["code"] for p in problems if p["severity"] == 1]
    assert not errors, errors[:5]
    for _ in range(1200):  # what equations cost comes last
        if "operations" in c.ask("textDocument/hover", here)["contents"]["value"]:
            break
        time.sleep(0.1)
    else:
        raise AssertionError("nothing about what an equation costs")
    pose("all is known: hover", *questions["hover"], None, False)
    pose("outline then", *questions["outline"], None, False)
    pose("completion then", *questions["completion"], None, False)
    assert c.stop() == 0
    print("%d lines, worst %.1f ms, limit %.0f ms (50 on a machine that is not loaded)" % (text.count("\n"), worst, limit))
    return 0 if worst <= limit else 1


if __name__ == "__main__":
    sys.exit(main())
