#!/usr/bin/env python3
"""summary.py BUILD SOURCE [ROOM]: line and branch coverage of a build with gcov's counters, room by room, then what kind of branch is not
taken; or file by file with the lines that nobody ran and those with branches that nobody took, for one ROOM such as runtime/run, or for
each of them after an empty line (ROOM: all). Needs gcov alone.
summary.py BUILD SOURCE --limits FILE: exit status 1 where a file has more branches that nobody took than its row in FILE allows (untaken.md); one
without a row may have FEW. --write FILE: writes these rows anew, what stands in their last column is kept.
What is not counted: generated lexers and parsers, and branches of assertions, which fail only where the program is wrong. Branches that
only a failed allocation takes are counted."""
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys


def read_counters(gcda):
    """What one object file knows: {source: {line: (count, [branch counts])}}."""
    run = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", gcda],
                         cwd=os.path.dirname(gcda), capture_output=True, text=True)
    found = {}
    for text in run.stdout.splitlines():
        try:
            unit = json.loads(text)
        except ValueError:
            continue
        for f in unit["files"]:
            path = os.path.realpath(os.path.join(unit["current_working_directory"], f["file"]))
            lines = found.setdefault(path, {})
            for l in f["lines"]:
                count, branches = lines.get(l["line_number"], (0, []))
                lines[l["line_number"]] = (count + l["count"], branches + [b["count"] for b in l["branches"]])
    return found


def merge(all_found):
    """A header's line stands in many objects; its branches are joined one by one where their numbers agree."""
    total = {}
    for found in all_found:
        for path, lines in found.items():
            to = total.setdefault(path, {})
            for n, (count, branches) in lines.items():
                before, old = to.get(n, (0, []))
                joined = [a + b for a, b in zip(old, branches)] if len(old) == len(branches) else max(old, branches, key=len)
                to[n] = (before + count, joined)
    return total


def is_assertion(text):
    return re.search(r"\bassert(_\w+)?\(", text) is not None


# What a line's branches are about: the first of these that its text tells, or for a test of what was just asked for the line before.
KINDS = [
    ("a call's error passed on", r"EW_CHECK\(|\bstatus\b|EW_OK\b"),
    ("memory that runs out", r"\b(malloc|calloc|realloc|strn?dup|v?asprintf|memory_text\w*|\w*(_grow|_push|_append|_copy|_create|_alloc|make_room))\("),
    ("a file's call", r"\b(f?open|fclose|fwrite|fread|fputs|fputc|fflush|ferror|f?stat|lstat|rename|unlink|mkdir|mkstemp|f?sync|opendir|read|write|close|fdopen|getline|ftruncate|flock|gz\w+)\("),
    ("an OpenCL call", r"\bcl[A-Z]\w+\("),
    ("cases of a switch", r"\bswitch\b"),
    ("a loop's end", r"\b(for|while)\b"),
    ("parts of a condition", r"&&|\|\|"),
    ("a choice ?:", r"\?"),
    ("a plain if", r"\bif\b"),
]


def kind_of(source, n):
    text = source[n - 1] if n <= len(source) else ""
    for name, pattern in KINDS:
        if re.search(pattern, text):
            if name == "a plain if" and n > 1 and re.search(KINDS[1][1], source[n - 2]):
                return KINDS[1][0]
            return name
    return "other"


class Tally:
    def __init__(self):
        self.lines = self.run = self.branches = self.taken = 0
        self.missed = []
        self.partly = []
        self.kinds = collections.Counter()  # (kind, "all", "not taken" or "in lines not run"): branches

    def add(self, source, lines):
        for n, (count, branches) in sorted(lines.items()):
            text = source[n - 1] if n <= len(source) else ""
            self.lines += 1
            self.run += count > 0
            if count == 0:
                self.missed.append(n)
            if is_assertion(text):
                continue
            self.branches += len(branches)
            self.taken += sum(b > 0 for b in branches)
            self.count_kinds(kind_of(source, n), count, branches)
            if count > 0 and 0 in branches:
                self.partly.append(n)

    def count_kinds(self, kind, count, branches):
        self.kinds[kind, "all"] += len(branches)
        self.kinds[kind, "not taken" if count else "in lines not run"] += branches.count(0)


def joined(tallies):
    total = Tally()
    for t in tallies:
        total.lines, total.run = total.lines + t.lines, total.run + t.run
        total.branches, total.taken = total.branches + t.branches, total.taken + t.taken
        total.kinds.update(t.kinds)
    return total


def ranges(numbers):
    text, begin = [], None
    for i, n in enumerate(numbers):
        begin = n if begin is None else begin
        if i + 1 == len(numbers) or numbers[i + 1] != n + 1:
            text.append(f"{begin}" if begin == n else f"{begin}-{n}")
            begin = None
    return " ".join(text)


