#include "back/manifest.h"

static const char *const places[] = {"nowhere", "cells",  "faces",  "nodes",      "edges",  "xfaces",
                                     "yfaces",  "zfaces", "xedges", "yedges",     "zedges", "corners",
                                     "xline",   "yline",  "zline",  "near walls", NULL};
static const char *const subsets[] = {"owned",    "interior", "rule",     "colour", "hold",
                                      "boundary", "rim",      "wide rim", NULL};
static const char *const elements[] = {"f64", "f32", "i32", "u8", NULL};
static const char *const buffers[] = {"state",    "given",   "work",  "geometry", "topology", "argument",
                                      "partials", "scalars", "flags", "alias",    NULL};
static const char *const fields[] = {"state", "given", "quantity", NULL};
static const char *const args[] = {"buffer", "items",  "first", "stride", "parameter", "stage", "weight",
                                   "groups", "points", "pitch", "origin", "halo",      "rows",  NULL};
static const char *const ops[] = {"launch", "swap", "copy", "ghosts", "repeat", "solve", NULL};

#define SIMPLE(kind, type, member, key)                                                                      \
  { key, kind, offsetof(type, member), 0, NULL, NULL, NULL, 0 }
#define WORD(type, member, key, words)                                                                       \
  { key, MANIFEST_WORD, offsetof(type, member), 0, NULL, words, NULL, 0 }
#define LIST(type, count, member, key, of)                                                                   \
  { key, MANIFEST_LIST, offsetof(type, member), offsetof(type, count), &of, NULL, NULL, 0 }
#define COUNTED(kind, type, count, member, key)                                                              \
  { key, kind, offsetof(type, member), offsetof(type, count), NULL, NULL, NULL, 0 }
#define WORDS_BY(type, member, key, text, only)                                                              \
  { key, MANIFEST_WORD, offsetof(type, member), 0, NULL, NULL, text, only }
#define ONLY(only, type, member, key)                                                                        \
  { key, MANIFEST_INT, offsetof(type, member), 0, NULL, NULL, NULL, only }
#define RECORD(type, member, key, of)                                                                        \
  { key, MANIFEST_RECORD, offsetof(type, member), 0, &of, NULL, NULL, 0 }
#define END                                                                                                  \
  { NULL, MANIFEST_INT, 0, 0, NULL, NULL, NULL, 0 }

static const manifest_entry variant_entries[] = {
    SIMPLE(MANIFEST_NEEDED, dslc_variant, name, "name"),
    COUNTED(MANIFEST_TEXTS, dslc_variant, n_choices, choice, "choices"),
    SIMPLE(MANIFEST_INT, dslc_variant, chosen, "chosen"), END};
static const manifest_type variant = {sizeof(dslc_variant), variant_entries};

static const manifest_entry parameter_entries[] = {
    SIMPLE(MANIFEST_NEEDED, dslc_parameter, name, "name"),
    SIMPLE(MANIFEST_INT, dslc_parameter, components, "components"),
    SIMPLE(MANIFEST_TEXT, dslc_parameter, unit, "unit"),
    SIMPLE(MANIFEST_TEXT, dslc_parameter, comment, "comment"),
    SIMPLE(MANIFEST_TEXT, dslc_parameter, formula, "formula"),
    SIMPLE(MANIFEST_OPTION, dslc_parameter, bounds, "bounds"),
    END};
static const manifest_type parameter = {sizeof(dslc_parameter), parameter_entries};

static const manifest_entry field_entries[] = {SIMPLE(MANIFEST_NEEDED, dslc_field, name, "name"),
                                               WORD(dslc_field, kind, "kind", fields),
                                               WORD(dslc_field, place, "place", places),
                                               SIMPLE(MANIFEST_INT, dslc_field, components, "components"),
                                               SIMPLE(MANIFEST_TEXT, dslc_field, unit, "unit"),
                                               SIMPLE(MANIFEST_TEXT, dslc_field, comment, "comment"),
                                               SIMPLE(MANIFEST_OPTION, dslc_field, bounds, "bounds"),
                                               SIMPLE(MANIFEST_BOOL, dslc_field, over_time, "over time"),
                                               SIMPLE(MANIFEST_SELDOM, dslc_field, flux, "flux"),
                                               SIMPLE(MANIFEST_INT, dslc_field, buffer, "buffer"),
                                               SIMPLE(MANIFEST_INT, dslc_field, first, "first"),
                                               SIMPLE(MANIFEST_INT, dslc_field, show, "show"),
                                               END};
