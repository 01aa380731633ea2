#include "options.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options_text.h"

enum { MOST_NAMES = 64 };

static const cli_command HELP = {
    .name = "help",
    .arguments = "[COMMAND]",
    .summary = "explain a command, or print the manual page",
    .most = 1,
    .options = (const cli_option[]){{"man", 0, CLI_FLAG, NULL, "the manual page (troff)", NULL}},
    .n_options = 1};
static const cli_command COMPLETION = {.name = "completion", .summary = "print a completion script for bash"};

const cli_command *const cli_builtin[CLI_N_BUILTIN] = {&HELP, &COMPLETION};

bool cli_colour(FILE *stream) {
  const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
  if (no_colour && *no_colour) return false;
  return isatty(fileno(stream)) && !(terminal && strcmp(terminal, "dumb") == 0);
}

int cli_fail(const cli_call *call, int status, const char *fmt, ...) {
  bool colour = cli_colour(call->err);
  fprintf(call->err, "%s: %serror:%s ", call->program->name, colour ? "\033[1;31m" : "",
          colour ? "\033[0m" : "");
  va_list ap;
  va_start(ap, fmt);
  vfprintf(call->err, fmt, ap);
  va_end(ap);
  fputc('\n', call->err);
  return status;
}

/* ---- values
 * ----------------------------------------------------------------------------------------------------------
 */

static bool option_is(const cli_option *o, const char *name) {
  if (o->name && strcmp(o->name, name) == 0) return true;
  return o->letter && name[0] == o->letter && name[1] == '\0';
}

static void assert_known(const cli_call *call, const char *name) {
  for (size_t i = 0; i < call->command->n_options; i++)
    if (option_is(&call->command->options[i], name)) return;
  assert(!"option missing in the command's table");
}

const char *cli_text(const cli_call *call, const char *name) {
  assert_known(call, name);
  for (int i = call->n_given; i-- > 0;)
    if (option_is(call->given[i].option, name)) return call->given[i].value;
  return NULL;
}

bool cli_flag(const cli_call *call, const char *name) { return cli_text(call, name) != NULL; }

long cli_integer(const cli_call *call, const char *name, long absent) {
  const char *text = cli_text(call, name);
  return text ? strtol(text, NULL, 10) : absent;
}

int cli_list(const cli_call *call, const char *name, const char **values) {
  assert_known(call, name);
  int n = 0;
  for (int i = 0; i < call->n_given; i++) {
    if (!option_is(call->given[i].option, name)) continue;
    if (values) values[n] = call->given[i].value;
    n++;
  }
  return n;
}

/* ---- parsing
 * ---------------------------------------------------------------------------------------------------------
 */

static int see_help(const cli_call *call) {
  fprintf(call->err, "Try: %s help%s%s\n", call->program->name, call->command ? " " : "",
          call->command ? call->command->name : "");
  return CLI_USAGE;
}

static int unknown_option(const cli_call *call, const char *given) {
  const char *names[MOST_NAMES];
  int n = 0;
  for (size_t i = 0; i < call->command->n_options && n < MOST_NAMES - 1; i++)
    if (call->command->options[i].name) names[n++] = call->command->options[i].name;
  names[n++] = "help";
  char bare[64];
  snprintf(bare, sizeof bare, "%.*s", (int)strcspn(given, "="), given);
  const char *near = cli_nearest(bare + strspn(bare, "-"), names, n);
  if (near)
    cli_fail(call, CLI_USAGE, "%s has no option %s; did you mean --%s?", call->command->name, bare, near);
  else cli_fail(call, CLI_USAGE, "%s has no option %s", call->command->name, bare);
  return see_help(call);
}

/* Of NAME=VALUE, two values of one name are a slip: neither is taken in silence. */
static int check_name(const cli_call *call, const cli_option *o, const char *value) {
  const size_t n = strcspn(value, "=");
  if (o->kind != CLI_LIST || strncmp(o->value, "NAME=", 5) != 0 || value[n] != '=') return CLI_OK;
  for (int i = 0; i < call->n_given; i++) {
    const char *other = call->given[i].value;
    if (call->given[i].option != o || strncmp(other, value, n + 1) != 0 || strcmp(other, value) == 0)
      continue;
    const char letter[2] = {o->letter, 0};
    return cli_fail(call, CLI_USAGE, "%s%s: %.*s is given twice, %s and %s", o->name ? "--" : "-",
                    o->name ? o->name : letter, (int)n, value, other + n + 1, value + n + 1);
  }
  return CLI_OK;
}

static int add_value(cli_call *call, const cli_option *o, const char *value) {
  if (o->kind == CLI_INTEGER) {
    char *end;
    errno = 0;
    long n = strtol(value, &end, 10);
    if (errno || end == value || *end || n < 0)
      return cli_fail(call, CLI_USAGE, "--%s needs a whole number, found '%s'", o->name, value);
  }
  const int status = check_name(call, o, value);
  if (status == CLI_OK) call->given[call->n_given++] = (struct cli_given){o, value};
  return status;
}

