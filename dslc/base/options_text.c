#include "base/options_text.h"

#include <string.h>

#include "base/intern.h"

const char *cli_nearest(const char *wrong, const char *const *candidates, int n) {
  return nearest_name(wrong, candidates, n);
}

/* "-o, --output FOLDER" */
static void option_head(const cli_option *o, char *to, size_t room) {
  const char *space = o->value ? " " : "", *value = o->value ? o->value : "";
  if (o->letter && o->name) snprintf(to, room, "-%c, --%s%s%s", o->letter, o->name, space, value);
  else if (o->name) snprintf(to, room, "    --%s%s%s", o->name, space, value);
  else snprintf(to, room, "-%c%s%s", o->letter, space, value);
}

static int longest_name(const cli_program *p) {
  int width = (int)strlen("completion");
  for (size_t i = 0; i < p->n_commands; i++) {
    int n = (int)strlen(p->commands[i]->name);
    if (n > width) width = n;
  }
  return width;
}

void cli_print_overview(const cli_program *p, FILE *out) {
  fprintf(out, "%s: %s\n\nUsage: %s COMMAND [options] ...\n\n", p->name, p->summary, p->name);
  int width = longest_name(p);
  for (size_t i = 0; i < p->n_commands; i++)
    fprintf(out, "  %-*s  %s\n", width, p->commands[i]->name, p->commands[i]->summary);
  for (int i = 0; i < CLI_N_BUILTIN; i++)
    fprintf(out, "  %-*s  %s\n", width, cli_builtin[i]->name, cli_builtin[i]->summary);
  fprintf(out, "\n`%s help COMMAND` tells about a command's options.\n", p->name);
}

void cli_print_help(const cli_program *p, const cli_command *c, FILE *out) {
  fprintf(out, "%s %s: %s\n\nUsage: %s %s%s%s%s\n", p->name, c->name, c->summary, p->name, c->name,
          c->n_options ? " [options]" : "", c->arguments ? " " : "", c->arguments ? c->arguments : "");
  if (c->details) fprintf(out, "\n%s\n", c->details);
  if (c->n_options) fputc('\n', out);
  for (size_t i = 0; i < c->n_options; i++) {
    char head[96];
    option_head(&c->options[i], head, sizeof head);
    fprintf(out, "  %-26s %s%s\n", head, c->options[i].help,
            c->options[i].kind == CLI_LIST ? " (repeatable)" : "");
  }
}

/* ---- manual page --------------------------------------------------------------------------------------- */

/* Troff takes a backslash as an escape, a dash as a hyphen, and a dot or quote at the start of a line as a
 * request. */
static void man_text(const char *text, FILE *out) {
  bool line_start = true;
  for (const char *c = text; *c; c++) {
    if (line_start && (*c == '.' || *c == '\'')) fputs("\\&", out);
    if (*c == '\\') fputs("\\e", out);
    else if (*c == '-') fputs("\\-", out);
    else fputc(*c, out);
    line_start = *c == '\n';
  }
}

static void man_option(const cli_option *o, FILE *out) {
  char head[96];
  option_head(o, head, sizeof head);
  fputs(".TP\n.B ", out);
  man_text(head + strspn(head, " "), out);
  fputc('\n', out);
  man_text(o->help, out);
  fputs(o->kind == CLI_LIST ? " (repeatable)\n" : "\n", out);
}

/* What has lines of its own, a list of words say, keeps them; prose is filled. */
static void man_details(const char *text, FILE *out) {
  const bool lines = strchr(text, '\n') != NULL;
  fputs(lines ? ".PP\n.nf\n" : ".PP\n", out);
  man_text(text, out);
  fputs(lines ? "\n.fi\n" : "\n", out);
}

static void man_command(const cli_program *p, const cli_command *c, FILE *out) {
  fputs(".SS ", out);
  fprintf(out, "%s %s", p->name, c->name);
  if (c->arguments) {
    fputc(' ', out);
    man_text(c->arguments, out);
  }
  fputc('\n', out);
  man_text(c->summary, out);
  fputs(".\n", out);
  if (c->details) man_details(c->details, out);
  for (size_t i = 0; i < c->n_options; i++) man_option(&c->options[i], out);
}

void cli_print_man(const cli_program *p, FILE *out) {
  fprintf(out, ".TH %s 1 \"\" \"Edgewise %s\" \"User commands\"\n.SH NAME\n%s \\- ", p->name, p->version,
          p->name);
  man_text(p->summary, out);
  fprintf(out, "\n.SH SYNOPSIS\n.B %s\nCOMMAND [options] ...\n.SH COMMANDS\n", p->name);
  for (size_t i = 0; i < p->n_commands; i++) man_command(p, p->commands[i], out);
  for (int i = 0; i < CLI_N_BUILTIN; i++) man_command(p, cli_builtin[i], out);
  if (!p->epilogue) return;
  fputs(".SH NOTES\n.nf\n", out);
  man_text(p->epilogue, out);
  fputs(".fi\n", out);
}

/* ---- completion
 * ----------------------------------------------------------------------------------------------------------
 */

/* The shell line that fills COMPREPLY for one kind of word. */
static void completion_rule(const char *complete, FILE *out) {
  if (!complete || strcmp(complete, "file") == 0) fputs("COMPREPLY=($(compgen -f -- \"$word\"))", out);
  else if (strcmp(complete, "folder") == 0) fputs("COMPREPLY=($(compgen -d -- \"$word\"))", out);
  else fprintf(out, "COMPREPLY=($(compgen -W '%s' -- \"$word\"))", complete);
}

static void completion_command(const cli_command *c, FILE *out) {
  fprintf(out, "    %s)\n", c->name);
  for (size_t i = 0; i < c->n_options; i++) {
    const cli_option *o = &c->options[i];
    if (o->kind == CLI_FLAG || !o->name) continue;
    fprintf(out, "      if [ \"$before\" = --%s ]; then ", o->name);
    completion_rule(o->complete, out);
    fputs("; return; fi\n", out);
  }
  fputs("      if [ \"${word#-}\" != \"$word\" ]; then COMPREPLY=($(compgen -W '--help", out);
  for (size_t i = 0; i < c->n_options; i++)
    if (c->options[i].name) fprintf(out, " --%s", c->options[i].name);
  fputs("' -- \"$word\")); else ", out);
  completion_rule(c->complete, out);
  fputs("; fi ;;\n", out);
}

void cli_print_completion(const cli_program *p, FILE *out) {
  fprintf(out,
          "# bash completion of %s; use: source <(%s completion)\n"
          "_%s() {\n"
          "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
          "    COMPREPLY=($(compgen -W '",
          p->name, p->name, p->name);
  for (size_t i = 0; i < p->n_commands; i++) fprintf(out, "%s ", p->commands[i]->name);
  fputs("help completion' -- \"$word\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n", out);
  for (size_t i = 0; i < p->n_commands; i++) completion_command(p->commands[i], out);
  fprintf(out, "  esac\n}\ncomplete -o filenames -F _%s %s\n", p->name, p->name);
}