def percent(part, whole):
    return f"{100 * part / whole:6.1f} %" if whole else "     -  "


def row(name, t):
    print(f"{name:34} {t.lines:7} {percent(t.run, t.lines)} {t.branches:9} {percent(t.taken, t.branches)}")


def print_table(kind, tallies, missed):
    print(f"{kind:34} {'lines':>7} {'run':>8} {'branches':>9} {'taken':>8}")
    for name, t in sorted(tallies.items()):
        if t.lines:
            row(name, t)
            if missed and t.missed:
                print(f"    {ranges(t.missed)}")
            if missed and t.partly:
                print(f"    partly: {ranges(t.partly)}")
    row("all", joined(tallies.values()))


def print_kinds(t, name):
    print(f"\n{name + ', branches of':34} {'all':>7} {'not taken':>10} {'in lines not run':>17}")
    for kind in [k for k, _ in KINDS] + ["other"]:
        print(f"{kind:34} {t.kinds[kind, 'all']:7} {t.kinds[kind, 'not taken']:10} {t.kinds[kind, 'in lines not run']:17}")


def print_rooms(files):
    rooms = {room: joined(files[room].values()) for room in files}
    halves = {half: joined(t for room, t in rooms.items() if room.split("/")[0] == half) for half in ("runtime", "dslc")}
    print_table("room", rooms, False)
    for half, t in halves.items():
        row(half + ", all rooms", t)
    for half, t in halves.items():
        print_kinds(t, half)


def print_room(tallies, separate):
    if separate:
        print()
    print_table("file", tallies, True)


# ---- branches that nobody took, and why ---------------------------------------------------------------------------------

FEW = 20  # a file with no more needs no row
HEAD = "| file | not taken | of | mostly | why |\n|---|---|---|---|---|\n"


def read_limits(path):
    """What stands before the table, and of each file in it the number and the reason."""
    text = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
    rows = re.findall(r"^\| `(.*?)` \| (\d+) \|.*\| (.*?) \|$", text, re.M)
    return text.split(HEAD)[0], {name: (int(number), why) for name, number, why in rows}


def untaken(t):
    return t.branches - t.taken


def mostly(t):
    missed = {k: t.kinds[k, "not taken"] + t.kinds[k, "in lines not run"] for k, _ in KINDS}
    most = sorted(missed, key=missed.get)[-2:]
    return ", ".join(f"{missed[k]} {k}" for k in reversed(most) if missed[k])


def write_limits(path, all_files):
    before, old = read_limits(path)
    with open(path, "w", encoding="utf-8") as out:
        out.write(before + HEAD)
        for name, t in sorted(all_files.items(), key=lambda of: (-untaken(of[1]), of[0])):
            if untaken(t) > FEW:
                out.write(f"| `{name}` | {untaken(t)} | {t.branches} | {mostly(t)} | {old.get(name, (0, ''))[1]} |\n")


def check_limits(path, all_files):
    known = read_limits(path)[1]
    over = [(name, untaken(t), known.get(name, (FEW, ""))[0]) for name, t in sorted(all_files.items())]
    over = [row for row in over if row[1] > row[2]]
    for name, found, most in over:
        print(f"{name}: {found} branches are not taken, {most} are allowed; `summary.py BUILD SOURCE {os.path.dirname(name)}` names their lines")
    return 1 if over else 0


def main():
    limits = len(sys.argv) == 5 and sys.argv[3] in ("--limits", "--write")
    if len(sys.argv) not in (3, 4) and not limits:
        sys.exit(__doc__)
    build, top = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
    wanted = sys.argv[3].rstrip("/") if len(sys.argv) == 4 else None
    counters = [os.path.join(d, f) for d, _, files in os.walk(build) for f in files
                if f.endswith(".gcda") and ("dslc" in d or "runtime" in d)]
    if not counters:
        sys.exit(f"summary.py: no counters below {build}: build with `cmake --preset cov` and run tests")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        total = merge(pool.map(read_counters, counters))
    files = collections.defaultdict(dict)  # {room: {file: Tally}}
    for path in sorted(total):
        name = os.path.relpath(path, top)
        if not re.match(r"(dslc|runtime)/", name) or not name.endswith((".c", ".h")):
            continue
        with open(path, encoding="utf-8") as f:
            source = f.read().splitlines()
        files[os.path.dirname(name)][name] = t = Tally()
        t.add(source, total[path])
    if limits:
        all_files = {name: t for room in files.values() for name, t in room.items()}
        if sys.argv[3] == "--limits":
            sys.exit(check_limits(sys.argv[4], all_files))
        write_limits(sys.argv[4], all_files)
        return
    if wanted in (None, "all"):
        print_rooms(files)
    for room in sorted(files):
        if wanted in ("all", room):
            print_room(files[room], separate=wanted == "all")


main()