static const manifest_type field = {sizeof(dslc_field), field_entries};

static const manifest_entry global_entries[] = {SIMPLE(MANIFEST_NEEDED, dslc_global, name, "name"),
                                                SIMPLE(MANIFEST_TEXT, dslc_global, unit, "unit"),
                                                SIMPLE(MANIFEST_INT, dslc_global, scalar, "scalar"),
                                                SIMPLE(MANIFEST_INT, dslc_global, show, "show"), END};
static const manifest_type global = {sizeof(dslc_global), global_entries};

static const manifest_entry argument_entries[] = {
    SIMPLE(MANIFEST_NEEDED, dslc_argument, name, "name"),
    SIMPLE(MANIFEST_INT, dslc_argument, components, "components"),
    SIMPLE(MANIFEST_TEXT, dslc_argument, unit, "unit"),
    SIMPLE(MANIFEST_TEXT, dslc_argument, formula, "formula"),
    SIMPLE(MANIFEST_OPTION, dslc_argument, bounds, "bounds"),
    SIMPLE(MANIFEST_BOOL, dslc_argument, over_time, "over time"),
    SIMPLE(MANIFEST_INT, dslc_argument, buffer, "buffer"),
    END};
static const manifest_type argument = {sizeof(dslc_argument), argument_entries};

static const manifest_entry rule_entries[] = {SIMPLE(MANIFEST_NEEDED, dslc_rule, name, "name"),
                                              SIMPLE(MANIFEST_TEXT, dslc_rule, comment, "comment"),
                                              SIMPLE(MANIFEST_CHAR, dslc_rule, axis, "axis"),
                                              SIMPLE(MANIFEST_TEXT, dslc_rule, apart, "apart"),
                                              SIMPLE(MANIFEST_SELDOM, dslc_rule, sums_itself, "sums itself"),
                                              LIST(dslc_rule, n_arguments, argument, "arguments", argument),
                                              END};
static const manifest_type rule = {sizeof(dslc_rule), rule_entries};

static const char *source_word(int i) { return dslc_source_text((dslc_source_kind)i); }
static const char *form_word(int i) { return dslc_form_text((dslc_form)i); }

static const manifest_entry source_entries[] = {
    WORDS_BY(dslc_source, kind, "kind", source_word, 0),
    WORDS_BY(dslc_source, form, "form", form_word, DSLC_HAS_FORM),
    ONLY(DSLC_HAS_FIELD, dslc_source, field, "field"),
    ONLY(DSLC_HAS_RULE, dslc_source, rule, "rule"),
    ONLY(DSLC_HAS_LANES, dslc_source, lanes, "lanes"),
    {"weight", MANIFEST_NEEDED, offsetof(dslc_source, weight), 0, NULL, NULL, NULL, DSLC_HAS_WEIGHT},
    END};
static const manifest_type source = {sizeof(dslc_source), source_entries};

static const manifest_entry buffer_entries[] = {SIMPLE(MANIFEST_NEEDED, dslc_buffer, name, "name"),
                                                WORD(dslc_buffer, kind, "kind", buffers),
                                                WORD(dslc_buffer, element, "element", elements),
                                                WORD(dslc_buffer, place, "place", places),
                                                SIMPLE(MANIFEST_INT, dslc_buffer, width, "width"),
                                                SIMPLE(MANIFEST_BOOL, dslc_buffer, aos, "aos"),
                                                RECORD(dslc_buffer, source, "source", source),
                                                SIMPLE(MANIFEST_INT, dslc_buffer, rule, "rule"),
                                                SIMPLE(MANIFEST_INT, dslc_buffer, argument, "argument"),
                                                SIMPLE(MANIFEST_INT, dslc_buffer, hold, "hold"),
                                                SIMPLE(MANIFEST_BOOL, dslc_buffer, has_ghosts, "ghosts"),
                                                SIMPLE(MANIFEST_RARE, dslc_buffer, ahead, "ahead"),
                                                END};
