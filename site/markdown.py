"""The part of Markdown that this project's pages are written in, as HTML.

Headings, paragraphs, lists of one level, tables, fenced code, quotes, comments and single HTML tags; within them code, emphasis, links and
pictures. Written here rather than taken from python3-markdown: that package is not everywhere where the pages are built and tested, it gives
headings other ids than the ones that our links name (GitHub's), and it cannot say where a link stands that leads nowhere."""
import html
import re

FENCE = re.compile(r"^```(.*)$")
HEADING = re.compile(r"^(#{1,6}) +(.*?)\s*#*$")
ITEM = re.compile(r"^(?:([-*])|(\d+)\.) +(.*)$")
RULE = re.compile(r"^\|?[ :|-]*-[ :|-]*$")
TAG = re.compile(r"</?(?:a|p|img|br|sub|sup|kbd)\b[^<>]*>|<!--.*?-->")


def anchor(text):
    """A heading's id as GitHub makes it."""
    plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    plain = re.sub(r"<[^>]*>", "", plain)
    plain = plain.replace("`", "").replace("*", "")
    return re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-")


class Page:
    """One page: its HTML, the ids that can be linked to, and for the search one piece of text a heading."""

    def __init__(self, source, link, image):
        self.lines = source.split("\n")
        self.at = 0
        self.link, self.image = link, image     # functions of an address as written: the address on the site, or None for "no link"
        self.out, self.ids, self.title = [], [], None
        self.sections = []                      # [level, heading, id, words]
        while self.at < len(self.lines):
            self.block()
        self.body = "\n".join(self.out)

    # ---- within a line ----

    def inline(self, text):
        kept = []

        def keep(markup):
            kept.append(markup)
            return f"\0{len(kept) - 1}\0"

        text = re.sub(r"(`+)(.+?)\1", lambda m: keep(f"<code>{html.escape(m.group(2).strip() or m.group(2), quote=False)}</code>"), text)
        text = TAG.sub(lambda m: keep("" if m.group().startswith("<!--") else self.tag(m.group())), text)
        text = re.sub(r"<(https?://[^>]*)>", lambda m: keep(self.anchor_to(m.group(1), html.escape(m.group(1)))), text)
        text = html.escape(re.sub(r"\\([\\`*_{}\[\]()#+.!|<>-])", lambda m: keep(html.escape(m.group(1))), text), quote=False)
        text = re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)", lambda m: keep(self.picture(m.group(2), m.group(1))), text)
        text = re.sub(r"\[([^\[\]]*)\]\(([^)\s]+)\)", lambda m: self.anchor_to(m.group(2), m.group(1), keep), text)
        text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
        text = re.sub(r"(?<![\w*])\*(?!\s)(.+?)(?<!\s)\*(?![\w*])", r"<em>\1</em>", text)
        while "\0" in text:
            text = re.sub("\0(\\d+)\0", lambda m: kept[int(m.group(1))], text)
        return text

    def anchor_to(self, address, words, keep=lambda markup: markup):
        target = self.link(address)
        if target is None:
            return words
        outside = ' rel="external"' if "://" in target else ""
        return keep(f'<a href="{html.escape(target)}"{outside}>') + words + keep("</a>")

    def picture(self, address, words, more=""):
        return f'<img src="{html.escape(self.image(address))}" alt="{html.escape(words)}" loading="lazy"{more}>'

    def tag(self, text):
        found = re.search(r'\bid="([^"]*)"', text)
        if found:
            self.ids.append(found.group(1))
        if text.startswith("<img"):
            part = dict(re.findall(r'(\w+)="([^"]*)"', text))
            width = f' width="{part["width"]}"' if "width" in part else ""
            return self.picture(part["src"], part.get("alt", ""), width)
        found = re.search(r'\bhref="([^"]*)"', text)
        if found:
            return f'<a href="{html.escape(self.link(found.group(1)) or "")}">'
        if text.startswith("<p "):
            return '<p class="centre">'
        return text

    # ---- blocks ----

    def words(self, text, code=False):
        if self.sections:
            self.sections[-1][3].append(text if code else re.sub(r"\]\([^)]*\)|<[^>]*>|[`*\[|]", " ", text))

    def block(self):
        line = self.lines[self.at]
        if not line.strip():
            self.at += 1
        elif FENCE.match(line):
            self.fence()
        elif HEADING.match(line):
            self.heading(HEADING.match(line))
        elif ITEM.match(line):
            self.list()
        elif line.startswith("|"):
            self.table()
        elif line.startswith(">"):
            self.quote()
        elif line.startswith("<!--"):
            self.comment()
        else:
            self.paragraph()

    def comment(self):
        while "-->" not in self.lines[self.at]:
            self.at += 1
        self.at += 1

    def fence(self):
        info = FENCE.match(self.lines[self.at]).group(1).split()
        start = self.at + 1
        self.at = start
        while not self.lines[self.at].startswith("```"):
            self.at += 1
        text = "\n".join(self.lines[start:self.at])
        self.at += 1
        self.words(text, True)
        kind = info[0] if info else ""
        self.out.append(f'<pre tabindex="0" class="{html.escape(kind)}"><code>{code(text, kind)}\n</code></pre>')

    def heading(self, found):
        self.at += 1
        level, text = len(found.group(1)), found.group(2)
        name, n = anchor(text), 0
        while (f"{name}-{n}" if n else name) in self.ids:
            n += 1
        name = f"{name}-{n}" if n else name
        self.ids.append(name)
        plain = re.sub(r"`|\*\*|\]\([^)]*\)|\[", "", text)
        if self.title is None:
            self.title = plain
        self.sections.append([level, plain, name, []])
        self.out.append(f'<h{level} id="{name}">{self.inline(text)}<a class="here" href="#{name}" aria-label="link to this heading">#</a></h{level}>')

    def taken(self, more):
        """Lines from here on, as long as `more` holds for the next one."""
        start = self.at
        self.at += 1
        while self.at < len(self.lines) and self.lines[self.at].strip() and more(self.lines[self.at]):
            self.at += 1
        return self.lines[start:self.at]

    def list(self):
        kind = "ol" if ITEM.match(self.lines[self.at]).group(2) else "ul"
        self.out.append(f"<{kind}>")
        while self.at < len(self.lines) and ITEM.match(self.lines[self.at]):
            lines = self.taken(lambda line: not ITEM.match(line) and not FENCE.match(line) and not HEADING.match(line))
            text = " ".join([ITEM.match(lines[0]).group(3)] + [line.strip() for line in lines[1:]])
            self.words(text)
            self.out.append(f"<li>{self.inline(text)}</li>")
            if self.at + 1 < len(self.lines) and not self.lines[self.at].strip() and ITEM.match(self.lines[self.at + 1]):
                self.at += 1
        self.out.append(f"</{kind}>")

    def table(self):
        rows = self.taken(lambda line: line.startswith("|"))
        cells = [[c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", row.strip())[1:-1]] for row in rows]
        self.words(" ".join(rows))
        body, head = cells, []
        if len(rows) > 1 and RULE.match(rows[1]):
            head, body = cells[0], cells[2:]
        self.out.append('<div class="wide" tabindex="0"><table>')
        if any(head):
            self.out.append("<thead><tr>" + "".join(f"<th>{self.inline(c)}</th>" for c in head) + "</tr></thead>")
        self.out.append("<tbody>")
        for row in body:
            self.out.append("<tr>" + "".join(f"<td>{self.inline(c)}</td>" for c in row) + "</tr>")
        self.out.append("</tbody></table></div>")

    def quote(self):
        lines = self.taken(lambda line: line.startswith(">"))
        text = " ".join(line.lstrip("> ") for line in lines)
        self.words(text)
        self.out.append(f"<blockquote><p>{self.inline(text)}</p></blockquote>")

    def paragraph(self):
        stop = lambda line: not (FENCE.match(line) or HEADING.match(line) or ITEM.match(line) or line.startswith(("|", "<!--")))
        lines = self.taken(stop)
        text = "\n".join(line.strip() if not line.startswith("<p ") else line for line in lines)
        self.words(text)
        markup = self.inline(text)
        self.out.append(markup if text.startswith("<p ") else f"<p>{markup}</p>")


COMMENT = {"ew": "--", "lua": "--", "sh": "#", "python": "#", "c": "//"}


def code(text, kind):
    """Code with its comments marked, which is what a reader looks for first."""
    mark = COMMENT.get(kind)
    lines = []
    for line in text.split("\n"):
        found = re.search(r"(^|\s)" + re.escape(mark), line) if mark else None
        if found:
            lines.append(html.escape(line[:found.start()], quote=False) + f'<i>{html.escape(line[found.start():], quote=False)}</i>')
        else:
            lines.append(html.escape(line, quote=False))
    return "\n".join(lines)
