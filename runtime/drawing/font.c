#include "drawing/font.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "drawing/font_table.h"

enum { UNKNOWN = 0xfffd, N_LETTERS = sizeof LETTER / sizeof *LETTER };

static const double SMALLEST = 0.6;

/* The next character's code, with *text behind it. Bytes that are no UTF-8 count as a character that the font lacks. */
static unsigned next_code(const char **text) {
  const unsigned char *s = (const unsigned char *)*text;
  int more = *s < 0x80                 ? 0
             : *s >= 0xc2 && *s < 0xe0 ? 1
             : *s >= 0xe0 && *s < 0xf0 ? 2
             : *s >= 0xf0 && *s < 0xf5 ? 3
                                       : -1;
  unsigned code = more <= 0 ? *s : *s & (0x3fu >> more);
  for (int i = 1; i <= more; i++) {
    if ((s[i] & 0xc0) != 0x80) more = -1;
    else code = code << 6 | (s[i] & 0x3f);
  }
  *text += more > 0 ? more + 1 : 1;
  return more < 0 ? UNKNOWN : code;
}

static const struct letter *find(unsigned code) {
  int low = 0, high = N_LETTERS;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (LETTER[middle].code <= code) low = middle;
    else high = middle;
  }
  return LETTER[low].code == code ? &LETTER[low] : &LETTER[N_LETTERS - 1];
}

int font_width(const char *text) {
  int width = 0;
  while (*text) width += find(next_code(&text))->advance;
  return width;
}

typedef struct pen {
  image *im;
  int x, y; /* where the text's origin lies */
  bool upwards;
  rgb colour;
  double scale; /* at most 1 */
} pen;

static void dot(const pen *p, int along, int down, double alpha) {
  int x = p->upwards ? p->x + down : p->x + along, y = p->upwards ? p->y - along : p->y + down;
  if (alpha > 0) image_blend(p->im, x, y, p->colour, alpha);
}

/* How much of [a, a + 1] lies in [low, high]. */
static double overlap(double a, double low, double high) {
  double from = fmax(a, low), to = fmin(a + 1, high);
  return to > from ? to - from : 0;
}

/* The letter's ink within the box [x, x + size] by [y, y + size] of its own pixels, as a part of the box. */
static double ink_within(const struct letter *l, double x, double y, double size) {
  double sum = 0;
  for (int j = (int)fmax(0, floor(y)); j < l->height && j < y + size; j++)
    for (int i = (int)fmax(0, floor(x)); i < l->width && i < x + size; i++)
      sum += (l->ink[j * l->width + i] - 'A') / 15.0 * overlap(i, x, x + size) * overlap(j, y, y + size);
  return sum / (size * size);
}

/* `at`: where the letter begins, in pixels of the full size. */
static void draw_letter(const pen *p, const struct letter *l, int at) {
  double size = 1 / p->scale, left = (at + l->left) * p->scale, top = l->top * p->scale;
  int x0 = (int)floor(left), x1 = (int)ceil((at + l->left + l->width) * p->scale);
  int y0 = (int)floor(top), y1 = (int)ceil((l->top + l->height) * p->scale);
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++) dot(p, x, y, ink_within(l, (x - left) * size, (y - top) * size, size));
}

/* Letters as long as they end before `most`, in pixels of the full size; returns where the last one ends. */
static int draw(const pen *p, const char *text, int most) {
  int at = 0;
  while (*text) {
    const struct letter *l = find(next_code(&text));
    if (at + l->advance > most) break;
    draw_letter(p, l, at);
    at += l->advance;
  }
  return at;
}

enum { ALL = 1 << 20 };

void font_draw(image *im, int x, int y, const char *text, rgb colour) {
  draw(&(pen){im, x, y, false, colour, 1}, text, ALL);
}

void font_draw_upwards(image *im, int x, int y, const char *text, rgb colour) {
  draw(&(pen){im, x, y, true, colour, 1}, text, ALL);
}

void font_draw_within(image *im, int x, int y, const int bounds[2], const char *text, rgb colour) {
  static const char CUT[] = "...";
  int room = bounds[1] - bounds[0], width = font_width(text);
  double scale = width > room ? fmax((double)room / width, SMALLEST) : 1;
  int drawn = (int)ceil(width * scale), left = x - drawn / 2;
  if (left + drawn > bounds[1]) left = bounds[1] - drawn;
  if (left < bounds[0]) left = bounds[0];
  pen p = {im, left, y + (int)lround((1 - scale) * FONT_HEIGHT), false, colour, scale};
  if (drawn <= room + 1) {
    draw(&p, text, ALL);
    return;
  }
  int end = draw(&p, text, (int)(room / scale) - font_width(CUT));
  p.x += (int)(end * scale);
  draw(&p, CUT, ALL);
}
