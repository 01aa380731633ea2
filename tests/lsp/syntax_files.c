/* syntax_files FOLDER [--check]: writes what editors colour words by, from the compiler's own lists: a TextMate grammar, a syntax file
 * for Vim, word lists for Emacs. With --check nothing is written, and a file that differs fails. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/tokens.h"
#include "lsp/words.h"
#include "sema/unit.h"

/* Words of a kind with something between them; of those in two kinds the first counts. */
static void print_words(FILE *out, word_kind kind, const char *between) {
  int n, printed = 0;
  const word *w = words(&n);
  for (int i = 0; i < n; i++)
    if (w[i].kind == kind && word_find(w[i].text) == &w[i]) fprintf(out, "%s%s", printed++ ? between : "", w[i].text);
}

static void print_units(FILE *out, const char *between) {
  int n;
  const char *const *known = units_names(&n);
  for (int i = 0; i < n; i++) fprintf(out, "%s%s", i ? between : "", known[i]);
}

/* ---- TextMate, for VS Code and others ---------------------------------------------------------------------------------- */

static void print_pattern(FILE *out, word_kind kind, const char *scope) {
  fputs("    { \"match\": \"\\\\b(", out);
  print_words(out, kind, "|");
  fprintf(out, ")\\\\b\", \"name\": \"%s.edgewise\" },\n", scope);
}

static void print_textmate(FILE *out) {
  fputs("{\n  \"name\": \"Edgewise\",\n  \"scopeName\": \"source.edgewise\",\n  \"fileTypes\": [\"ew\"],\n  \"patterns\": [\n", out);
  fputs("    { \"match\": \"--.*$\", \"name\": \"comment.line.double-dash.edgewise\" },\n", out);
  fputs("    { \"match\": \"\\\\[[ ]*(1|\\\\(*(", out);
  print_units(out, "|");
  fputs(")\\\\b[A-Za-z0-9*/^() -]*)\\\\]\", \"name\": \"support.type.unit.edgewise\" },\n", out);
  fputs("    { \"match\": \"\\\\b[0-9]+(\\\\.[0-9]+)?([eE][+-]?[0-9]+)?\\\\b\", \"name\": \"constant.numeric.edgewise\" },\n", out);
  fputs("    { \"match\": \"(@)\\\\s*([a-z]+)\", \"captures\": { \"1\": { \"name\": \"keyword.operator.edgewise\" }, \"2\": { \"name\": "
        "\"storage.modifier.place.edgewise\" } } },\n", out);
  print_pattern(out, WORD_KEYWORD, "keyword.control");
  print_pattern(out, WORD_TYPE, "storage.type");
  print_pattern(out, WORD_PLACE, "storage.modifier.place");
  print_pattern(out, WORD_FUNCTION, "support.function");
  print_pattern(out, WORD_GEOMETRY, "support.variable");
  print_pattern(out, WORD_CONSTANT, "constant.language");
  fputs("    { \"match\": \"<->|->|\\\\.\\\\.|<=|>=|==|!=|[-+*/^<>=|']\", \"name\": \"keyword.operator.edgewise\" }\n  ]\n}\n", out);
}

/* ---- Vim ------------------------------------------------------------------------------------------------------------------- */

static void print_vim_words(FILE *out, const char *group, word_kind kind) {
  fprintf(out, "syn keyword %s ", group);
  print_words(out, kind, " ");
  fputc('\n', out);
}

