/* From a line of the text back to the scheme: dslc writes comments that name the scheme's lines. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dslc.h"
#include "kernel/kernel.h"

static const char *line_at(const char *text, int line) {
  for (; line > 1 && text; line--) {
    text = strchr(text, '\n');
    if (text) text++;
  }
  return text;
}

static bool is_path(char c) { return isalnum((unsigned char)c) || strchr("_./-", c); }

/* `NAME.ew:NUMBER` in [from, end). */
static bool find_scheme(const char *from, const char *end, char *text, int size) {
  for (const char *at = from; at + 4 < end; at++) {
    if (strncmp(at, ".ew:", 4) != 0 || !isdigit((unsigned char)at[4])) continue;
    const char *begin = at, *stop = at + 4;
    while (begin > from && is_path(begin[-1])) begin--;
    while (stop < end && isdigit((unsigned char)*stop)) stop++;
    snprintf(text, (size_t)size, "%.*s", (int)(stop - begin), begin);
    return true;
  }
  return false;
}

/* The line's own comment, the nearest one before it within the function, or the one above the kernel. */
void kir_scheme_line(const kir_program *p, int line, char *text, int size) {
  enum { how_far_above = 40 };
  const char *at = line > 0 ? line_at(p->source, line) : NULL;
  text[0] = '\0';
  for (int above = 0; at && above <= how_far_above; above++) {
    const char *end = at + strcspn(at, "\n");
    if (find_scheme(at, end, text, size) || at == p->source) return;
    for (--at; at > p->source && at[-1] != '\n';) at--;
  }
}

/* Of the line or the nearest one before it, however far. */
int dslc_scheme_place(const dslc_program *p, int source_line, char *text, int size) {
  const char *at = p->execution.source;
  text[0] = '\0';
  for (int line = 1; *at && line <= source_line; line++) {
    const char *end = at + strcspn(at, "\n");
    find_scheme(at, end, text, size);
    at = end + (*end == '\n');
  }
  return *text ? atoi(strrchr(text, ':') + 1) : 0;
}

void kir_text_line(const kir_program *p, int line, char *text, int size) {
  const char *at = line > 0 ? line_at(p->source, line) : NULL;
  text[0] = '\0';
  if (!at) return;
  at += strspn(at, " \t");
  snprintf(text, (size_t)size, "%.*s", (int)strcspn(at, "\n"), at);
}
