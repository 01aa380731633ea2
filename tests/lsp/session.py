#!/usr/bin/env python3
"""session.py DSLC SOURCE: an editor's session with `dslc lsp`, from opening to exit. What the server answers is compared with what must come."""
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client import Client, apply, find, offset, uri_of  # noqa: E402

SCHEME = """-- Heat, with a name of two letters beyond the first plane: 𝒯 in comments.
scheme warm on mesh(2) {
  parameter kappa = 1 [m^2/s]   -- how well it conducts
  variant limiter = minmod | none
  state T @ cells [K]           -- temperature
  flux q @ faces = kappa*(T[L] - T[R])/distance   -- (3)
  slope @ faces { let d = jump(T), s = d/distance  steep = abs(s)  flat = steep < 1 [K/m] }
  shown @ cells = if limiter == none then T else 2*T
  boundary insulated { ghost T = T[L] }
  boundary held(Tw [K]) { let twice = 2*Tw  ghost T = twice - T[L] }
  dt = 0.9*min(c in cells) volume/(sum(f of c) area*kappa/distance)
  lost = sum(f in faces(held)) area*q
  step { update T = T - dt/volume*sum(f of c) area*q }
}
"""
CHILD = """scheme warmer extends warm {
  replace shown @ cells = 3*T
  more @ cells = shown + warm.shown
  add boundary held { flux q = 0 }
}
"""


class Session:
    def __init__(self, dslc):
        self.folder = os.path.realpath(tempfile.mkdtemp())
        self.c = Client(dslc)
        self.text = {}
        self.version = {}

    def uri(self, name):
        return uri_of(os.path.join(self.folder, name))

    def open(self, name, text, save=True):
        if save:
            with open(os.path.join(self.folder, name), "w") as f:
                f.write(text)
        self.text[name], self.version[name] = text, 1
        self.c.open(self.uri(name), text)

    def replace(self, name, old, new):
        """As an editor sends it: the range that changes."""
        text = self.text[name]
        at = text.index(old)
        self.version[name] += 1
        self.c.change(self.uri(name), self.version[name],
                      [{"range": {"start": find(text, old), "end": find(text, old, 1, len(old))}, "text": new}])
        self.text[name] = text[:at] + new + text[at + len(old):]

    def problems(self, name):
        return self.c.diagnostics(self.uri(name), self.version[name])

    def at(self, name, needle, nth=1, into=0, **more):
        return dict({"textDocument": {"uri": self.uri(name)}, "position": find(self.text[name], needle, nth, into)}, **more)

    def hover(self, name, needle, nth=1, into=0):
        r = self.c.ask("textDocument/hover", self.at(name, needle, nth, into))
        return r["contents"]["value"] if r else None

    def covered(self, name, location_range):
        text = self.text[name]
        return text[offset(text, location_range["start"]):offset(text, location_range["end"])]

    def labels(self, name, needle, nth=1, into=0):
        return [i["label"] for i in sorted(self.c.ask("textDocument/completion", self.at(name, needle, nth, into))["items"], key=lambda i: i["sortText"])]


def expect(what, got, wanted):
    if got != wanted:
        raise AssertionError("%s:\n  got    %r\n  wanted %r" % (what, got, wanted))


def expect_in(what, part, whole):
    if whole is None or part not in whole:
        raise AssertionError("%s: %r is not in %r" % (what, part, whole))


def before_initialize(s):
    expect("a question before initialize", s.c.refuse("textDocument/hover", {})["code"], -32002)
    r = s.c.start()
    expect("positions", r["capabilities"]["positionEncoding"], "utf-16")
    expect("initialize twice", s.c.refuse("initialize", {})["code"], -32600)
    expect("an unknown method", s.c.refuse("textDocument/unheardOf", {})["code"], -32601)


