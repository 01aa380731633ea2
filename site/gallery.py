#!/usr/bin/env python3
"""gallery.py EDGEWISE CHECKOUT OUT [--device SPEC] [--limit SECONDS] [CASE ...]: runs the cases, each as it is shipped, one after the other.

Each writes into OUT/CASE; its last pictures are copied to OUT/pictures/CASE, and what it took goes to cases/times.csv in the checkout: one line a
case, those of cases that were not run stay. The seconds are those that processors spent, compiling kernels included: with --device c, the default,
one core is at work, and they say on a busy machine what a case takes on an idle one. A case that takes longer than the limit is stopped in between, and the line says so. The page of the
gallery (cases/index.html of the site) shows pictures and times; without such a run it shows the pictures and times that are in the checkout."""
import argparse
import csv
import html
import json
import os
import posixpath
import re
import resource
import shutil
import subprocess
import sys

COLUMNS = ["case", "size", "of", "steps", "seconds", "complete", "device", "day"]


def cases_of(root):
    return sorted(n for n in os.listdir(os.path.join(root, "cases")) if os.path.exists(os.path.join(root, "cases", n, "case.lua")))


def read_times(root):
    path = os.path.join(root, "cases", "times.csv")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8", newline="") as f:
        return {row["case"]: row for row in csv.DictReader(f)}


def write_times(root, times):
    with open(os.path.join(root, "cases", "times.csv"), "w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, COLUMNS, lineterminator="\n")
        out.writeheader()
        out.writerows(times[name] for name in sorted(times))


def size_of(told):
    for kind, keys in (("mesh", ("cells", "nodes")), ("grid", ("cells",))):
        for key in keys:
            if key in told.get(kind, {}):
                return told[kind][key], f"{key} of a {kind}"
    return "", ""


def spent():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_one(arguments, name):
    """Runs a case; its line of the table, or None with a message where it failed."""
    folder = os.path.join(arguments.out, name)
    shutil.rmtree(folder, ignore_errors=True)
    command = [arguments.edgewise, "run", "-q", "--device", arguments.device, "--walltime", str(arguments.limit), "-o", folder,
               os.path.join(arguments.checkout, "cases", name, "case.lua")]
    before = spent()
    done = subprocess.run(command, capture_output=True, text=True)
    seconds, told_at = spent() - before, os.path.join(folder, "run.json")
    if done.returncode not in (0, 8) or not os.path.exists(told_at):
        print(f"gallery: {name}: exit status {done.returncode}\n{done.stderr[-600:]}", file=sys.stderr)
        return None
    with open(told_at, encoding="utf-8") as f:
        told = json.load(f)
    size, of = size_of(told)
    device = told["device"]
    return {"case": name, "size": size, "of": of, "steps": told["result"]["steps"], "seconds": f"{seconds:.1f}",
            "complete": "yes" if done.returncode == 0 else "no", "device": f"{device['name']} ({device['platform']})",
            "day": told["started"][:10]}


def keep_pictures(out, name):
    """The last picture of every series that the case wrote."""
    target = os.path.join(out, "pictures", name)
    shutil.rmtree(target, ignore_errors=True)
    last = {}
    for file in sorted(os.listdir(os.path.join(out, name))):
        found = re.match(r"(.*?)(_\d+)?\.png$", file)
        if found:
            last[found.group(1)] = file
    os.makedirs(target)
    for series, file in last.items():
        shutil.copyfile(os.path.join(out, name, file), os.path.join(target, series + ".png"))


# ---- the page ----

ROW = re.compile(r"^\| \[(\w+)\]\([^)]*\) \| (.*?) \| .*?src=\"([^\"]+)\"")


def grouped(number):
    return f"{int(number):,}".replace(",", "\u202f")


def cost(row, data_elsewhere=False):
    if not row:
        return "public data that are not in this repository: its page says where they are" if data_elsewhere else "not timed yet"
    size = f"{grouped(row['size'])} {row['of'].split()[0]}, " if row["size"] else ""
    ended = "" if row["complete"] == "yes" else " until it was stopped"
    steps = "1 step" if row["steps"] == "1" else f"{grouped(row['steps'])} steps"
    return f"{size}{steps}: {row['seconds']} s of processors{ended}; {row['device']}, {row['day']}"


def data_elsewhere(root, name):
    """Does a case's page say that its data have to be fetched?"""
    with open(os.path.join(root, "cases", name, "README.md"), encoding="utf-8") as f:
        return "not part of this repository" in f.read()


def card(site, row, picture, words):
    name = row[0]
    told = cost(row[1], data_elsewhere(site.root, name))
    return (f'<li><a href="{name}/index.html"><img src="{html.escape(picture)}" alt="{html.escape(name)}" loading="lazy"></a>'
            f'<h3><a href="{name}/index.html">{name}</a></h3><p>{words}</p><p class="cost">{html.escape(told)}</p></li>')


def picture_of(site, name, committed, pictures):
    """The series of the committed picture as the last run of the gallery drew it; else the committed one."""
    series = posixpath.basename(committed)
    fresh = os.path.join(pictures, "pictures", name, series) if pictures else ""
    if not os.path.exists(fresh):
        site.copies.add(f"cases/{committed}")
        return committed
    target = os.path.join(site.out, "cases", name, "run_" + series)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copyfile(fresh, target)
    return f"{name}/run_{series}"


def page(site, read, pictures):
    """The page of cases with its table as cards."""
    times, cards, shown = read_times(site.root), [], set()
    with open(os.path.join(site.root, "cases", "README.md"), encoding="utf-8") as f:
        for line in f:
            found = ROW.match(line)
            if found:
                name, words, committed = found.groups()
                shown.add(name)
                cards.append(card(site, (name, times.get(name)), picture_of(site, name, committed, pictures), read.inline(words)))
    for name in sorted(set(cases_of(site.root)) - shown):
        site.problems.append(f"cases/README.md: no row with a picture for {name}")
    grid = '<ul class="gallery">\n' + "\n".join(cards) + "\n</ul>"
    first = read.body.index('<div class="wide"')
    after = read.body.index("</table></div>", first) + len("</table></div>")
    return read.body[:first] + grid + read.body[after:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("edgewise")
    parser.add_argument("checkout")
    parser.add_argument("out")
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--device", default="c")
    parser.add_argument("--limit", type=float, default=600)
    arguments = parser.parse_intermixed_args()
    arguments.out, failed = os.path.abspath(arguments.out), []
    os.makedirs(arguments.out, exist_ok=True)
    times = {n: row for n, row in read_times(arguments.checkout).items() if n in cases_of(arguments.checkout)}
    for name in arguments.cases or cases_of(arguments.checkout):
        row = run_one(arguments, name)
        if row is None:
            failed.append(name)
            continue
        times[name] = row
        keep_pictures(arguments.out, name)
        write_times(arguments.checkout, times)
        print(f"{name:20} {cost(row)}", flush=True)
    if failed:
        sys.exit("gallery: did not run: " + " ".join(failed))


if __name__ == "__main__":
    main()