/* One option at argv[*i]; a separate value takes a second word. */
static int parse_option(cli_call *call, char **argv, int argc, int *i) {
  const char *word = argv[*i], *attached = NULL;
  const cli_option *found = NULL;
  for (size_t k = 0; k < call->command->n_options && !found; k++) {
    const cli_option *o = &call->command->options[k];
    if (word[1] != '-') {
      if (o->letter && o->letter == word[1]) found = o, attached = word[2] ? word + 2 : NULL;
    } else if (o->name) {
      size_t n = strcspn(word + 2, "=");
      if (strlen(o->name) == n && strncmp(o->name, word + 2, n) == 0)
        found = o, attached = word[2 + n] ? word + 3 + n : NULL;
    }
  }
  if (!found) return unknown_option(call, word);
  if (found->kind == CLI_FLAG) {
    if (attached) return cli_fail(call, CLI_USAGE, "%s takes no value", word);
    return add_value(call, found, "");
  }
  if (!attached && *i + 1 >= argc)
    return cli_fail(call, CLI_USAGE, "%s needs a value: %s", word, found->value);
  return add_value(call, found, attached ? attached : argv[++*i]);
}

static int check_count(const cli_call *call) {
  const cli_command *c = call->command;
  if (call->n_arguments < c->least) {
    cli_fail(call, CLI_USAGE, "%s needs %s", c->name, c->arguments);
    return see_help(call);
  }
  if (c->most < 0 || call->n_arguments <= c->most) return CLI_OK;
  cli_fail(call, CLI_USAGE, "%s: '%s' is one argument too many", c->name, call->argument[c->most]);
  return see_help(call);
}

/* argv holds what follows the command's name. Sets *help and stops at --help. */
static int parse(cli_call *call, int argc, char **argv, bool *help) {
  bool only_arguments = false;
  for (int i = 0; i < argc; i++) {
    const char *word = argv[i];
    if (only_arguments || word[0] != '-' || word[1] == '\0') {
      call->argument[call->n_arguments++] = word;
    } else if (strcmp(word, "--") == 0) {
      only_arguments = true;
    } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
      *help = true;
      return CLI_OK;
    } else {
      int status = parse_option(call, argv, argc, &i);
      if (status) return status;
    }
  }
  return check_count(call);
}

/* ---- dispatch ------------------------------------------------------------------------------------------ */

static const cli_command *find_command(const cli_program *p, const char *name) {
  for (size_t i = 0; i < p->n_commands; i++)
    if (strcmp(p->commands[i]->name, name) == 0) return p->commands[i];
  for (int i = 0; i < CLI_N_BUILTIN; i++)
    if (strcmp(cli_builtin[i]->name, name) == 0) return cli_builtin[i];
  return NULL;
}

static int unknown_command(const cli_call *call, const char *name) {
  const char *names[MOST_NAMES];
  int n = 0;
  for (size_t i = 0; i < call->program->n_commands && n < MOST_NAMES - CLI_N_BUILTIN; i++)
    names[n++] = call->program->commands[i]->name;
  for (int i = 0; i < CLI_N_BUILTIN; i++) names[n++] = cli_builtin[i]->name;
  const char *near = cli_nearest(name, names, n);
  if (near) cli_fail(call, CLI_USAGE, "there is no command '%s'; did you mean '%s'?", name, near);
  else cli_fail(call, CLI_USAGE, "there is no command '%s'", name);
  return see_help(call);
}

static int run_help(const cli_call *call) {
  if (cli_flag(call, "man")) {
    cli_print_man(call->program, call->out);
  } else if (call->n_arguments == 0) {
    cli_print_overview(call->program, call->out);
  } else {
    const cli_command *c = find_command(call->program, call->argument[0]);
    cli_call bare = {.program = call->program, .err = call->err};
    if (!c) return unknown_command(&bare, call->argument[0]);
    cli_print_help(call->program, c, call->out);
  }
  return CLI_OK;
}

static int run_command(cli_call *call, int argc, char **argv) {
  bool help = false;
  int status = parse(call, argc, argv, &help);
  if (status) return status;
  if (help) {
    cli_print_help(call->program, call->command, call->out);
    return CLI_OK;
  }
  if (call->command == &HELP) return run_help(call);
  if (call->command == &COMPLETION) {
    cli_print_completion(call->program, call->out);
    return CLI_OK;
  }
  return call->command->run(call);
}

void cli_hold_streams(void) {
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
      _exit(CLI_FILE);
  signal(SIGXFSZ, SIG_IGN);
}

/* A full disk behind a pipe or file shows at the latest here. */
static int check_output(const cli_call *call, int status) {
  bool bad = fflush(call->out) != 0;
  int why = errno;
  if ((!bad && !ferror(call->out)) || status != CLI_OK) return status;
  return cli_fail(call, CLI_FILE, "cannot write to the standard output%s%s", bad ? ": " : "",
                  bad ? strerror(why) : "");
}

int cli_main(const cli_program *program, int argc, char **argv, FILE *out, FILE *err) {
  cli_call call = {.program = program, .out = out, .err = err};
  if (argc < 2) {
    cli_print_overview(program, err);
    return CLI_USAGE;
  }
  const char *name = argv[1];
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
  if (strcmp(name, "--version") == 0) name = "version";
  call.command = find_command(program, name);
  if (!call.command) return unknown_command(&call, name);

  size_t n = (size_t)argc;
  call.argument = calloc(n, sizeof *call.argument);
  call.given = calloc(n, sizeof *call.given);
  int status = call.argument && call.given ? run_command(&call, argc - 2, argv + 2)
                                           : cli_fail(&call, CLI_FAIL, "out of memory");
  free(call.argument);
  free(call.given);
  return check_output(&call, status);
}
