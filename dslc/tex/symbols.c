/* Names, numbers, units and words. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tex/tex.h"

const char *tex_join(const tex *t, const char *a, const char *between, const char *b) {
  return *a ? arena_printf(t->memory, "%s%s%s", a, between, b) : b;
}

/* ---- words ------------------------------------------------------------------------------------------------------------------ */

static const char *escaped(char c) {
  switch (c) {
  case '\\': return "\\textbackslash{}";
  case '~': return "\\textasciitilde{}";
  case '^': return "\\textasciicircum{}";
  case '<': return "\\textless{}";
  case '>': return "\\textgreater{}";
  case '|': return "\\textbar{}";
  case '"': return "\\textquotedbl{}";
  case '_': return "\\_";
  case '{': return "\\{";
  case '}': return "\\}";
  case '#': return "\\#";
  case '$': return "\\$";
  case '%': return "\\%";
  case '&': return "\\&";
  default: return NULL;
  }
}

const char *tex_text(const tex *t, const char *text) {
  size_t most = 0, n = 0;
  for (const char *c = text; *c; c++) most += *c == '`' ? 9 : escaped(*c) ? strlen(escaped(*c)) : 1;
  char *out = arena_alloc(t->memory, most + 2);
  bool code = false;
  for (const char *c = text; *c; c++) {
    const char *put = *c != '`' ? escaped(*c) : code ? "}" : strchr(c + 1, '`') ? "\\texttt{" : "'";
    if (*c == '`' && *put != '\'') code = !code;
    const char one[2] = {*c, '\0'};
    if (!put) put = (unsigned char)*c < 32 ? " " : one;
    memcpy(out + n, put, strlen(put));
    n += strlen(put);
  }
  return out;
}

/* ---- names ------------------------------------------------------------------------------------------------------------------ */

static bool is_greek(const char *s, size_t n) {
  static const char *const greek[] = {
      "alpha", "beta",  "gamma",  "delta", "epsilon", "zeta",  "eta", "theta", "kappa", "lambda", "mu",
      "nu",    "xi",    "pi",     "rho",   "sigma",   "tau",   "phi", "chi",   "psi",   "omega",  "Gamma",
      "Delta", "Theta", "Lambda", "Xi",    "Pi",      "Sigma", "Phi", "Psi",   "Omega"};
  for (size_t i = 0; i < sizeof greek / sizeof *greek; i++)
    if (strlen(greek[i]) == n && strncmp(greek[i], s, n) == 0) return true;
  return false;
}

/* A word without underscore and dot; digits at its end go below. */
static const char *word(const tex *t, const char *s, size_t n) {
  size_t letters = n;
  while (letters > 1 && isdigit((unsigned char)s[letters - 1])) letters--;
  const int k = (int)letters;
  const char *base;
  if (k == 2 && s[0] == 'd' && strchr("txyz", s[1])) base = arena_printf(t->memory, "\\Delta %c", s[1]);
  else if (k == 2 && s[0] == 'd' && s[1] == 'N') base = "\\nabla N";
  else if (is_greek(s, letters)) base = arena_printf(t->memory, "\\%.*s", k, s);
  else base = arena_printf(t->memory, k == 1 ? "%.*s" : "\\mathit{%.*s}", k, s);
  if (letters == n) return base;
  return arena_printf(t->memory, "%s_{%.*s}", base, (int)(n - letters), s + letters);
}

/* What stands behind an underscore or a dot. */
static const char *below(const tex *t, const char *s, size_t n) {
  if (is_greek(s, n)) return arena_printf(t->memory, "\\%.*s", (int)n, s);
  return arena_printf(t->memory, n == 1 || isdigit((unsigned char)*s) ? "%.*s" : "\\mathrm{%.*s}", (int)n, s);
}

static bool is_vector(const tex *t, const char *s, size_t n) {
  for (int i = 0; i < t->vectors.n; i++)
    if (strlen(t->vectors.at[i]) == n && strncmp(t->vectors.at[i], s, n) == 0) return true;
  return false;
}

