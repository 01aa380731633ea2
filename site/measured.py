#!/usr/bin/env python3
"""measured.py [--update] PAGE...: tables of what benches printed. What stands in a page between `<!-- measured: FILE BENCH -->` and `<!-- end -->` must
be what FILE (seen from the page), lines of `edgewise bench ... --json`, says of that bench; --update writes it."""
import json
import os
import re
import sys

MARK = re.compile(r"(<!-- measured: (\S+) (\w+) -->\n)(.*?)(<!-- end -->)", re.S)


def number(value, digits=3):
    """Three digits, large numbers in groups."""
    if value >= 10**digits:
        return f"{value:,.0f}".replace(",", "\u202f")
    text = f"{value:.{digits}g}"
    return f"{float(text):g}" if "e" not in text or abs(value) >= 1e-4 else text


def table(head, rows):
    out = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(out + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def setting(text):
    """`variant.space=tvd,select=delta` as the page writes settings."""
    return " ".join(f"`{part.removeprefix('variant.')}`" for part in text.split(",") if not part.startswith("device="))


def shallow_water(b):
    rows = [[number(b["cells"]), number(b["cell_steps_per_second"]/1e6), number(b["cell_steps_per_second_best"]/1e6),
             number(b["peer"]/1e6) if b.get("peer") else "", number(b["ratio"]) if b.get("peer") else "",
             f"{b['difference']:.1e}" if b.get("peer") else ""]]
    return table(["triangles", "million cell-steps a second", "best", "C with OpenMP, the machine's host", "times as fast", "largest difference"], rows)


def simple_ts(b):
    rows = [[setting(t["try"]), number(t["ns"]), number(1/t["ns"]), number(t["ratio"]), number(t["bytes_per_cell"])]
            for t in b["tries"] if not t["reference"]]
    slow = [t for t in b["tries"] if t["reference"]]
    rows += [[setting(t["try"]) + ", C, one core", number(t["ns"]), number(1/t["ns"]), "1", number(t["bytes_per_cell"])] for t in slow]
    head = ["", "ns a cell and inner iteration", "thousand million cells a second", "times one core", "bytes a cell"]
    return f"{b['nx']} x {b['ny']} cells:\n\n" + table(head, rows)


def cavity(b):
    rows = []
    for mesh in b["meshes"]:
        for t in mesh["tries"]:
            who = setting(t["try"]) + (f", {t['device']}" if t["reference"] else "")
            rows.append([number(mesh["nodes"]), who, number(t["step_seconds"]*1e3), number(t["solve_seconds"]*1e3), number(t["iterations"]),
                         number(t["ratio"])])
    return table(["nodes", "", "ms a step", "of it the pressure", "iterations", "times as fast"], rows)


def kernels(b, triad):
    """Those of the largest mesh's first try that take a hundredth of the time or more and move something."""
    all_kernels = b["meshes"][-1]["tries"][0]["kernels"]
    whole = sum(k["seconds"] for k in all_kernels)
    rows = [[k["computes"], number(k["seconds"]/k["launches"]*1e6), number(100*k["seconds"]/whole), number(k["bytes"]/k["seconds"]/1e9),
             f"{k['bytes']/k['seconds']/1e9/triad:.2f}" if triad else "", number(k["flops"]/k["seconds"]/1e9)]
            for k in sorted(all_kernels, key=lambda k: -k["seconds"]) if k["seconds"] > whole/100 and k["bytes"] > 0]
    return table(["computes", "us a launch", "% of the time", "GB/s", "of the triad", "GFlop/s"], rows)


def linear(b):
    rows = [[number(size["rows"]), f"{s['who']}, {s['preconditioner']}", number(s["product_gbs"]), f"{s['share_of_triad']:.2f}", number(s["iteration_ms"]),
             number(s["iterations"]), number(s["setup_seconds"]*1e3), number(s["solve_seconds"]*1e3)]
            for size in b["sizes"] for s in size["solvers"]]
    return table(["rows", "", "product, GB/s", "of the triad", "ms an iteration", "iterations", "ms to set up", "ms to solve"], rows)


def rates(b):
    r = b["rates"]
    return (f"{b['device']}: triad {number(r['triad_gbs'])} GB/s, copy {number(r['copy_gbs'])} GB/s, fused multiply-adds "
            f"{number(r['fma_gflops']/1e3)} Tflop/s in double precision, a launch {number(r['launch_us'])} us.\n")


def measured(path, wanted):
    with open(path, encoding="utf-8") as f:
        found = {b["bench"]: b for b in map(json.loads, filter(str.strip, f))}
    with_rates = next((b for b in found.values() if "rates" in b), None)
    makers = {"shallow_water": shallow_water, "simple_ts": simple_ts, "cavity": cavity, "linear": linear}
    if wanted == "rates":
        return rates(with_rates)
    if wanted == "kernels":
        return kernels(found["cavity"], with_rates and with_rates["rates"]["triad_gbs"])
    return makers[wanted](found[wanted])


def main():
    update, bad = sys.argv[1:2] == ["--update"], []
    for page in sys.argv[1 + update:]:
        with open(page, encoding="utf-8") as f:
            text = f.read()
        new, n = MARK.subn(lambda m: m[1] + measured(os.path.join(os.path.dirname(page), m[2]), m[3]) + m[5], text)
        if update:
            with open(page, "w", encoding="utf-8") as f:
                f.write(new)
        elif new != text or n == 0:
            bad.append(f"{page}: its tables are not those of its files: site/measured.py --update {page}")
    sys.exit("\n".join(bad) or 0)


if __name__ == "__main__":
    main()
