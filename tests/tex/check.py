#!/usr/bin/env python3
"""check.py [--pdflatex] DSLC FOLDER...: prints every scheme of the folders by `dslc tex`. What is printed must be LaTeX as far as one can see
without LaTeX: braces, environments and \\left ... \\right meet, each row of an environment has its columns, all of the scheme's numbers, states and
rules are there, and the scheme that it extends, and no two runs differ. With --pdflatex each is compiled, and no line may be wider than the page; status 77 where there is none."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

COLUMNS = {"aligned": 1, "cases": 1, "longtable": 3}  # separators that a row may have


def structure(text):
    """Why it is no LaTeX, or None."""
    stack = []
    for m in re.finditer(r"\\begin\{(\w+\*?)\}|\\end\{(\w+\*?)\}|\\left(?![a-z])|\\right(?![a-z])|\\\\|\\[{}&%#$_]|[{}&]", text):
        token = m.group(0)
        if token.startswith("\\begin"):
            stack.append([m.group(1), 0])
        elif token.startswith("\\end"):
            if not stack or stack.pop()[0] != m.group(2):
                return "\\end{%s} meets nothing" % m.group(2)
        elif token in ("{", "\\left"):
            stack.append([token, 0])
        elif token in ("}", "\\right"):
            if not stack or stack.pop()[0] != {"}": "{", "\\right": "\\left"}[token]:
                return "%s meets nothing at: %s" % (token, text[max(0, m.start() - 60):m.end()])
        elif token == "\\\\" and stack:
            stack[-1][1] = 0
        elif token == "&":
            stack[-1][1] += 1
            if stack[-1][1] > COLUMNS.get(stack[-1][0], 0):
                return "a row of %s has too many columns" % stack[-1][0]
    if stack:
        return "%s is not closed" % stack[-1][0]
    if text.count("$") % 2:
        return "a $ is not closed"
    return None


def missing(source, text):
    """What of the scheme is not in the document."""
    code = re.sub(r"--[^\n]*", "", source)
    for tag in set(re.findall(r"--.*?\s(\(\d+\)(?:, \(\d+\))*)", source)):
        for number in re.findall(r"\d+", tag):
            if not re.search(r"\\tag\{[^}]*\b%s\b|\(%s\)" % (number, number), text):
                return "number (%s)" % number
    for rule in re.findall(r"\bboundary (\w+)", code):
        if "\\subsection*{" not in text or rule.replace("_", "\\_") not in text:
            return "rule %s" % rule
    if re.search(r"^  step\b", code, re.M) and "\\section*{A step}" not in text:
        return "the step"
    base = re.search(r"\bscheme \w+ extends (\w+)", code)
    if base and "\\section*{\\texttt{%s}}" % base.group(1).replace("_", "\\_") not in text:
        return "the scheme that it extends"
    if base and base.group(1) + "." in code and "}^{\\text{%s}}" % base.group(1).replace("_", "\\_") not in text:
        return "a replaced equation by its scheme's name"
    return None


def compile_pdf(name, text):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "a.tex"), "w") as f:
            f.write(text)
        ran = subprocess.run(["pdflatex", "-draftmode", "-interaction=nonstopmode", "-halt-on-error", "a.tex"], cwd=folder, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, errors="replace")
    if ran.returncode:
        return "%s: pdflatex: %s" % (name, ran.stdout[-800:])
    wide = re.findall(r"Overfull \\hbox \(([\d.]+)pt", ran.stdout)
    return "%s: %s pt wider than the page" % (name, max(wide, key=float)) if any(float(w) > 1 for w in wide) else None


def main(arguments):
    pdf = arguments[0] == "--pdflatex"
    dslc, folders = arguments[pdf], arguments[pdf + 1:]
    if pdf and not shutil.which("pdflatex"):
        print("there is no pdflatex")
        return 77
    bad = []
    paths = sorted(p for f in folders for p in glob.glob(os.path.join(f, "*.ew")))
    for path in paths:
        ran = [subprocess.run([dslc, "tex", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(1 if pdf else 2)]
        text, name = ran[0].stdout, os.path.basename(path)
        if ran[0].returncode or text != ran[-1].stdout:
            bad.append("%s: status %d: %s" % (name, ran[0].returncode, ran[0].stderr))
        elif pdf:
            bad.append(compile_pdf(name, text))
        else:
            lacks = missing(open(path).read(), text)
            bad.append(structure(text) and "%s: %s" % (name, structure(text)))
            bad.append(lacks and "%s: %s is not there" % (name, lacks))
    bad = [b for b in bad if b]
    print("\n".join(bad) or "%d schemes" % len(paths))
    return 1 if bad or not paths else 0


sys.exit(main(sys.argv[1:]))