def messages(s):
    s.open("warm.ew", SCHEME)
    expect("a good scheme", s.problems("warm.ew"), [])
    s.replace("warm.ew", "T @ cells [K]", "T @ cells [m]")
    s.replace("warm.ew", "steep < 1 [K/m]", "steep < 1 [K/s]")
    p = s.problems("warm.ew")
    expect("wrong units", [x["code"] for x in p], ["E0207", "E0207"])
    expect("its severity", p[0]["severity"], 1)
    s.replace("warm.ew", "T @ cells [m]", "T @ cells [K]")
    s.replace("warm.ew", "steep < 1 [K/s]", "steep < 1 [K/m]")
    s.replace("warm.ew", "kappa*(T[L]", "kapa*(T")
    p = s.problems("warm.ew")
    expect("several in a file", sorted(x["code"] for x in p), ["E0200", "E0204"])
    action = s.c.ask("textDocument/codeAction", {"textDocument": {"uri": s.uri("warm.ew")}, "range": p[0]["range"],
                                                 "context": {"diagnostics": p}})
    expect("did you mean", [a["title"] for a in action], ["Write `kappa`"])
    expect("of which message", action[0]["diagnostics"][0]["code"], "E0200")
    edit = action[0]["edit"]["changes"][s.uri("warm.ew")]
    expect_in("the edit", "flux q @ faces = kappa*(T - T[R])", apply(s.text["warm.ew"], edit))
    both = s.c.ask("textDocument/codeAction", {"textDocument": {"uri": s.uri("warm.ew")}, "range": p[1]["range"],
                                               "context": {"diagnostics": p}})
    expect("which index", [a["title"] for a in both],
           ["Write `T[L]`", "Write `T[R]`", "Write `mean(T)`", "Write `jump(T)`"])
    s.replace("warm.ew", "kapa*(T", "kappa*(T[L]")
    s.replace("warm.ew", "step { update", "step { update T = ")
    expect("half-written text is one message, not the end", len(s.problems("warm.ew")) >= 1, True)
    s.replace("warm.ew", "step { update T = ", "step { update")
    expect("good again", s.problems("warm.ew"), [])


def facts(s):
    """What equations cost comes a moment after the messages."""
    for _ in range(200):
        text = s.hover("warm.ew", "flux q", 1, 5)
        if "operations" in text:
            break
        time.sleep(0.05)
    for part in ("flux q @ faces = kappa*(T[L] - T[R])/distance", "flux @ faces, scalar", "equation (3)", "inlined into its readers:", "operations",
                 "the same from both sides of a face (proved)"):
        expect_in("hover of a flux", part, text)
    text = s.hover("warm.ew", "T[L]")
    expect_in("hover of a state", "state T @ cells [K]", text)
    expect_in("a unit's stars are no emphasis", "`flux @ faces, scalar [m*K/s]`", s.hover("warm.ew", "flux q", 1, 5))
    expect_in("its comment", "temperature", text)
    expect_in("a unit that follows", "[K]", s.hover("warm.ew", "shown"))
    expect_in("inlined", "inlined into its readers", s.hover("warm.ew", "shown"))
    expect_in("a parameter", "how well it conducts", s.hover("warm.ew", "kappa*(", 1, 2))
    expect_in("an argument", "argument, scalar [K]", s.hover("warm.ew", "2*Tw", 1, 2))
    expect_in("a local name", "twice = 2*Tw", s.hover("warm.ew", "twice - "))
    expect_in("a built-in name", "geometry: of a cell", s.hover("warm.ew", "volume"))
    expect_in("a keyword", "keyword: evaluates all right sides", s.hover("warm.ew", "update"))
    expect("nothing in a comment", s.hover("warm.ew", "comments"), None)


def definitions(s):
    def of(name, needle, nth=1, into=0):
        r = s.c.ask("textDocument/definition", s.at(name, needle, nth, into))
        return r and (os.path.basename(r["uri"]), r["range"]["start"]["line"], s.covered(os.path.basename(r["uri"]), r["range"]))
    expect("a state", of("warm.ew", "T[R]"), ("warm.ew", 4, "T"))
    expect("a choice", of("warm.ew", "none then"), ("warm.ew", 3, "none"))
    expect("a part of a block", of("warm.ew", "steep < 1"), ("warm.ew", 6, "steep"))
    expect("a rule in a sum", of("warm.ew", "held))"), ("warm.ew", 9, "held"))
    s.open("warmer.ew", CHILD)
    expect("the extension", s.problems("warmer.ew"), [])
    expect("of the extended scheme", of("warmer.ew", "T\n"), ("warm.ew", 4, "T"))
    expect("BASE.name", of("warmer.ew", "warm.shown", 1, 6), ("warm.ew", 7, "shown"))
    expect("its own, which replaces", of("warmer.ew", "shown +"), ("warmer.ew", 1, "shown"))
    expect("what it replaces", of("warmer.ew", "shown @"), ("warm.ew", 7, "shown"))
    expect("the file", of("warmer.ew", "warm {"), ("warm.ew", 1, "warm"))
    expect("the rule", of("warmer.ew", "held"), ("warm.ew", 9, "held"))


