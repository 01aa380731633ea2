/* What the runtime prints, line by line to a callback. */
#include <stdlib.h>
#include <string.h>

#include "api/internal.h"

static void keep(edgewise_run *run, const char *line) {
  size_t n = strlen(line);
  char *grown = realloc(run->kept, run->n_kept + n + 2);
  if (!grown) return;
  run->kept = grown;
  memcpy(grown + run->n_kept, line, n);
  run->n_kept += n + 1;
  grown[run->n_kept - 1] = '\n';
  grown[run->n_kept] = '\0';
}

/* The callback is the caller's code: it has the caller's locale. */
static void say(api_stream *s) {
  edgewise_run *run = s->run;
  s->line[s->n] = '\0';
  s->n = 0;
  if (run->opening && s->kind == EDGEWISE_NOTE) keep(run, s->line);
  if (!run->say) return;
  locale_t ours = uselocale(run->outside);
  run->say(run->context, s->kind, s->line);
  uselocale(ours);
}

static ssize_t take(void *stream, const char *bytes, size_t n) {
  api_stream *s = stream;
  if (s->n + n + 1 > s->room) {
    size_t room = 2 * (s->n + n + 64);
    char *grown = realloc(s->line, room);
    if (!grown) return 0;
    s->line = grown;
    s->room = room;
  }
  for (size_t i = 0; i < n; i++)
    if (bytes[i] == '\n') say(s);
    else s->line[s->n++] = bytes[i];
  return (ssize_t)n;
}

ew_status api_stream_open(edgewise_run *run, api_stream *s, edgewise_kind kind) {
  s->run = run;
  s->kind = kind;
  s->file = fopencookie(s, "w", (cookie_io_functions_t){.write = take});
  if (!s->file) return ew_fail(&run->err, EW_FAIL, "out of memory for a run");
  setvbuf(s->file, NULL, _IOLBF, BUFSIZ);
  return EW_OK;
}

void api_stream_close(api_stream *s) {
  if (s->file) fclose(s->file);
  if (s->n > 0) say(s);
  free(s->line);
  *s = (api_stream){0};
}
