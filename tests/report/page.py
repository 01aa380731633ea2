#!/usr/bin/env python3
"""page.py EDGEWISE CASE.lua: a run's page in a headless browser. Skipped (77) where there is no Chromium.

Asked: no message on the console; no request leaves the page; the slider, moved by script and by the keyboard alone, shows another picture and its time; nothing is wider than a
phone's screen; text and curves stand out from their ground (WCAG 2.1: 4.5 and 3) in light and dark."""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from keyboard import Keyboard

PROBE = """<script>
const told = {wide: document.documentElement.scrollWidth - innerWidth, slider: []};
told.widest = [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth && !e.closest('.wide')).map(
  e => e.tagName + ' ' + e.className).slice(0, 5);
for (const s of document.querySelectorAll('input[type=range]')) {
  const figure = s.parentElement, before = figure.querySelector('output').textContent;
  s.focus();
  const focused = document.activeElement === s;
  s.value = 0;
  s.dispatchEvent(new Event('input'));
  const shown = [...figure.querySelectorAll('img')].map(i => !i.hidden);
  told.slider.push([focused, before !== figure.querySelector('output').textContent, shown[0], shown.filter(x => x).length]);
}
told.loaded = performance.getEntriesByType('resource').map(e => e.name).filter(n => !n.startsWith('data:'));
told.images = [...document.images].every(i => i.complete && (i.hidden || i.naturalWidth > 0));
const end = document.createElement('pre'); end.id = 'told'; end.textContent = JSON.stringify(told); document.body.append(end);
</script></body>"""


def browser(chromium, page, width, folder):
    done = subprocess.run([chromium, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
                           f"--window-size={width},900", "--enable-logging=stderr", "--dump-dom", "file://" + page],
                          capture_output=True, text=True, timeout=240)
    said = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    found = re.search(r'<pre id="told">(.*?)</pre>', done.stdout, re.S)
    assert found, "the page's script did not come to its end:\n" + done.stderr[-2000:]
    return said, json.loads(html.unescape(found.group(1)))


def by_keyboard(chromium, page, folder):
    """The slider is reached by the tabulator, and the arrows move it."""
    k = Keyboard(chromium, folder)
    k.open("file://" + page)
    k.tab_to("here.matches('.chapters a, nav a, a')")
    k.tab_to("here.type === 'range'")
    time = "document.activeElement.closest('figure').querySelector('output').textContent"
    last = k.value(time)
    k.press("ArrowLeft")
    before = k.value(time)
    k.press("Home")
    first = k.value(time)
    k.press("End")
    assert len({last, before, first}) == 3 and k.value(time) == last, (last, before, first)
    k.close()


def luminance(colour):
    if len(colour) == 4:
        colour = "#" + "".join(2*c for c in colour[1:])
    part = [int(colour[i:i + 2], 16)/255 for i in (1, 3, 5)]
    part = [c/12.92 if c <= 0.03928 else ((c + 0.055)/1.055)**2.4 for c in part]
    return 0.2126*part[0] + 0.7152*part[1] + 0.0722*part[2]


def contrast(a, b):
    high, low = sorted([luminance(a), luminance(b)], reverse=True)
    return (high + 0.05)/(low + 0.05)


def colours_of(text):
    """Colours by name: those of light, those of dark."""
    return [dict(re.findall(r"--(\w+): (#[0-9a-f]{3,6})", rule)) for rule in re.findall(r":root \{([^}]*)\}", text)[:2]]


def check_contrast(text):
    for colours in colours_of(text):
        for ground in ("paper", "panel"):
            for ink in ("ink", "soft", "good", "bad"):
                assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground, contrast(colours[ink], colours[ground]))
            for curve in range(7):
                assert contrast(colours[f"c{curve}"], colours[ground]) >= 3, (curve, ground)


def main():
    edgewise, case = sys.argv[1:]
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder:
        run, page = os.path.join(folder, "run"), os.path.join(folder, "page.html")
        shutil.copytree(os.path.dirname(case), os.path.join(folder, "case"))
        subprocess.run([edgewise, "run", "-q", "--device", "c", "--profile", "--steps", "40", "-o", run,
                        os.path.join(folder, "case", os.path.basename(case))], check=True, capture_output=True)
        subprocess.run([edgewise, "report", run, "-o", page], check=True, capture_output=True)
        with open(page, encoding="utf-8") as f:
            text = f.read()
        check_contrast(text)
        if not chromium:
            print("no Chromium here: only contrasts were looked at")
            sys.exit(77)
        by_keyboard(chromium, page, folder)
        with open(page, "w", encoding="utf-8") as f:
            f.write(text.replace("</body>", PROBE))
        for width in (1200, 500):
            said, told = browser(chromium, page, width, folder)
            assert not said, said
            assert not told["loaded"], told["loaded"]
            assert told["images"], "a picture did not load"
            assert told["wide"] <= 0 and not told["widest"], (width, told["wide"], told["widest"])
            assert len(told["slider"]) == 2 and all(s == [True, True, True, 1] for s in told["slider"]), told["slider"]
    print("page: no message, no request, sliders work, by the keyboard too, nothing too wide")


if __name__ == "__main__":
    main()