def references(s):
    r = s.c.ask("textDocument/references", s.at("warm.ew", "shown", context={"includeDeclaration": True}))
    found = sorted((os.path.basename(x["uri"]), x["range"]["start"]["line"]) for x in r)
    expect("in both files", found, [("warm.ew", 7), ("warmer.ew", 1), ("warmer.ew", 2), ("warmer.ew", 2)])
    r = s.c.ask("textDocument/references", s.at("warm.ew", "d = jump", context={"includeDeclaration": False}))
    expect("of a local name", [s.covered("warm.ew", x["range"]) for x in r], ["d"])
    h = s.c.ask("textDocument/documentHighlight", s.at("warm.ew", "kappa"))
    expect("highlights", len(h), 3)


def renames(s):
    def rename(name, needle, to, nth=1):
        return s.c.ask("textDocument/rename", s.at(name, needle, nth, 0, newName=to))["changes"]

    def refused(name, needle, to, nth=1):
        return s.c.refuse("textDocument/rename", s.at(name, needle, nth, 0, newName=to))["message"]
    changes = rename("warm.ew", "shown", "seen")
    expect("both files", sorted(os.path.basename(u) for u in changes), ["warm.ew", "warmer.ew"])
    expect("after it", apply(CHILD, changes[s.uri("warmer.ew")]), CHILD.replace("shown", "seen"))
    changes = rename("warm.ew", "Tw", "outside")
    expect("an argument", apply(SCHEME, changes[s.uri("warm.ew")]), SCHEME.replace("Tw", "outside"))
    changes = rename("warm.ew", "steep", "incline", 2)
    expect("a part of a block", apply(SCHEME, changes[s.uri("warm.ew")]), SCHEME.replace("steep", "incline"))
    expect_in("taken", "`kappa` is taken", refused("warm.ew", "shown", "kappa"))
    expect_in("hidden by a local name", "would mean something else", refused("warm.ew", "T @", "twice"))
    expect_in("two local names", "`s` is taken", refused("warm.ew", "d = jump", "s"))
    expect_in("taken in the other file", "`more` is taken", refused("warm.ew", "kappa", "more"))
    expect_in("a word", "reserved word", refused("warm.ew", "shown", "sum"))
    expect_in("built in", "means something by itself", refused("warm.ew", "shown", "volume"))
    expect_in("no name", "is not a name", refused("warm.ew", "shown", "2nd"))
    expect_in("the time step", "has no other name", refused("warm.ew", "dt", "step_size"))
    expect_in("a scheme", "file's name", refused("warm.ew", "warm on", "hot"))
    r = s.c.ask("textDocument/prepareRename", s.at("warm.ew", "kappa"))
    expect("what is renamed", s.covered("warm.ew", r), "kappa")
    s.c.refuse("textDocument/prepareRename", s.at("warm.ew", "volume"))


def exchanged(s):
    text = """scheme turned on grid(2) {
  state u @ xfaces
  state v @ yfaces
  state p @ cells
  exchange x <-> y, u <-> v {
    mid.x @ cells = (u[i,j] + u[i+1,j])/2
    boundary wall across y { fix v = 0  ghost u = -u[mirror]  ghost p = p[mirror]  ghost v = -v[mirror] }
  }
  both @ cells = mid.x + mid.y
  dt = 0.1
  step { update p = p + dt*both }
}
"""
    s.open("turned.ew", text)
    s.problems("turned.ew")
    r = s.c.ask("textDocument/definition", s.at("turned.ew", "mid.y"))
    expect("a copy's declaration", (r["range"]["start"]["line"], s.covered("turned.ew", r["range"])), (5, "mid.x"))
    changes = s.c.ask("textDocument/rename", s.at("turned.ew", "mid.y", 1, 0, newName="middle.y"))["changes"]
    expect("all copies", apply(text, changes[s.uri("turned.ew")]), text.replace("mid.", "middle."))
    e = s.c.refuse("textDocument/rename", s.at("turned.ew", "mid.y", 1, 0, newName="middle"))
    expect_in("the axis stays", "exchange", e["message"])
    one = text.replace("mid.x + mid.y", "mid.x")
    s.open("once.ew", one.replace("turned", "once"))
    s.problems("once.ew")
    e = s.c.refuse("textDocument/rename", s.at("once.ew", "mid.x", 1, 0, newName="middle"))
    expect_in("the axis stays where no copy is read", "exchange", e["message"])