static const manifest_type buffer = {sizeof(dslc_buffer), buffer_entries};

static const manifest_entry arg_entries[] = {WORD(dslc_arg, kind, "kind", args),
                                             SIMPLE(MANIFEST_INT, dslc_arg, number, "number"),
                                             SIMPLE(MANIFEST_INT, dslc_arg, component, "component"),
                                             SIMPLE(MANIFEST_TEXT, dslc_arg, name, "name"),
                                             SIMPLE(MANIFEST_NUMBER, dslc_arg, reads, "reads"),
                                             SIMPLE(MANIFEST_NUMBER, dslc_arg, writes, "writes"),
                                             END};
static const manifest_type arg = {sizeof(dslc_arg), arg_entries};

static const manifest_entry kernel_entries[] = {
    SIMPLE(MANIFEST_NEEDED, dslc_kernel, name, "name"),
    WORD(dslc_kernel, place, "place", places),
    LIST(dslc_kernel, n_args, arg, "args", arg),
    SIMPLE(MANIFEST_INT, dslc_kernel, local_size, "local size"),
    SIMPLE(MANIFEST_BOOL, dslc_kernel, loop, "loop"),
    SIMPLE(MANIFEST_BOOL, dslc_kernel, one_group, "one group"),
    SIMPLE(MANIFEST_INT, dslc_kernel, lanes, "lanes"),
    SIMPLE(MANIFEST_INT, dslc_kernel, parts, "parts"),
    SIMPLE(MANIFEST_INT, dslc_kernel, grid, "grid"),
    SIMPLE(MANIFEST_INT, dslc_kernel, tile[0], "tile x"),
    SIMPLE(MANIFEST_INT, dslc_kernel, tile[1], "tile y"),
    SIMPLE(MANIFEST_INT, dslc_kernel, overlap, "overlap"),
    SIMPLE(MANIFEST_BOOL, dslc_kernel, fit_rows, "fit rows"),
    SIMPLE(MANIFEST_INT, dslc_kernel, rows, "rows"),
    SIMPLE(MANIFEST_SELDOM, dslc_kernel, patches, "patches"),
    SIMPLE(MANIFEST_SELDOM, dslc_kernel, calls, "calls"),
    SIMPLE(MANIFEST_SELDOM, dslc_kernel, branches, "branches"),
    SIMPLE(MANIFEST_NUMBER, dslc_kernel, cost.flops, "flops"),
    SIMPLE(MANIFEST_NUMBER, dslc_kernel, cost.flops_written, "flops written"),
    SIMPLE(MANIFEST_NUMBER, dslc_kernel, cost.loads, "loads"),
    SIMPLE(MANIFEST_NUMBER, dslc_kernel, cost.stores, "stores"),
    SIMPLE(MANIFEST_INT, dslc_kernel, line, "line"),
    SIMPLE(MANIFEST_TEXT, dslc_kernel, what, "what"),
    END};
static const manifest_type kernel = {sizeof(dslc_kernel), kernel_entries};

static const manifest_entry op_entries[] = {WORD(dslc_op, kind, "kind", ops),
                                            SIMPLE(MANIFEST_INT, dslc_op, kernel, "kernel"),
                                            WORD(dslc_op, subset, "subset", subsets),
                                            SIMPLE(MANIFEST_INT, dslc_op, rule, "rule"),
                                            COUNTED(MANIFEST_INTS, dslc_op, n_buffers, buffer, "buffers"),
                                            SIMPLE(MANIFEST_INT, dslc_op, groups_of, "groups of"),
                                            SIMPLE(MANIFEST_NUMBER, dslc_op, stage, "stage"),
                                            SIMPLE(MANIFEST_EIGHT, dslc_op, weight, "weights"),
                                            SIMPLE(MANIFEST_INT, dslc_op, a, "a"),
                                            SIMPLE(MANIFEST_INT, dslc_op, b, "b"),
                                            SIMPLE(MANIFEST_INT, dslc_op, count, "count"),
                                            SIMPLE(MANIFEST_INT, dslc_op, limit, "limit"),
                                            END};
