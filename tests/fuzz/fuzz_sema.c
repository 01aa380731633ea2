/* Any text given to the whole compiler as far as it needs no device: analysis and passes in every variant. It must neither
 * crash nor take long, and what it calls an internal error is one. */
#include <stdlib.h>
#include <string.h>

#include "dslc.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  if (size > 20000) return 0;
  char *text = malloc(size + 1);
  if (!text) return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  dslc_options options = {.path = "fuzz.ew", .text = text, .check_only = true, .n_rules = -1, .n_show = -1};
  dslc_messages *messages;
  int status = dslc_compile(&options, NULL, &messages);
  dslc_messages_destroy(&messages);
  free(text);
  if (status == 70) abort();
  return 0;
}