def shared(s):
    rules = """scheme rules on mesh(2) {
  state h @ cells
  boundary a { let depth = 2 ghost h = depth }
  boundary b(depth) { ghost h = depth }
  boundary c(level) { ghost h = level }
  flux F @ faces = jump(h)
  dt = 0.1
  step { update h = h + sum(f of c) F }
}
"""
    s.open("rules.ew", rules)
    s.problems("rules.ew")
    s.open("more_rules.ew", """scheme more_rules extends rules {
  state m @ cells
  step { update m = m + sum(f of c to d) m[d] step of rules }
  add boundary a, b { ghost m = depth }
  add boundary c { ghost m = level }
}
""")
    s.problems("more_rules.ew")
    for nth in (1, 3):
        e = s.c.refuse("textDocument/rename", s.at("rules.ew", "depth", nth, 0, newName="deep"))
        expect_in("of two rules", "line 4 of more_rules.ew reads `depth` of several rules", e["message"])
    e = s.c.refuse("textDocument/rename", s.at("more_rules.ew", "depth", 1, 0, newName="deep"))
    expect_in("from there", "of several rules", e["message"])
    changes = s.c.ask("textDocument/rename", s.at("rules.ew", "level", 1, 0, newName="high"))["changes"]
    expect("of one rule", sorted((os.path.basename(u), len(e)) for u, e in changes.items()), [("more_rules.ew", 1), ("rules.ew", 2)])


def completions(s):
    def typed(name, front, part):
        """What is offered behind `front` where `part` has been typed."""
        s.replace(name, front, front + part)
        got = s.labels(name, front + part, 1, len(front + part))
        s.replace(name, front + part, front)
        return got
    expect("places", typed("warm.ew", "shown @ ", "c"), ["cells", "faces"])
    names = typed("warm.ew", "2*T", " + ")
    for wanted in ("kappa", "T", "q", "volume", "area", "mean", "slope", "slope.steep", "if", "sum", "dt"):
        expect_in("names", wanted, names)
    expect("no locals of another declaration", "twice" in names, False)
    expect_in("locals", "twice", typed("warm.ew", "2*Tw  ghost T = ", "t"))
    expect("parts", typed("warm.ew", "2*T", " + slope.")[:2], ["flat", "steep"])
    expect_in("rules", "held", typed("warm.ew", "in faces(", "h"))
    expect_in("index letters", "L", typed("warm.ew", "jump(T", "["))
    expect("units", typed("warm.ew", "steep < 1 [", "Oh"), ["Ohm"])
    expect_in("of the extended scheme", "shown", typed("warmer.ew", "shown + ", "sh"))
    expect_in("schemes", "warm", typed("warmer.ew", "extends ", "w"))
    expect("not in comments", typed("warm.ew", "-- how well ", "k"), [])
    i = [x for x in s.c.ask("textDocument/completion", s.at("warm.ew", "kappa*(T", 1, 3))["items"] if x["label"] == "kappa"][0]
    expect("its detail", i["detail"], "parameter, scalar [m^2/s]")
    expect("what it replaces", s.covered("warm.ew", i["textEdit"]["range"]), "kap")


def formatting(s):
    name = "messy.ew"
    text = SCHEME.replace("scheme warm ", "scheme messy ").replace("  dt = 0.9*min", "dt   =   0.9*min").replace("2*T\n", "2  *  T\n")
    s.open(name, text)
    s.problems(name)
    edits = s.c.ask("textDocument/formatting", {"textDocument": {"uri": s.uri(name)}, "options": {}})
    done = apply(text, edits)
    expect_in("laid out", "  dt   = 0.9 * min", done)
    expect_in("comments stay", "𝒯 in comments", done)
    s.replace(name, text, done)
    expect("twice", s.c.ask("textDocument/formatting", {"textDocument": {"uri": s.uri(name)}, "options": {}}), [])
    s.replace(name, "2 * T\n", "2*\n")
    s.c.refuse("textDocument/formatting", {"textDocument": {"uri": s.uri(name)}, "options": {}})


def outline(s):
    top = s.c.ask("textDocument/documentSymbol", {"textDocument": {"uri": s.uri("warm.ew")}})
    expect("one scheme", [x["name"] for x in top], ["warm"])
    names = [x["name"] for x in top[0]["children"]]
    expect("its declarations", names, ["kappa", "limiter", "T", "q", "slope", "shown", "insulated", "held", "dt", "lost"])
    below = {x["name"]: [y["name"] for y in x.get("children", [])] for x in top[0]["children"]}
    expect("choices", below["limiter"], ["minmod", "none"])
    expect("parts", below["slope"], ["slope.steep", "slope.flat"])