static void print_vim(FILE *out) {
  fputs("\" Schemes of Edgewise (.ew). Written by tests/lsp/syntax_files.c: change words there.\n"
        "if exists(\"b:current_syntax\")\n  finish\nendif\n\nsyn case match\n", out);
  print_vim_words(out, "ewKeyword", WORD_KEYWORD);
  print_vim_words(out, "ewType", WORD_TYPE);
  print_vim_words(out, "ewPlace", WORD_PLACE);
  print_vim_words(out, "ewFunction", WORD_FUNCTION);
  print_vim_words(out, "ewGeometry", WORD_GEOMETRY);
  print_vim_words(out, "ewConstant", WORD_CONSTANT);
  fputs("syn match ewNumber \"\\<\\d\\+\\(\\.\\d\\+\\)\\=\\([eE][-+]\\=\\d\\+\\)\\=\\>\"\n"
        "syn match ewUnit \"\\[\\s*\\(1\\|(*\\(", out);
  print_units(out, "\\|");
  fputs("\\)\\>[A-Za-z0-9*/^() -]*\\)\\]\"\n"
        "syn match ewEquation \"(\\u\\=\\d[0-9A-Za-z.']*)\" contained\n"
        "syn match ewComment \"--.*$\" contains=ewEquation,@Spell\n\n"
        "hi def link ewKeyword Statement\nhi def link ewType Type\nhi def link ewPlace StorageClass\n"
        "hi def link ewFunction Function\nhi def link ewGeometry Identifier\nhi def link ewConstant Constant\n"
        "hi def link ewNumber Number\nhi def link ewUnit Special\nhi def link ewEquation SpecialComment\n"
        "hi def link ewComment Comment\n\nlet b:current_syntax = \"edgewise\"\n", out);
}

/* ---- Emacs ------------------------------------------------------------------------------------------------------------------ */

static void print_emacs_words(FILE *out, const char *list, word_kind kind) {
  fprintf(out, "(defconst edgewise-%s\n  '(\"", list);
  print_words(out, kind, "\" \"");
  fputs("\"))\n", out);
}

static void print_emacs(FILE *out) {
  fputs(";;; edgewise-words.el --- words of schemes of Edgewise  -*- lexical-binding: t -*-\n"
        ";; Written by tests/lsp/syntax_files.c: change words there.\n\n", out);
  print_emacs_words(out, "keywords", WORD_KEYWORD);
  print_emacs_words(out, "types", WORD_TYPE);
  print_emacs_words(out, "places", WORD_PLACE);
  print_emacs_words(out, "functions", WORD_FUNCTION);
  print_emacs_words(out, "geometry", WORD_GEOMETRY);
  print_emacs_words(out, "constants", WORD_CONSTANT);
  fputs("\n(provide 'edgewise-words)\n;;; edgewise-words.el ends here\n", out);
}

/* ---- the whole --------------------------------------------------------------------------------------------------------------- */

static char *read_all(const char *path) {
  char *text = NULL;
  size_t size = 0;
  FILE *in = fopen(path, "rb"), *to = open_memstream(&text, &size);
  for (int c; in && (c = fgetc(in)) != EOF;) fputc(c, to);
  if (in) fclose(in);
  fclose(to);
  return text;
}

static bool one(const char *folder, const char *file, void (*print)(FILE *), bool check) {
  char path[4096], *text = NULL;
  size_t size = 0;
  snprintf(path, sizeof path, "%s/%s", folder, file);
  FILE *f = open_memstream(&text, &size);
  print(f);
  fclose(f);
  char *old = read_all(path);
  bool good = strcmp(old, text) == 0;
  if (!good && check) fprintf(stderr, "%s is not what the compiler's words make: run syntax_files %s\n", path, folder);
  if (!good && !check) {
    f = fopen(path, "wb");
    good = f && fputs(text, f) >= 0;
    good = f && fclose(f) == 0 && good;
  }
  free(old);
  free(text);
  return good;
}

/* Every reserved word of the lexer is among the words that files are made of. */
static bool has_all_keywords(void) {
  bool good = true;
  for (int i = 0; i < keyword_count(); i++) {
    if (word_find_kind(keyword_name(i), WORD_KEYWORD)) continue;
    fprintf(stderr, "dslc/lsp/words.c does not know the reserved word %s\n", keyword_name(i));
    good = false;
  }
  return good;
}

int main(int argc, char **argv) {
  bool check = argc > 2 && strcmp(argv[2], "--check") == 0;
  if (argc < 2) return 2;
  bool good = has_all_keywords();
  good = one(argv[1], "vscode/syntaxes/edgewise.tmLanguage.json", print_textmate, check) && good;
  good = one(argv[1], "vim/syntax/edgewise.vim", print_vim, check) && good;
  good = one(argv[1], "emacs/edgewise-words.el", print_emacs, check) && good;
  return good ? 0 : 1;
}
