#!/usr/bin/env python3
"""fuzz.py DSLC SCHEMES... --seeds A-B: half-written text. Schemes are cut, mixed and retyped by chance, key by key, while everything is
asked; the server must answer each question, say something about each text, and end in order."""
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client import Client, apply, position, uri_of  # noqa: E402

PIECES = ["(", ")", "{", "}", "[", "]", ",", ".", "..", "@", "=", "'", "--", "\n", " ", "0", "1e999", "é", "𝒯", "\t", "\r\n", "\"", ";", "if ",
          "then ", "else ", "sum(f of c) ", "flux ", "boundary b { ", "extends ", "import ", "replace ", "add boundary ", "step of ", "exchange x <-> y {",
          "let (a, b) = ", "where a = ", "matrix K @ nodes { ", "to L = ", "^", "*", "/", "==", " of ", " near ", "state ", "variant v = a | b ", "fn f(x) = x "]


def mutate(r, text):
    """The range that changes and what takes its place."""
    kind = r.random()
    a = r.randrange(len(text) + 1)
    if kind < 0.35:
        return a, a, r.choice(PIECES)
    if kind < 0.6:
        return a, min(len(text), a + r.choice((1, 1, 2, 5, 40, 400))), ""
    if kind < 0.8:
        b = r.randrange(len(text) + 1)
        return a, a, text[b:b + r.choice((1, 4, 20, 200))]
    if kind < 0.95:
        return a, min(len(text), a + r.choice((1, 3, 10))), r.choice(PIECES)
    return 0, len(text), text[:a]


def ask_everything(c, r, uri, text):
    doc = {"textDocument": {"uri": uri}}
    at = dict(doc, position=position(text, r.randrange(len(text) + 1)))
    questions = [("hover", at), ("definition", at), ("references", dict(at, context={"includeDeclaration": True})),
                 ("documentHighlight", at), ("completion", at), ("prepareRename", at), ("rename", dict(at, newName=r.choice(("zz", "h", "sum", "a.b")))),
                 ("documentSymbol", doc), ("formatting", dict(doc, options={})),
                 ("codeAction", dict(doc, range={"start": at["position"], "end": at["position"]}, context={"diagnostics": []}))]
    for name, params in r.sample(questions, 4):
        answer = c.end(c.begin("textDocument/" + name, params))
        code = answer.get("error", {}).get("code")
        assert code in (None, -32803), (name, answer)
        if name == "rename" and answer.get("result"):
            for u, edits in answer["result"]["changes"].items():
                if u == uri:
                    apply(text, edits)


def one(dslc, seed, schemes, changes):
    r = random.Random(seed)
    folder = os.path.realpath(tempfile.mkdtemp())
    c = Client(dslc)
    c.start()
    texts = {}
    for k in range(2):  # two files, which may name each other
        path = r.choice(schemes)
        name = os.path.basename(path)
        uri = uri_of(os.path.join(folder, name))
        if uri not in texts:
            texts[uri] = open(path, encoding="utf-8").read().replace("\r", "")
            c.open(uri, texts[uri], 1)
    version = 1
    for n in range(changes):
        uri = r.choice(sorted(texts))
        a, b, new = mutate(r, texts[uri])
        version += 1
        c.change(uri, version, [{"range": {"start": position(texts[uri], a), "end": position(texts[uri], b)}, "text": new}])
        texts[uri] = texts[uri][:a] + new + texts[uri][b:]
        if "\r" in texts[uri]:  # Python and the protocol count a lone one differently
            texts[uri] = texts[uri].replace("\r", "")
            c.change(uri, version, [{"text": texts[uri]}])
        ask_everything(c, r, uri, texts[uri])
        if n % 10 == 9:
            for d in c.diagnostics(uri, version, 120):
                assert "defect of dslc" not in d["message"] and "took too long" not in d["message"], (seed, d["message"], texts[uri])
    assert c.stop() == 0, seed


def main():
    dslc = sys.argv[1]
    arguments = sys.argv[2:]
    first, last, changes = 1, 6, 40
    if "--seeds" in arguments:
        k = arguments.index("--seeds")
        first, last = (int(x) for x in arguments[k + 1].split("-"))
        del arguments[k:k + 2]
    for seed in range(first, last + 1):
        one(dslc, seed, arguments, changes)
    print("%d sessions of %d changes each" % (last - first + 1, changes))


main()
