#!/usr/bin/env python3
"""measure.py [--limits | --list] [ROOT]: figures of the structure below ROOT (default: this checkout), one a line.

What is counted, and how: members of the largest structs of dslc and of the runtime; the largest cycle of #include (a header and the .c file
of its name are one unit) within and between plan, kernel and back; functions over 45 lines, but for those that are one flat switch, and with
more than 6 parameters; searches in text by the emitter and by back. It reads text, not syntax trees: good for before and after, not to the last
unit. Compare: measure.py; measure.py OTHER_CHECKOUT. --list names what is counted; --limits compares with what has been reached, LIMITS
below: exit status 1 where something has grown. A limit only ever falls.
"""
import os
import re
import sys


# What has been reached. Where less is reached, the limit follows.
LIMITS = {
    "members of the largest struct of dslc": 22,
    "members of the largest struct of runtime": 28,
    "files in the largest include cycle": 0,
    "functions of dslc over 45 lines": 0,
    "functions of dslc over 6 parameters": 0,
    "functions of runtime over 45 lines": 0,
    "functions of runtime over 6 parameters": 0,
    "searches in text by the emitter and back": 0,
    "files of dslc/back that include the planner's headers": 0,
}
FLAT_SWITCHES = {"kir_run"}  # one case a line for each instruction of the model machine


def sources(root, folders):
    for folder in folders:
        for path, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    yield os.path.join(path, name)


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"'(\\.|[^'\\\n])'", "0", text)
    return re.sub(r'"(\\.|[^"\\\n])*"', '""', text)


def structs(root, folders):
    for path in sources(root, folders):
        text = without_comments(open(path).read())
        for m in re.finditer(r"struct\s+(\w+)\s*\{", text):
            depth, round, n = 1, 0, 0
            for c in text[m.end():]:
                depth += (c == "{") - (c == "}")
                round += (c == "(") - (c == ")")  # parameters of function pointers and VEC(...) are no members
                n += depth == 1 and round == 0 and c in ";,"
                if depth == 0:
                    break
            yield n, m.group(1), os.path.relpath(path, root)


def functions(root, folders):
    head = re.compile(r"^(?:[A-Za-z_][\w \*]*?[ \*])(\w+)\(([^;{}]*)\)\s*\{", re.M)
    for path in sources(root, folders):
        if not path.endswith(".c"):
            continue
        text = without_comments(open(path).read())
        for m in head.finditer(text):
            if m.group(1) in ("if", "for", "while", "switch"):
                continue
            end, braces, last = m.end(), 1, text.find("\n}", m.end()) + 2  # macros may hold a brace
            while braces and end < last:
                braces += (text[end] == "{") - (text[end] == "}")
                end += 1
            depth, commas = 0, 0
            for c in m.group(2):
                depth += (c in "([") - (c in ")]")
                commas += c == "," and depth == 0
            yield path, m.group(1), text.count("\n", m.start(), end) + 1, commas + 1


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


def measure(root):
    """Figure -> (number, what it is made of)."""
    second_half = [f for f in ("dslc/lower", "dslc/schedule", "dslc/plan", "dslc/emit", "dslc/kernel", "dslc/back")
                   if os.path.isdir(os.path.join(root, f))]
    figures = {}
    for room in ("dslc", "runtime"):
        largest = sorted(structs(root, [room]), reverse=True)[:12]
        figures[f"members of the largest struct of {room}"] = largest[0][0], [f"{n} {s} in {p}" for n, s, p in largest]
    cycle = largest_cycle(units(root, second_half))
    figures["files in the largest include cycle"] = (len(cycle), cycle) if len(cycle) > 1 else (0, [])
    for room in ("dslc", "runtime"):
        all_functions = [f for f in functions(root, [room])]
        long = [f for f in all_functions if f[2] > 45 and f[1] not in FLAT_SWITCHES]
        wide = [f for f in all_functions if f[3] > 6]
        say = [[f"{f[1]} in {os.path.relpath(f[0], root)}" for f in which] for which in (long, wide)]
        figures[f"functions of {room}"] = len(all_functions), []
        figures[f"functions of {room} over 45 lines"] = len(long), say[0]
        figures[f"functions of {room} over 6 parameters"] = len(wide), say[1]
    searches = 0
    printers = [f for f in ("dslc/emit", "dslc/back") if os.path.isdir(os.path.join(root, f))]
    for path in sources(root, printers):
        searches += len(re.findall(r"\b(strstr|strpbrk|memmem|strcspn|strspn|strtok)\s*\(", open(path).read()))
    figures["searches in text by the emitter and back"] = searches, []
    back = [os.path.relpath(p, root) for p in sources(root, ["dslc/back"])
            if re.search(r'#include "(schedule|plan)/', open(p).read())]
    figures["files of dslc/back that include the planner's headers"] = len(back), back
    return figures


def main():
    args = sys.argv[1:]
    options = [a for a in args if a.startswith("--")]
    roots = [a for a in args if not a.startswith("--")]
    root = roots[0] if roots else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    grown = False
    for figure, (number, parts) in measure(root).items():
        limit = LIMITS.get(figure)
        too_many = "--limits" in options and limit is not None and number > limit
        grown = grown or too_many
        print(f"{figure}: {number}" + (f", more than the {limit} that were reached: make it less" if too_many else ""))
        if "--list" in options or too_many:
            print("".join(f"  {p}\n" for p in parts), end="")
    return 1 if grown else 0


sys.exit(main())
