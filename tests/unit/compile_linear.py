#!/usr/bin/env python3
"""compile_linear.py TEST_COMPILE: instructions of compiling n and 2n of each of its families, on two targets, counted by valgrind.

Nobody else on the machine changes these counts, as they do times: a family may take LIMIT times as many for 2n as for n. Half of the n of
the test that measures times is enough. Exit status 77 where there is no valgrind.
"""
import re
import shutil
import subprocess
import sys

LIMIT = 2.15


def instructions(program, family, n, target):
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, family, str(n), target],
                         capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode or not found:
        sys.exit(f"{family} of {n} for {target}: status {run.returncode}\n{run.stderr}")
    return int(found.group(1))


def main():
    program = sys.argv[1]
    if not shutil.which("valgrind"):
        print("valgrind is not installed: skipped")
        return 77
    grown = False
    for line in subprocess.run([program, "--families"], capture_output=True, text=True, check=True).stdout.splitlines():
        family, n = line.split()
        for target in ("gpu", "cpu"):
            half = int(n) // 2
            one, two = (instructions(program, family, m, target) for m in (half, 2 * half))
            grown = grown or two > LIMIT * one
            print(f"{family} for {target}: {half} take {one / 1e6:.1f} million instructions, {2 * half} take {two / 1e6:.1f}: "
                  f"{two / one:.2f} times as many" + (f", more than {LIMIT}" if two > LIMIT * one else ""))
    return 1 if grown else 0


sys.exit(main())