def positions(s):
    """Characters beyond the first plane are two units of UTF-16."""
    s.replace("warm.ew", "𝒯 in comments", "𝒯𝒯 in words")
    s.replace("warm.ew", "  -- (3)", "  -- 𝒯 (3)")
    s.replace("warm.ew", "-- 𝒯 (3)", "-- (3)")
    s.problems("warm.ew")
    s.replace("warm.ew", "𝒯𝒯 in words", "𝒯 in comments")
    expect("the text is what it was", s.text["warm.ew"], SCHEME)
    expect("and so for the server", s.problems("warm.ew"), [])
    expect_in("hover", "state T", s.hover("warm.ew", "T[R]"))


def unsaved(s):
    """What is not saved counts for those who extend it; what is said of the other file names it."""
    s.replace("warm.ew", "shown @ cells", "showing @ cells")
    p = s.problems("warmer.ew") if False else None
    deadline = time.monotonic() + 60
    while not p and time.monotonic() < deadline:
        p = s.c.diagnostics(s.uri("warmer.ew"), s.version["warmer.ew"])
    expect("what the base lacks now", "E0256" in [x["code"] for x in p], True)
    s.replace("warm.ew", "showing @ cells", "shown @ cells")
    expect("in order", s.problems("warm.ew"), [])
    s.replace("warm.ew", "kappa*(T[L]", "kapa*(T[L]")
    deadline, p = time.monotonic() + 60, None
    while not p and time.monotonic() < deadline:
        p = s.c.diagnostics(s.uri("warmer.ew"), s.version["warmer.ew"])
    expect_in("where it is", "warm.ew:6: `kapa`", p[0]["message"])
    expect("at what extends it", s.covered("warmer.ew", p[0]["range"]), "warm")
    s.replace("warm.ew", "kapa*(T[L]", "kappa*(T[L]")


def library(s):
    s.open("tools.ew", "fn twice(a) = 2*a\n")
    expect("functions alone are no mistake", s.problems("tools.ew"), [])
    s.c.notify("textDocument/didClose", {"textDocument": {"uri": s.uri("tools.ew")}})
    expect("a closed document", s.c.refuse("textDocument/hover", s.at("tools.ew", "twice"))["code"], -32602)


def cancelled(s):
    """Both arrive at once, behind another question."""
    import json
    data = b""
    messages = [{"id": 9001, "method": "textDocument/documentSymbol", "params": {"textDocument": {"uri": s.uri("warm.ew")}}},
                {"id": 9002, "method": "textDocument/hover", "params": s.at("warm.ew", "kappa")},
                {"method": "$/cancelRequest", "params": {"id": 9002}}]
    for m in messages:
        body = json.dumps(dict(m, jsonrpc="2.0")).encode()
        data += b"Content-Length: %d\r\n\r\n" % len(body) + body
    s.c.raw(data)
    expect("the cancelled one", s.c.end(9002)["error"]["code"], -32800)
    expect("the other", "result" in s.c.end(9001), True)


def rubbish(s):
    s.c.raw(b"Content-Length: 5\r\n\r\n{\"a\":")
    expect("no JSON", s.c.end(None)["error"]["code"], -32700)
    s.c.send({"id": 9003})
    expect("no method", s.c.end(9003)["error"]["code"], -32600)
    s.c.notify("textDocument/didChange", {"textDocument": {"uri": s.uri("warm.ew"), "version": 99},
                                          "contentChanges": [{"range": {"start": {"line": 10 ** 8, "character": -4}, "end": 7}, "text": ""}]})
    expect_in("it goes on", "state T", s.hover("warm.ew", "T[R]"))


def endings(dslc):
    c = Client(dslc)
    c.notify("exit")
    expect("exit without shutdown", c.process.wait(30), 1)
    c = Client(dslc)
    c.start()
    c.process.stdin.close()
    expect("a client that is gone", c.process.wait(30), 1)
    c = Client(dslc)
    c.raw(b"Content-Length: x\r\n\r\n")
    expect("no protocol", c.process.wait(30), 1)


def main():
    dslc = sys.argv[1]
    s = Session(dslc)
    for part in (before_initialize, messages, facts, definitions, references, renames, exchanged, shared, completions, formatting, outline,
                 positions, unsaved, library, cancelled, rubbish):
        part(s)
        print("good:", part.__name__)
    s.c.ask("shutdown")
    expect("after shutdown", s.c.refuse("textDocument/hover", {})["code"], -32600)
    s.c.notify("exit")
    expect("exit status", s.c.process.wait(30), 0)
    endings(dslc)
    print("good: endings")


main()
