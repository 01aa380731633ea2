/* Quantities that are called what the kernels call something of their own: the compiler has to keep them apart. */
#include <stdlib.h>
#include <string.h>

#include "mesh/random.h"
#include "random.h"

enum { MOST_WORDS = 2048, LONGEST_WORD = 64, RENAMED = 4 };

typedef struct words {
  int n;
  char text[MOST_WORDS][LONGEST_WORD];
} words;

/* Of C, OpenCL and their headers, what the kernels that are renamed do not hold themselves. */
static const char *const languages_words[] = {"defined",
                                              "CHAR_BIT",
                                              "SSIZE_MAX",
                                              "M_PI",
                                              "M_E",
                                              "FP_NAN",
                                              "fpclassify",
                                              "HUGE_VALL",
                                              "DBL_RADIX",
                                              "FLT_MIN",
                                              "HALF_MAX",
                                              "image1d_t",
                                              "image2d_t",
                                              "image3d_t",
                                              "image1d_array_t",
                                              "image2d_depth_t",
                                              "image1d_buffer_t",
                                              "queue_t",
                                              "ndrange_t",
                                              "reserve_id_t",
                                              "sampler_t",
                                              "event_t",
                                              "memory_scope",
                                              "pipe",
                                              "uint16",
                                              "half"};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static size_t word_length(const char *at) {
  size_t n = 0;
  while (is_in_name(at[n])) n++;
  return n;
}

static void add_word(words *all, const char *at, size_t n) {
  if (n >= LONGEST_WORD || all->n == MOST_WORDS) return;
  for (int i = 0; i < all->n; i++)
    if (strlen(all->text[i]) == n && memcmp(all->text[i], at, n) == 0) return;
  memcpy(all->text[all->n], at, n);
  all->text[all->n++][n] = '\0';
}

/* Each word once; `numbered`: those that the generator has made, as u0. */
static void find_words(const char *text, bool numbered, words *all) {
  for (const char *at = text; *at;) {
    const size_t n = word_length(at);
    const bool made = n > 1 && is_digit(at[n - 1]) && at[0] >= 'a' && at[0] <= 'z';
    if (n > 0 && !is_digit(at[0]) && (made || !numbered)) add_word(all, at, n);
    at += n > 0 ? n : 1;
  }
}

static char *with_word(const char *text, const char *word, const char *by) {
  char *out = NULL;
  size_t size = 0, n = strlen(word);
  FILE *f = open_memstream(&out, &size);
  if (!f) return NULL;
  for (const char *at = text; *at;) {
    const bool is = strncmp(at, word, n) == 0 && !is_in_name(at[n]) && (at == text || !is_in_name(at[-1]));
    if (is) fputs(by, f), at += n;
    else fputc(*at++, f);
  }
  return fclose(f) == 0 ? out : (free(out), NULL);
}

/* Of a vector called so the components are called as the kernels' word: column_x. */
static void leave_last_part(char *word) {
  char *last = strrchr(word, '_');
  if (last && last != word) *last = '\0';
}

/* One quantity renamed; NULL: it cannot be called so. */
static char *renamed(const options *o, const subject *s, const words *kernels, const words *own,
                     uint64_t *state) {
  char to[LONGEST_WORD];
  const char *from = own->text[random_below(state, (uint64_t)own->n)];
  strcpy(to, kernels->text[random_below(state, (uint64_t)kernels->n)]);
  if (random_below(state, 3) == 0) leave_last_part(to);
  char *twice = with_word(s->text, to, "");
  subject next = *s;
  const bool is_new = twice && strcmp(twice, s->text) == 0;
  next.text = is_new ? with_word(s->text, from, to) : NULL;
  free(twice);
  if (next.text && strcmp(next.text, s->text) != 0 && save_scheme(o->folder, next.text) &&
      check_accepts(o, &next))
    return next.text;
  free(next.text);
  return NULL;
}

char *name_as_kernels(const options *o, const subject *s) {
  subject now = *s;
  uint64_t state = random_seed(s->seed + 818);
  words *kernels = calloc(1, sizeof *kernels), *own = calloc(1, sizeof *own);
  char *source = kernels && own && save_scheme(o->folder, s->text) ? kernels_of(o, s) : NULL;
  now.text = strdup(s->text);
  if (source) find_words(source, false, kernels), find_words(s->text, true, own);
  for (size_t i = 0; i < sizeof languages_words / sizeof *languages_words; i++)
    add_word(kernels, languages_words[i], strlen(languages_words[i]));
  for (int i = 0; source && now.text && own->n > 0 && i < RENAMED; i++) {
    char *next = renamed(o, &now, kernels, own, &state);
    if (next) free(now.text), now.text = next;
  }
  free(source);
  free(kernels), free(own);
  return now.text;
}
