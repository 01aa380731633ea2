#include "cli/shell.h"
#include "base/memory_text.h"
#include "base/words.h"
#include "device/spawn.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

volatile sig_atomic_t shell_stop = 0;

volatile sig_atomic_t shell_in_lua = 0;

enum { GRACE = 5 }; /* seconds */

/* As by a second signal: nothing but a pattern that backtracks, or a loop in C, keeps Lua from looking at shell_stop. */
static void end_lua(void) {
  static const char WHY[] = "edgewise: error: stopped; a function that the script called did not end\n";
  if (write(STDERR_FILENO, WHY, sizeof WHY - 1) < 0) _exit(128 + shell_stop);
  _exit(128 + shell_stop);
}

/* `timeout` and queues send a signal to the process and to its group, in which it is: what comes within half a second is one. */
static bool is_another_signal(void) {
  static struct timespec first;
  static volatile sig_atomic_t seen = 0;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!seen) {
    first = now;
    seen = 1;
  }
  return (double)(now.tv_sec - first.tv_sec) + 1e-9 * (double)(now.tv_nsec - first.tv_nsec) > 0.5;
}

static void request_stop(int number) {
  if (number == SIGALRM && shell_stop && shell_in_lua) end_lua();
  if (!shell_stop) shell_stop = number;
  if (number != SIGALRM && is_another_signal()) {
    spawn_end_all();
    signal(number, SIG_DFL);
    raise(number);
  }
  alarm(GRACE);
}

void shell_watch_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = request_stop;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGALRM, &action, NULL);
}

static void pass_over(int number) { (void)number; }

/* A handler, as programs that are started shall not inherit that the signal is ignored. */
void shell_outlive_readers(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = pass_over;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGPIPE, &action, NULL);
}

/* The timer does not pass to programs that are started, nor does the handler. */
ew_status shell_stop_after(const char *text, ew_error *err) {
  char *end;
  double seconds = text ? strtod(text, &end) : 0;
  if (!text) return EW_OK;
  if (end == text || *end || !(seconds > 0 && seconds < 1e9))
    return ew_fail(err, EW_USAGE, "--walltime needs a number of seconds above 0 and below 1e9, found '%s'",
                   text);
  struct itimerval timer = {.it_value = {(time_t)seconds, (suseconds_t)(1e6 * (seconds - floor(seconds)))}};
  if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) timer.it_value.tv_usec = 1;
  return setitimer(ITIMER_REAL, &timer, NULL) == 0
             ? EW_OK
             : ew_fail(err, EW_FAIL, "--walltime: no timer: %s", strerror(errno));
}

ew_status shell_go_on(ew_error *err) {
  return shell_stop ? ew_fail(err, EW_STOPPED, "stopped on request") : EW_OK;
}

static bool names(const char *options, const char *option) {
  const size_t n = strlen(option);
  for (const char *at = options; at; at = strchr(at, ' ')) {
    at += strspn(at, " -");
    if (strncmp(at, option, n) == 0 && (at[n] == ' ' || !at[n])) return true;
  }
  return false;
}

ew_status shell_takes(const cli_call *call, const char *subject, const char *options, ew_error *err) {
  for (int i = 0; i < call->n_given; i++) {
    const cli_option *o = call->given[i].option;
    const char letter[2] = {o->letter, 0}, *name = o->name ? o->name : letter;
    if (!names(options, name))
      return ew_fail(err, EW_USAGE, "%s has no use for %s%s; it takes%s", subject, o->name ? "--" : "-", name,
                     options);
  }
  return EW_OK;
}

ew_status shell_count(const cli_call *call, const char *name, long most, long *out, ew_error *err) {
  const long value = cli_integer(call, name, 0);
  if (!cli_text(call, name)) return EW_OK;
  if (value > 0 && value <= most) return *out = value, EW_OK;
  if (most == LONG_MAX)
    return ew_fail(err, EW_USAGE, "--%s needs a number from 1 on, found %ld", name, value);
  return ew_fail(err, EW_USAGE, "--%s needs a number from 1 to %ld, found %ld", name, most, value);
}

ew_status shell_steps(const cli_call *call, long *steps, long *look, ew_error *err) {
  enum { MOST_LOOK = 1000000000 };
  const ew_status status = shell_count(call, "steps", LONG_MAX, steps, err);
  return status == EW_OK ? shell_count(call, "look", MOST_LOOK, look, err) : status;
}

ew_status shell_refuse_run(void *context, ew_case *c, const exec_hooks *hooks, exec_summary *summary,
                           ew_error *err) {
  (void)hooks, (void)summary;
  return ew_fail(err, EW_INPUT,
                 "%s runs its cases itself: a %s needs a script that returns one\n"
                 "  hint: end it with `return case { ... }` instead of run(case { ... })",
                 c->file, (const char *)context);
}

int shell_fail(const cli_call *call, const ew_error *err) {
  if (err->status == EW_INTERNAL)
    return cli_fail(call, EW_INTERNAL, "%s\n  this is an error in edgewise: please report it with the case",
                    err->text);
  return cli_fail(call, (int)err->status, "%s", err->text);
}

int shell_end(const cli_call *call, const ew_error *err, bool saved) {
  const int code = shell_fail(call, err);
  return code == EW_STOPPED && shell_stop && !saved ? 128 + shell_stop : code;
}

int shell_check_ending(const cli_call *call, const char *suffix, const char *what) {
  const char *path = cli_text(call, "output"), *name = path ? path : "";
  if (strrchr(name, '/')) name = strrchr(name, '/') + 1;
  const char *dot = strrchr(name, '.');
  if (!dot || dot == name || strcasecmp(dot + 1, suffix) == 0) return CLI_OK;
  return cli_fail(call, EW_USAGE, "--output %s: %s: call it %.*s.%s", path, what, (int)(dot - path), path,
                  suffix);
}

void shell_print_json(FILE *out, const char *text) {
  fputc('"', out);
  for (size_t n; *text; text += n > 0 ? n : 1) {
    const unsigned char c = (unsigned char)*text;
    n = words_character(text);
    if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
    else if (c < 0x20) fprintf(out, "\\u%04x", c);
    else if (n == 0) fputs(WORDS_UNKNOWN, out);
    else fwrite(text, 1, n, out);
  }
  fputc('"', out);
}

/* In single quotes, unless it needs none. */
static void put_word(FILE *out, const char *word) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./,:@%";
  if (*word && strspn(word, plain) == strlen(word)) {
    fprintf(out, " %s", word);
    return;
  }
  fputs(" '", out);
  for (; *word; word++) {
    if (*word == '\'') fputs("'\\''", out);
    else fputc(*word, out);
  }
  fputc('\'', out);
}

static void put_option(FILE *out, const cli_option *o, const char *value) {
  if (o->name) fprintf(out, " --%s", o->name);
  else fprintf(out, " -%c", o->letter);
  if (o->kind != CLI_FLAG && value) put_word(out, value);
}

void shell_now(char text[32]) {
  const time_t now = time(NULL);
  struct tm utc;
  strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}

char *shell_command_text(const cli_call *call) {
  memory_text text;
  FILE *out = memory_text_open(&text);
  if (!out) return NULL;
  fprintf(out, "edgewise %s", call->command->name);
  for (int i = 0; i < call->n_arguments; i++) put_word(out, call->argument[i]);
  for (int i = 0; i < call->n_given; i++) put_option(out, call->given[i].option, call->given[i].value);
  return memory_text_close(&text);
}
