#!/usr/bin/env python3
"""browse.py CHECKOUT OUT: some pages of the site in a headless browser. Skipped (77) where there is no Chromium.

Asked: no message on the console; nothing is loaded but pictures that lie beside the page; nothing is wider than a phone's screen; the search finds;
text stands out from its ground in light and dark (contrast of 4.5, WCAG 2.1)."""
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "report"))
from keyboard import Keyboard                    # noqa: E402
from page import browser, contrast, colours_of   # noqa: E402

PROBE = """<script>
addEventListener('load', () => {
  const told = {wide: document.documentElement.scrollWidth - innerWidth, found: document.querySelectorAll('#found li').length};
  told.widest = [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.wide, pre')).map(
    e => e.tagName + ' ' + e.className).slice(0, 5);
  told.menu = document.querySelector('.menu').open;
  told.loaded = performance.getEntriesByType('resource').map(e => e.name).filter(n => !n.startsWith('data:') && !/^file:.*\\.(png|svg)$/.test(n));
  told.first = document.querySelector('#found a')?.getAttribute('href');
  const end = document.createElement('pre'); end.id = 'told'; end.textContent = JSON.stringify(told); document.body.append(end);
});
</script></body>"""
PAGES = ["index.html", "docs/language.html", "docs/commands.html", "cases/index.html", "search.html?q=boundary+rule"]


def look(chromium, out, name, width, folder):
    said, told = browser(chromium, os.path.join(out, name), width, folder)
    assert not said, (name, said)
    assert not told["loaded"], (name, told["loaded"])
    assert told["wide"] <= 0 and not told["widest"], (name, width, told["wide"], told["widest"])
    assert told["menu"] == (width > 960), (name, width, told["menu"])
    if "?q=" in name:
        assert told["found"] > 0 and told["first"], told


def by_keyboard(chromium, out, folder):
    """What one looks for is found without a mouse: tabulator to the field, words, Enter, tabulator to the first page that was found, Enter."""
    k = Keyboard(chromium, folder)
    k.open("file://" + os.path.join(out, "index.html"))
    k.tab_to("here.matches('input[type=search], input[name=q]')")
    for letter in "boundary rule":
        k.press(letter)
    k.press("Enter")
    k.until("document.querySelectorAll('#found a').length > 0")
    wanted = k.value("document.querySelector('#found a').href")
    k.tab_to("here === document.querySelector('#found a')")
    k.press("Enter")
    k.until("location.href.split('#')[0] === %r" % wanted.split("#")[0])
    k.close()


def main():
    root, out = sys.argv[1:3]
    subprocess.run([sys.executable, os.path.join(root, "site", "build.py"), root, out], check=True)
    with open(os.path.join(root, "site", "page.css"), encoding="utf-8") as f:
        for colours in colours_of(f.read()):
            for ground in ("paper", "panel"):
                for ink in ("ink", "soft", "link"):
                    assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
            assert contrast(colours["ink"], colours["mark"]) >= 4.5, "mark"
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        print("no Chromium here: only contrasts were looked at")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        by_keyboard(chromium, os.path.abspath(out), folder)
    for name in PAGES:
        path = os.path.join(out, name.split("?")[0])
        with open(path, encoding="utf-8") as f:
            text = f.read()
        with open(path, "w", encoding="utf-8") as f:
            f.write(text.replace("</body>", PROBE))
    with tempfile.TemporaryDirectory() as folder:
        for name in PAGES:
            for width in (1200, 500):
                look(chromium, out, name, width, folder)
    print("site: no message, no request, nothing too wide, the search finds, by the keyboard too")


main()
