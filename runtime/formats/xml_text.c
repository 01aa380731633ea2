#include "formats/xml_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"

static const struct {
  char plain;
  const char *entity;
} ENTITY[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};

enum { N_ENTITIES = sizeof ENTITY / sizeof ENTITY[0], LONGEST = 6 };

static const char *entity_of(char c) {
  for (int i = 0; i < N_ENTITIES; i++)
    if (ENTITY[i].plain == c) return ENTITY[i].entity;
  return NULL;
}

char *xml_escape(const char *text) {
  char *out = malloc(strlen(text) * LONGEST + 1), *p = out;
  if (!out) return NULL;
  for (size_t n; *text; text += n > 0 ? n : 1) {
    const char *entity = entity_of(*text);
    n = words_character(text);
    if (entity) p = stpcpy(p, entity);
    else if (n == 0 || (unsigned char)*text < 0x20) *p++ = '?';
    else p = mempcpy(p, text, n);
  }
  *p = '\0';
  return out;
}