static const manifest_type op = {sizeof(dslc_op), op_entries};

static const manifest_entry section_entries[] = {SIMPLE(MANIFEST_NEEDED, dslc_section, name, "name"),
                                                 LIST(dslc_section, n_ops, op, "ops", op), END};
static const manifest_type section = {sizeof(dslc_section), section_entries};

static const manifest_entry check_entries[] = {SIMPLE(MANIFEST_NEEDED, dslc_check, text, "text"),
                                               WORD(dslc_check, place, "place", places),
                                               SIMPLE(MANIFEST_INT, dslc_check, field, "field"),
                                               SIMPLE(MANIFEST_INT, dslc_check, line, "line"),
                                               SIMPLE(MANIFEST_INT, dslc_check, column, "column"),
                                               SIMPLE(MANIFEST_TEXT, dslc_check, file, "file"),
                                               END};
static const manifest_type check = {sizeof(dslc_check), check_entries};

static const manifest_entry hold_entries[] = {SIMPLE(MANIFEST_INT, dslc_hold, rule, "rule"),
                                              SIMPLE(MANIFEST_NEEDED, dslc_hold, target, "target"),
                                              SIMPLE(MANIFEST_INT, dslc_hold, field, "field"),
                                              SIMPLE(MANIFEST_BOOL, dslc_hold, add, "add"),
                                              SIMPLE(MANIFEST_BOOL, dslc_hold, projection, "projection"),
                                              END};
static const manifest_type hold = {sizeof(dslc_hold), hold_entries};

static const manifest_entry solve_entries[] = {
    SIMPLE(MANIFEST_NEEDED, dslc_solve, matrix, "matrix"),
    SIMPLE(MANIFEST_NEEDED, dslc_solve, unknown, "unknown"),
    SIMPLE(MANIFEST_INT, dslc_solve, field, "field"),
    SIMPLE(MANIFEST_INT, dslc_solve, off, "off"),
    SIMPLE(MANIFEST_INT, dslc_solve, diagonal, "diagonal"),
    SIMPLE(MANIFEST_INT, dslc_solve, rhs, "rhs"),
    SIMPLE(MANIFEST_INT, dslc_solve, solution, "solution"),
    SIMPLE(MANIFEST_TEXT, dslc_solve, method, "method"),
    SIMPLE(MANIFEST_TEXT, dslc_solve, preconditioner, "preconditioner"),
    SIMPLE(MANIFEST_NEEDED, dslc_solve, tolerance, "tolerance"),
    SIMPLE(MANIFEST_NEEDED, dslc_solve, iterations, "iterations"),
    SIMPLE(MANIFEST_BOOL, dslc_solve, symmetric, "symmetric"),
    SIMPLE(MANIFEST_BOOL, dslc_solve, sums_to_zero, "sums to zero"),
    SIMPLE(MANIFEST_INT, dslc_solve, line, "line"),
    SIMPLE(MANIFEST_TEXT, dslc_solve, file, "file"),
    END};
static const manifest_type solve = {sizeof(dslc_solve), solve_entries};

static const manifest_entry repeat_entries[] = {
    SIMPLE(MANIFEST_NEEDED, dslc_repeat, text, "text"), SIMPLE(MANIFEST_INT, dslc_repeat, flag, "flag"),
    COUNTED(MANIFEST_INTS, dslc_repeat, n_residuals, residual, "residuals"),
    SIMPLE(MANIFEST_INT, dslc_repeat, line, "line"), END};
static const manifest_type repeat = {sizeof(dslc_repeat), repeat_entries};