/* "h_dry": one group of letters below for all that stands behind underscores. */
static const char *part(const tex *t, const char *s, size_t n) {
  size_t base = 1;
  while (base < n && s[base] != '_') base++;
  const char *out = word(t, s, base), *subs = "";
  if (is_vector(t, s, n)) out = arena_printf(t->memory, "\\boldsymbol{%s}", out);
  for (size_t i = base; i < n;) {
    size_t end = ++i;
    while (end < n && s[end] != '_') end++;
    if (end > i) subs = tex_join(t, subs, ",", below(t, s + i, end - i));
    i = end;
  }
  return *subs ? arena_printf(t->memory, "{%s}_{%s}", out, subs) : out;
}

static const char *base_of(const tex *t, const char *s, size_t n) {
  for (int i = 0; i < t->bases.n; i++)
    if (strlen(t->bases.at[i]) == n && strncmp(t->bases.at[i], s, n) == 0) return t->bases.at[i];
  return NULL;
}

const char *tex_name(const tex *t, const char *whole) {
  size_t n = strcspn(whole, ".");
  const char *base = whole[n] ? base_of(t, whole, n) : NULL;
  if (base)
    return arena_printf(t->memory, "{%s}^{\\text{%s}}", tex_name(t, whole + n + 1), tex_text(t, base));
  const char *of = strstr(whole, " of "); /* a function that was replaced */
  if (of)
    return arena_printf(t->memory, "{%s}^{\\text{%s}}",
                        tex_name(t, arena_printf(t->memory, "%.*s", (int)(of - whole), whole)),
                        tex_text(t, of + 4));
  const char *out = part(t, whole, n);
  for (const char *s = whole + n; *s == '.'; s += n) {
    n = strcspn(++s, ".");
    bool above = isdigit((unsigned char)*s) || (n == 4 && strncmp(s, "prev", n) == 0);
    const char *mark = below(t, s, n);
    if (isdigit((unsigned char)*s)) mark = arena_printf(t->memory, "(%s)", mark);
    out = arena_printf(t->memory, "{%s}%s{%s}", out, above ? "^" : "_", mark);
  }
  return out;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------------------- */

const char *tex_number(const tex *t, double number) {
  char text[40];
  for (int digits = 6; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, number);
    if (strtod(text, NULL) == number) break;
  }
  char *exponent = strchr(text, 'e');
  if (!exponent) return arena_printf(t->memory, "%s", text);
  const long power = strtol(exponent + 1, NULL, 10);
  *exponent = '\0';
  if (strcmp(text, "1") == 0) return arena_printf(t->memory, "10^{%ld}", power);
  return arena_printf(t->memory, "%s\\cdot 10^{%ld}", text, power);
}

static const char *unit_factor(const tex *t, const ast_unit_factor *f, int sign) {
  const char *base = strcmp(f->base, "%") == 0 ? "\\%" : f->base;
  if (f->den != 1) return arena_printf(t->memory, "\\mathrm{%s}^{%d/%d}", base, sign * f->num, f->den);
  if (sign * f->num == 1) return arena_printf(t->memory, "\\mathrm{%s}", base);
  return arena_printf(t->memory, "\\mathrm{%s}^{%d}", base, sign * f->num);
}

const char *tex_unit(const tex *t, const ast_unit *u) {
  const char *over = "", *under = "";
  int n_under = 0;
  if (!u) return "";
  for (int i = 0; i < u->n; i++)
    if (u->factor[i].num >= 0) over = tex_join(t, over, "\\,", unit_factor(t, &u->factor[i], 1));
    else under = tex_join(t, under, "\\,", unit_factor(t, &u->factor[i], -1)), n_under++;
  if (!*over) over = "1";
  if (n_under == 0) return over;
  return arena_printf(t->memory, n_under > 1 ? "%s/(%s)" : "%s/%s", over, under);
}
