#!/usr/bin/env python3
"""links.py FOLDER: every relative link of the pages in FOLDER and FOLDER/docs leads to something that is installed, too. Prints those that do not."""
import glob
import os
import re
import sys

bad = []
pages = sorted(glob.glob(os.path.join(sys.argv[1], "*.md")) + glob.glob(os.path.join(sys.argv[1], "docs", "*.md")))
for page in pages:
    for found in re.findall(r"\]\(([^)#\s]+)[^)]*\)|(?:src|href)=\"([^\"#]+)\"", open(page, encoding="utf-8").read()):
        link = found[0] or found[1]
        if "://" not in link and not os.path.exists(os.path.join(os.path.dirname(page), link)):
            bad.append("%s: %s" % (os.path.relpath(page, sys.argv[1]), link))
print("\n".join(bad) or "%d pages" % len(pages))
sys.exit(1 if bad or len(pages) < 20 else 0)
