#!/usr/bin/env python3
"""measure.py [ROOT]: figures of the structure of dslc below ROOT (default: this checkout), one a line.

What is counted, and how: members of the largest struct; the largest cycle of #include (a header and the .c file of its name are one
unit) within and between plan, kernel and back; functions over 45 lines and with more than 6 parameters; searches in text by the emitter and by back.
It reads text, not syntax trees: good for before and after, not to the last unit. Compare: measure.py; measure.py OTHER_CHECKOUT.
"""
import os
import re
import sys


def sources(root, folders):
    for folder in folders:
        for path, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    yield os.path.join(path, name)


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    return re.sub(r'"(\\.|[^"\\\n])*"', '""', text)


def largest_struct(root, folders):
    best = (0, "")
    for path in sources(root, folders):
        text = without_comments(open(path).read())
        for m in re.finditer(r"struct\s+(\w+)\s*\{", text):
            depth, i, n = 1, m.end(), 0
            while depth and i < len(text):
                c = text[i]
                depth += (c == "{") - (c == "}")
                if depth == 1 and c in ";,":
                    n += 1
                if c == "(":  # parameters of function pointers and VEC(...) are no members
                    while text[i] != ")":
                        i += 1
                i += 1
            best = max(best, (n, f"{m.group(1)} in {os.path.relpath(path, root)}"))
    return best


def functions(root, folders):
    head = re.compile(r"^(?:[A-Za-z_][\w \*]*?[ \*])(\w+)\(([^;{}]*)\)\s*\{", re.M)
    for path in sources(root, folders):
        if not path.endswith(".c"):
            continue
        text = without_comments(open(path).read())
        for m in head.finditer(text):
            if m.group(1) in ("if", "for", "while", "switch"):
                continue
            end = text.find("\n}", m.end())
            depth, commas = 0, 0
            for c in m.group(2):
                depth += (c in "([") - (c in ")]")
                commas += c == "," and depth == 0
            yield path, m.group(1), text.count("\n", m.start(), end) + 2, commas + 1


def units(root, folders):
    graph = {}
    for path in sources(root, folders):
        unit = os.path.splitext(os.path.relpath(path, os.path.join(root, "dslc")))[0]
        into = graph.setdefault(unit, set())
        for include in re.findall(r'#include "([^"]+)\.h"', open(path).read()):
            if include != unit:
                into.add(include)
    return graph


def largest_cycle(graph):
    index, low, stack, on, found, best = {}, {}, [], set(), [0], [[]]

    def visit(v):
        index[v] = low[v] = found[0]
        found[0] += 1
        stack.append(v)
        on.add(v)
        for w in graph.get(v, ()):
            if w not in graph:
                continue
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in on:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            part = []
            while True:
                w = stack.pop()
                on.discard(w)
                part.append(w)
                if w == v:
                    break
            if len(part) > len(best[0]):
                best[0] = part

    sys.setrecursionlimit(10000)
    for v in sorted(graph):
        if v not in index:
            visit(v)
    return best[0]


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    second_half = [f for f in ("dslc/lower", "dslc/schedule", "dslc/plan", "dslc/emit", "dslc/kernel", "dslc/back")
                   if os.path.isdir(os.path.join(root, f))]
    everywhere = ["dslc", "runtime"]
    lines = {f: sum(open(p).read().count("\n") for p in sources(root, [f])) for f in second_half}
    print("lines:", ", ".join(f"{f} {n}" for f, n in lines.items()))
    print("members of the largest struct of dslc: %d (%s)" % largest_struct(root, ["dslc"]))
    cycle = largest_cycle(units(root, second_half))
    print(f"files in the largest include cycle of these folders: {len(cycle) if len(cycle) > 1 else 0}")
    for folders, what in ((second_half, "these folders"), (everywhere, "dslc and runtime")):
        all_functions = list(functions(root, folders))
        long = [f for f in all_functions if f[2] > 45]
        wide = [f for f in all_functions if f[3] > 6]
        print(f"functions of {what}: {len(all_functions)}, over 45 lines {len(long)}, over 6 parameters {len(wide)}")
    searches = 0
    printers = [f for f in ("dslc/emit", "dslc/back") if os.path.isdir(os.path.join(root, f))]
    for path in sources(root, printers):
        searches += len(re.findall(r"\b(strstr|strpbrk|memmem|strcspn|strspn|strtok)\s*\(", open(path).read()))
    print(f"searches in text by {', '.join(printers)}: {searches}")
    back = sum(1 for p in sources(root, ["dslc/back"]) if re.search(r'#include "(schedule|plan)/', open(p).read()))
    print(f"files of dslc/back that include the planner's headers: {back}")


main()
