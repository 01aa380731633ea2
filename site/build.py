#!/usr/bin/env python3
"""build.py CHECKOUT OUT [GALLERY]: the documentation as a site of files, without network.

Pages are README.md (the front page), docs/*.md, cases/*/README.md, CHANGELOG.md and CONTRIBUTING.md. The navigation is read from docs/index.md: a
heading a group, a list item a page. GALLERY is a folder that gallery.py filled: its pictures stand beside those of the cases. Links that lead
nowhere, pages that nothing leads to and pictures that are not there end the build with their places."""
import glob
import html
import json
import os
import posixpath
import re
import shutil
import sys

sys.dont_write_bytecode = True
import gallery    # noqa: E402
import markdown   # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def address_of(source):
    """Where a page goes: README.md is its folder's index."""
    folder, name = posixpath.split(source)
    name = "index.html" if name == "README.md" else name[:-3] + ".html"
    if source == "docs/index.md":
        name = "contents.html"
    return posixpath.join(folder, name)


class Site:
    def __init__(self, root, out):
        self.root, self.out, self.problems = root, out, []
        self.pages, self.links, self.copies = {}, [], set()

    def sources(self):
        wanted = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/*.md", "cases/README.md", "cases/*/README.md"]
        return sorted(os.path.relpath(path, self.root) for pattern in wanted for path in glob.glob(os.path.join(self.root, pattern)))

    def resolve(self, source, address, picture=False):
        """An address as a page writes it: as the site has it; None where only the text stays."""
        if re.match(r"^[a-z]+:", address):
            return address
        path, _, name = address.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), path)) if path else source
        here = posixpath.dirname(address_of(source)) or "."
        if target.endswith(".md") and target in self.names:
            self.links.append((source, target, name))
            return posixpath.relpath(address_of(target), here) + ("#" + name if name else "")
        full = os.path.join(self.root, target)
        if not os.path.exists(full):
            self.problems.append(f"{source}: {address}: there is no such file")
            return None
        if os.path.isdir(full) or not (picture or target.startswith(("docs/", "cases/", "schemes/")) or target == "LICENSE"):
            return None
        self.copies.add(target)
        return posixpath.relpath(target, here)

    def read_pages(self):
        self.names = set(self.sources())
        for source in sorted(self.names):
            text = read(os.path.join(self.root, source))
            self.pages[source] = markdown.Page(text, lambda a, s=source: self.resolve(s, a), lambda a, s=source: self.resolve(s, a, True))
        for source, target, name in self.links:
            if name and name not in self.pages[target].ids:
                self.problems.append(f"{source}: {target} has no heading or mark #{name}")

    def navigation(self):
        """Groups of pages, from the index: [[heading, [source, ...]], ...]."""
        groups = []
        for line in read(os.path.join(self.root, "docs/index.md")).split("\n"):
            if line.startswith("## "):
                groups.append([line[3:], []])
            elif line.startswith("- ") and groups:
                for address in re.findall(r"\]\(([^)#]+\.md)\)", line):
                    groups[-1][1].append(posixpath.normpath(posixpath.join("docs", address)))
        named = {p for _, pages in groups for p in pages} | {"docs/index.md", "README.md"}
        for source in sorted(self.names - named):
            if not source.startswith("cases/") or source == "cases/README.md":
                self.problems.append(f"{source}: docs/index.md does not lead there")
        return groups

    # ---- output ----

    def write(self, name, text):
        path = os.path.join(self.out, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)

    def frame(self, address, title, body, script=""):
        """A page: navigation, search field, text. Style and script stand in it: a page asks for nothing but its pictures."""
        up = posixpath.relpath(".", posixpath.dirname(address) or ".")
        up = "" if up == "." else up + "/"
        fill = {"title": html.escape(title), "style": self.style, "up": up, "navigation": self.menu(address, up), "body": body, "script": script}
        return re.sub(r"\{\{(\w+)\}\}", lambda m: fill[m.group(1)], self.template)

    def menu(self, address, up):
        lines = []
        for heading, sources in self.groups:
            lines.append(f"<h2>{html.escape(heading)}</h2><ul>")
            for source in sources:
                target = address_of(source)
                now = ' aria-current="page"' if target == address else ""
                name = "Gallery" if source == "cases/README.md" else self.pages[source].title
                lines.append(f'<li><a href="{up}{target}"{now}>{html.escape(name)}</a></li>')
            lines.append("</ul>")
        return "\n".join(lines)

    def index(self):
        entries = []
        for source, page in self.pages.items():
            for level, heading, name, words in page.sections:
                text = re.sub(r"\s+", " ", " ".join(words)).strip()
                entries.append([page.title, heading if level > 1 else "", address_of(source) + "#" + name, text])
        return json.dumps(entries, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")

    def build(self, pictures):
        self.template, self.style = read(os.path.join(HERE, "page.html")), read(os.path.join(HERE, "page.css"))
        self.read_pages()
        self.groups = self.navigation()
        for source, page in self.pages.items():
            body = page.body
            if source == "cases/README.md":
                body = gallery.page(self, page, pictures)
            self.write(address_of(source), self.frame(address_of(source), page.title, body))
        search = '<h1>Search</h1><p id="count" role="status">Type words above: pages that hold all of them.</p><ol id="found"></ol>'
        script = f"<script>const entries = {self.index()};\n{read(os.path.join(HERE, 'search.js'))}</script>"
        self.write("search.html", self.frame("search.html", "Search", search, script))
        for name in self.copies:
            target = os.path.join(self.out, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(os.path.join(self.root, name), target)


def main():
    root, out = sys.argv[1:3]
    if os.path.isdir(out):
        if os.listdir(out) and not os.path.exists(os.path.join(out, "search.html")):
            sys.exit(f"site: {out} holds something else than a site; give an empty folder")
        shutil.rmtree(out)
    site = Site(root, out)
    site.build(sys.argv[3] if len(sys.argv) > 3 else None)
    for problem in site.problems:
        print("site:", problem, file=sys.stderr)
    print(f"site: {len(site.pages) + 1} pages in {out}; begin with {os.path.join(out, 'index.html')}")
    sys.exit(1 if site.problems else 0)


if __name__ == "__main__":
    main()
