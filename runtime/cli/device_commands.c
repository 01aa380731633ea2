/* devices, doctor and version: what is there. */
#include <string.h>

#include "cli/shell.h"
#include "device/device.h"
#include "dslc.h"

static void print_device(const cli_call *call, const dev_info *d, bool chosen) {
  fprintf(call->out, "%c %2d  %-11s %-8s %5u  %8.1f  %s, %s\n", chosen ? '*' : ' ', d->index,
          dev_type_name(d->type), d->fp64 ? "fp64" : "no fp64", d->compute_units,
          (double)d->memory_bytes / 1073741824.0, d->name, d->platform);
}

static void print_device_json(const cli_call *call, const dev_info *d, bool chosen, bool last) {
  fprintf(call->out,
          "  {\"index\": %d, \"default\": %s, \"type\": \"%s\", \"fp64\": %s, \"compute_units\": %u, ",
          d->index, chosen ? "true" : "false", dev_type_name(d->type), d->fp64 ? "true" : "false",
          d->compute_units);
  fprintf(call->out, "\"memory_bytes\": %llu, \"name\": ", (unsigned long long)d->memory_bytes);
  shell_print_json(call->out, d->name);
  fputs(", \"platform\": ", call->out);
  shell_print_json(call->out, d->platform);
  fputs(", \"driver\": ", call->out);
  shell_print_json(call->out, d->driver);
  fprintf(call->out, "}%s\n", last ? "" : ",");
}

static int devices(cli_call *call) {
  ew_error err = {0};
  dev_list *list = NULL;
  if (dev_list_create(&list, &err) != EW_OK) return shell_fail(call, &err);
  size_t chosen;
  bool any = dev_list_choose(list, NULL, &chosen, &err) == EW_OK;
  bool json = cli_flag(call, "json");
  fputs(json ? "[\n" : "     #  type        double    units  GiB       name\n", call->out);
  for (size_t i = 0; i < list->count; i++) {
    bool is_default = any && i == chosen;
    if (json) print_device_json(call, &list->items[i], is_default, i + 1 == list->count);
    else print_device(call, &list->items[i], is_default);
  }
  if (json) fputs("]\n", call->out);
  if (!any) fprintf(call->err, "%s\n", err.text);
  else if (*list->refused)
    fprintf(call->err,
            "warning: a driver refused to tell of its own devices, which may be missing here: %s\n"
            "hint: `edgewise doctor` asks the drivers one by one\n",
            list->refused);
  dev_list_destroy(&list);
  return EW_OK;
}

static int doctor(cli_call *call) {
  static const char *const WORD[] = {
      [DEV_CHECK_OK] = "ok", [DEV_CHECK_WARN] = "warning", [DEV_CHECK_FAIL] = "FAILED"};
  static const char *const COLOUR[] = {
      [DEV_CHECK_OK] = "\033[32m", [DEV_CHECK_WARN] = "\033[33m", [DEV_CHECK_FAIL] = "\033[31m"};
  ew_error err = {0};
  dev_checks *checks = NULL;
  if (dev_doctor(&checks, &err) != EW_OK) return shell_fail(call, &err);
  bool colour = cli_colour(call->out);
  int status = EW_OK;
  for (size_t i = 0; i < checks->count; i++) {
    const dev_check *c = &checks->items[i];
    fprintf(call->out, "%s%-7s%s  %s: %s\n", colour ? COLOUR[c->level] : "", WORD[c->level],
            colour ? "\033[0m" : "", c->what, c->text);
    if (*c->hint) fprintf(call->out, "         %s\n", c->hint);
    if (c->level == DEV_CHECK_FAIL) status = EW_DEVICE;
  }
  dev_checks_destroy(&checks);
  return status;
}

static int version(cli_call *call) {
  fprintf(call->out, "edgewise %s, compiler %s\n", EW_VERSION, dslc_version());
  return EW_OK;
}

static const cli_option JSON[] = {{"json", 0, CLI_FLAG, NULL, "as JSON", NULL}};

const cli_command COMMAND_DEVICES = {.name = "devices",
                                     .summary = "list devices; * marks the one taken by default",
                                     .options = JSON,
                                     .n_options = 1,
                                     .run = devices};
const cli_command COMMAND_DOCTOR = {
    .name = "doctor",
    .summary = "look for what keeps cases from running: drivers, devices, compiler, cache",
    .run = doctor};
const cli_command COMMAND_VERSION = {.name = "version", .summary = "print the version", .run = version};
