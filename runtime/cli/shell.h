/* The commands of the shell `edgewise`. */
#ifndef EW_CLI_SHELL_H
#define EW_CLI_SHELL_H

#include <signal.h>

#include "base/error.h"
#include "case/case.h"
#include "lua/case_file.h"
#include "options.h"

extern const cli_command COMMAND_RUN, COMMAND_CHECK, COMMAND_RESUME, COMMAND_DEVICES, COMMAND_DOCTOR,
    COMMAND_MESH, COMMAND_TUNE, COMMAND_BENCH, COMMAND_SOLVE, COMMAND_PLOT, COMMAND_NEW, COMMAND_ANNOTATIONS,
    COMMAND_VERIFY, COMMAND_VERSION, COMMAND_PROBE, COMMAND_PROFILE, COMMAND_REPORT, COMMAND_COMPARE,
    COMMAND_SWEEP;

/* The signal by which Ctrl-C or SIGTERM asked to stop, else 0; looked at between steps. */
extern volatile sig_atomic_t shell_stop;

/* Not 0 while a script of Lua runs: see case_file_options. */
extern volatile sig_atomic_t shell_in_lua;

/* For commands that save what they have: the first signal sets shell_stop, the second ends the program as usual, and so does a function of
 * Lua's own library that has not come to its end five seconds later. Other commands end at once, with the status that shells give to a
 * signal. */
void shell_watch_signals(void);

/* For commands whose work is worth more than what they print: who reads that may go away, as `head` does. What is lost shows in the exit code. */
void shell_outlive_readers(void);

/* --walltime: after so many seconds the program is asked to stop as by a signal. NULL: never. */
ew_status shell_stop_after(const char *text, ew_error *err);

/* EW_STOPPED once a stop was asked for. */
ew_status shell_go_on(ew_error *err);

/* Prints the error and returns its status as the exit code. */
int shell_fail(const cli_call *call, const ew_error *err);

/* The same of a command that watches signals: a stop that left nothing to resume, `saved` false, ends with the status that shells give to the
 * signal. */
int shell_end(const cli_call *call, const ew_error *err, bool saved);

/* Prints all that is wrong with a case, or that nothing is; returns the exit code. `json`: an array of {file, line, message}
 * on stdout, and nothing else. `steps`: if nothing is wrong, the interpreter makes so many. */
int shell_check(const cli_call *call, case_file *file, bool json, long steps);

/* The same where there is no case to look at, as its script failed: `json`: an array of this one problem. Returns the error's exit code. */
int shell_check_failed(const cli_call *call, bool json, const ew_error *err);

/* EW_USAGE where an option was given that `subject` ("bench cavity") does not take. `options`: those that it does, each behind a space and
 * its dashes. */
ew_status shell_takes(const cli_call *call, const char *subject, const char *options, ew_error *err);

/* A whole number from 1 to `most`; *out stays where the option is not given. EW_USAGE for others. */
ew_status shell_count(const cli_call *call, const char *name, long most, long *out, ew_error *err);

/* The numbers of --steps and --look, which shell_override takes; where not given, `steps` and `look` stay. */
ew_status shell_steps(const cli_call *call, long *steps, long *look, ew_error *err);

/* case_file_options.run of commands that need one case: EW_INPUT, with what a "sweep", which `context` names, needs. */
ew_status shell_refuse_run(void *context, ew_case *c, const exec_hooks *hooks, exec_summary *summary,
                           ew_error *err);

/* The command line's word over the case's: device, profile, output, schedule, steps, look, recipes; what the command has of these. */
ew_status shell_override(const cli_call *call, ew_case *c, ew_error *err);

/* The command line that was given, as a shell takes it. NULL without memory; free it with free(). */
char *shell_command_text(const cli_call *call);

/* CLI_OK where the file of --output has the ending `suffix`, "png", or none; else the exit code, printed: who opens it would take it for another
 * kind. `what`: "the plot is a PNG file". */
int shell_check_ending(const cli_call *call, const char *suffix, const char *what);

/* Now, as run.json says it: "2026-11-29T10:39:06Z". */
void shell_now(char text[32]);

/* `text` as a JSON string with its quotes. */
void shell_print_json(FILE *out, const char *text);

#endif
