#!/usr/bin/python3
"""make_font.py FONT.ttf > font_table.h: the letters of pictures as a C table; at development time only (Debian: python3-pil, fonts-dejavu-core).

    runtime/drawing/make_font.py /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf > runtime/drawing/font_table.h

A letter is a character of ink a pixel, row by row from its top: 'A' none, 'P' all."""
import sys

from PIL import Image, ImageDraw, ImageFont

SIZE = 19      # pixels of the em: a capital is 14 high
LETTERS = [*range(0x20, 0x7f), *range(0xa0, 0x100), *range(0x391, 0x3a2), *range(0x3a3, 0x3aa), *range(0x3b1, 0x3ca), 0x3d1, 0x3d5, 0x3f5,
           *range(0x2010, 0x2016), 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2026, 0x2032, 0x2033, 0x2070, *range(0x2074, 0x207f), *range(0x2080, 0x208a),
           0x2190, 0x2191, 0x2192, 0x2193, 0x2202, 0x2207, 0x2211, 0x2212, 0x221a, 0x221e, 0x222b, 0x2248, 0x2260, 0x2264, 0x2265, 0x22c5, 0xfffd]
HEAD = """/* Letters of DejaVu Sans 2.37 at 19 pixels, made by make_font.py; do not edit. Their licence: LICENSE.DejaVu, which goes wherever they go. */
#ifndef EW_DRAWING_FONT_TABLE_H
#define EW_DRAWING_FONT_TABLE_H

/* clang-format off */
static const struct letter {
  unsigned code;          /* of Unicode; ascending */
  signed char advance;    /* pixels to the next letter */
  signed char left, top;  /* of the ink's box, from the letter's place and the top of a capital */
  signed char width, height;
  const char *ink;
} LETTER[] = {"""


def letter(font, code, rise):
    text = chr(code)
    left, top, right, bottom = font.getbbox(text, anchor="ls")
    width, height = right - left, bottom - top
    ink = ""
    if width > 0 and height > 0:
        im = Image.new("L", (width, height), 0)
        ImageDraw.Draw(im).text((-left, -top), text, font=font, fill=255, anchor="ls")
        ink = "".join(chr(65 + (v*15 + 127)//255) for v in im.tobytes())
    if not ink.strip("A"):
        left = top = width = height = 0
        ink, rise = "", 0
    return f'  {{0x{code:04x}, {round(font.getlength(text))}, {left}, {top + rise}, {width}, {height}, "{ink}"}},'


def main():
    font = ImageFont.truetype(sys.argv[1], SIZE, layout_engine=ImageFont.Layout.BASIC)
    rise = -font.getbbox("H", anchor="ls")[1]
    print(HEAD)
    for code in sorted(LETTERS):
        print(letter(font, code, rise))
    print("};\n/* clang-format on */\n\n#endif")


main()
