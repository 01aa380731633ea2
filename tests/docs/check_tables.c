/* check_tables [--update] PAGE...: what stands between `<!-- table: NAME -->` and `<!-- end -->` must be what the program's own
 * table NAME says; --update writes it there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fences.h"
#include "tables.h"

static const char BEGIN[] = "<!-- table: ", END[] = "<!-- end -->\n";

/* The table of the marker at `at`, printed; NULL if it is none. `*body` is the text behind the marker's line. */
static char *print_table(const char *at, const char **body) {
  char name[400], *text = NULL;
  size_t n, size;
  at += strlen(BEGIN);
  const char *close = strstr(at, " -->");
  n = close ? (size_t)(close - at) : 0;
  snprintf(name, sizeof name, "%.*s", (int)n, at);
  *body = strchr(at, '\n');
  FILE *out = open_memstream(&text, &size);
  bool good = out && *body && table_print(name, out);
  if (out) fclose(out);
  if (*body) ++*body;
  if (good) return text;
  free(text);
  return NULL;
}

/* Copies the page with all tables as they should be. */
static bool renew(const char *page, const char *text, FILE *out) {
  for (const char *at; (at = strstr(text, BEGIN));) {
    const char *body, *end;
    char *table = print_table(at, &body);
    end = table ? strstr(body, END) : NULL;
    if (!end) {
      fprintf(stderr, "%s: the table at `%.40s` cannot be made, or has no end\n", page, at);
      free(table);
      return false;
    }
    fwrite(text, 1, (size_t)(body - text), out);
    fputs(table, out);
    free(table);
    text = end;
    fwrite(END, 1, strlen(END), out);
    text += strlen(END);
  }
  fputs(text, out);
  return true;
}

static bool write_page(const char *page, const char *text) {
  FILE *f = fopen(page, "wb");
  bool good = f && fputs(text, f) >= 0;
  good = f && fclose(f) == 0 && good;
  if (!good) perror(page);
  return good;
}

static int check_page(const char *page, bool update) {
  char *text = page_read(page), *renewed = NULL;
  size_t size;
  FILE *out = open_memstream(&renewed, &size);
  bool good = text && out && renew(page, text, out);
  if (out) fclose(out);
  bool same = good && strcmp(text, renewed) == 0;
  if (good && !same && update) good = write_page(page, renewed);
  else if (good && !same) {
    fprintf(stderr,
            "%s: its tables have fallen behind the program; `check_tables --update %s` writes them anew\n",
            page, page);
    good = false;
  }
  free(renewed);
  free(text);
  return good ? 0 : 1;
}

int main(int argc, char **argv) {
  bool update = argc > 1 && strcmp(argv[1], "--update") == 0;
  int bad = 0;
  for (int i = update ? 2 : 1; i < argc; i++) bad += check_page(argv[i], update);
  return bad > 0;
}