static const manifest_entry equation_entries[] = {
    SIMPLE(MANIFEST_NEEDED, dslc_equation, name, "name"),
    SIMPLE(MANIFEST_TEXT, dslc_equation, tag, "tag"),
    WORD(dslc_equation, place, "place", places),
    SIMPLE(MANIFEST_INT, dslc_equation, line, "line"),
    SIMPLE(MANIFEST_INT, dslc_equation, kernel, "kernel"),
    SIMPLE(MANIFEST_NUMBER, dslc_equation, flops_written, "flops written"),
    SIMPLE(MANIFEST_NUMBER, dslc_equation, flops, "flops"),
    SIMPLE(MANIFEST_NUMBER, dslc_equation, loads, "loads"),
    SIMPLE(MANIFEST_TEXT, dslc_equation, form, "form"),
    END};
static const manifest_type equation = {sizeof(dslc_equation), equation_entries};

static const manifest_entry program_entries[] = {
    SIMPLE(MANIFEST_NEEDED, dslc_program, identity.scheme, "scheme"),
    SIMPLE(MANIFEST_TEXT, dslc_program, identity.path, "path"),
    SIMPLE(MANIFEST_NEEDED, dslc_program, identity.target, "target"),
    SIMPLE(MANIFEST_TEXT, dslc_program, identity.profile, "profile"),
    SIMPLE(MANIFEST_TEXT, dslc_program, identity.hash, "hash"),
    SIMPLE(MANIFEST_INT, dslc_program, space.dims, "dims"),
    SIMPLE(MANIFEST_BOOL, dslc_program, space.on_grid, "on grid"),
    SIMPLE(MANIFEST_BOOL, dslc_program, space.periodic, "periodic"),
    SIMPLE(MANIFEST_INT, dslc_program, space.faces_per_cell, "faces per cell"),
    SIMPLE(MANIFEST_INT, dslc_program, execution.registers, "registers"),
    SIMPLE(MANIFEST_SELDOM, dslc_program, execution.together, "together"),
    SIMPLE(MANIFEST_INT, dslc_program, space.halo, "halo"),
    SIMPLE(MANIFEST_INT, dslc_program, space.band, "band"),
    SIMPLE(MANIFEST_SELDOM, dslc_program, space.patch.cells, "patch cells"),
    SIMPLE(MANIFEST_SELDOM, dslc_program, space.patch.ring, "patch ring"),
    SIMPLE(MANIFEST_SELDOM, dslc_program, space.patch.faces, "patch faces"),
    LIST(dslc_program, model.n_variants, model.variant, "variants", variant),
    LIST(dslc_program, model.n_parameters, model.parameter, "parameters", parameter),
    LIST(dslc_program, model.n_fields, model.field, "fields", field),
    LIST(dslc_program, model.n_globals, model.global, "globals", global),
    LIST(dslc_program, model.n_rules, model.rule, "rules", rule),
    LIST(dslc_program, execution.n_buffers, execution.buffer, "buffers", buffer),
    LIST(dslc_program, execution.n_kernels, execution.kernel, "kernels", kernel),
    LIST(dslc_program, execution.n_sections, execution.section, "sections", section),
    LIST(dslc_program, execution.n_checks, execution.check, "checks", check),
    LIST(dslc_program, model.n_holds, model.hold, "holds", hold),
    LIST(dslc_program, execution.n_solves, execution.solve, "solves", solve),
    LIST(dslc_program, execution.n_repeats, execution.repeat, "repeats", repeat),
    LIST(dslc_program, model.n_equations, model.equation, "equations", equation),
    COUNTED(MANIFEST_NOTES, dslc_program, n_notes, note, "notes"),
    END};
const manifest_type manifest_program = {sizeof(dslc_program), program_entries};

const char *manifest_word(const manifest_entry *e, int value) {
  return e->word ? e->word[value] : e->text(value);
}

bool manifest_has(const manifest_entry *e, const char *at) {
  return e->only == 0 || (dslc_source_has(((const dslc_source *)(const void *)at)->kind) & e->only) != 0;
}
