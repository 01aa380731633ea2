#!/usr/bin/env python3
"""check.py CHECKOUT OUT: builds the site, asks of the files that every link leads to a file and an id that are there, that nothing is asked from
elsewhere, that every page can be reached from the first one, that the search knows every heading, and that the gallery has a time for every case."""
import html.parser
import json
import os
import re
import subprocess
import sys
import urllib.parse

SINGLE = {"meta", "link", "img", "input", "br"}


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.loads, self.ids, self.headings, self.open, self.wrong = [], [], set(), [], [], []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if "id" in given:
            if given["id"] in self.ids:
                self.wrong.append(f"id {given['id']} twice")
            self.ids.add(given["id"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if "src" in given:
            self.loads.append(given["src"])
        if tag == "link":
            self.loads.append(given["href"])
        if tag == "img" and "alt" not in given:
            self.wrong.append(f"a picture without words: {given.get('src')}")
        if re.fullmatch("h[1-6]", tag) and "id" in given:
            self.headings.append(given["id"])
        if tag not in SINGLE:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes nothing at {self.getpos()}")


def read_site(out):
    pages = {}
    for folder, _, names in os.walk(out):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(folder, name)
                reader = Reader()
                with open(path, encoding="utf-8") as f:
                    reader.feed(f.read())
                pages[os.path.relpath(path, out)] = reader
    return pages


def check_page(out, pages, name, page):
    """What is wrong on a page; the pages that it leads to."""
    wrong, leads = [f"{name}: {w}" for w in page.wrong], set()
    for address in page.loads:
        if re.match(r"[a-z]+:|//", address) and not address.startswith("data:"):
            wrong.append(f"{name}: asks elsewhere for {address}")
    for address in page.links + [a for a in page.loads if not a.startswith("data:")]:
        if re.match(r"[a-z]+:", address):
            continue
        path, _, mark = address.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(name), urllib.parse.unquote(path))) if path else name
        if not os.path.isfile(os.path.join(out, target)):
            wrong.append(f"{name}: {address} leads to no file")
        elif mark and mark not in pages[target].ids:
            wrong.append(f"{name}: {address} leads to no id")
        if target in pages:
            leads.add(target)
    return wrong, leads


def reached(leads):
    seen, todo = set(), ["index.html"]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += leads[name]
    return seen


def check_search(out, pages):
    with open(os.path.join(out, "search.html"), encoding="utf-8") as f:
        entries = json.loads(re.search(r"const entries = (.*);\n", f.read()).group(1).replace("<\\/", "</"))
    known = {url for _, _, url, _ in entries}
    return [f"search: does not know {name}#{mark}" for name, page in pages.items() for mark in page.headings if f"{name}#{mark}" not in known]


def check_refusals(root, out):
    """A link that leads nowhere and a heading that is not there end the build."""
    folder = out + ".wrong"
    os.makedirs(os.path.join(folder, "docs"), exist_ok=True)
    os.makedirs(os.path.join(folder, "cases"), exist_ok=True)
    texts = {"README.md": "# Front\n\n[a](docs/index.md) [b](docs/gone.md)\n", "docs/index.md": "# Index\n\n## How to\n\n- [x](x.md#nowhere)\n",
             "docs/x.md": "# X\n", "docs/lost.md": "# Lost\n", "cases/README.md": "# Cases\n\n| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n"}
    for name, text in texts.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)
    done = subprocess.run([sys.executable, os.path.join(root, "site", "build.py"), folder, folder + ".out"], capture_output=True, text=True)
    asked = ["README.md: docs/gone.md: there is no such file", "docs/index.md: docs/x.md has no heading or mark #nowhere",
             "docs/lost.md: docs/index.md does not lead there"]
    return [f"not refused: {a}\n{done.stderr}" for a in asked if a not in done.stderr] + ([] if done.returncode == 1 else ["exit status of a wrong site"])


def main():
    root, out = sys.argv[1:3]
    subprocess.run([sys.executable, os.path.join(root, "site", "build.py"), root, out], check=True)
    pages, wrong, leads = read_site(out), [], {}
    for name, page in pages.items():
        found, leads[name] = check_page(out, pages, name, page)
        wrong += found
    wrong += [f"{name}: nothing leads there" for name in sorted(set(pages) - reached(leads) - {"search.html"})]
    with open(os.path.join(out, "cases", "index.html"), encoding="utf-8") as f:
        wrong += ["cases/index.html: a case without a time: make gallery ARGS=NAME"]*f.read().count("not timed yet")
    wrong += check_search(out, pages) + check_refusals(root, out)
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"site: {len(pages)} pages, {sum(len(p.links) for p in pages.values())} links")
    sys.exit(1 if wrong else 0)


main()
