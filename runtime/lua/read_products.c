/* What a case has followed while it runs: products and sections. */
#include <ctype.h>
#include <string.h>

#include "case/products.h"
#include "lua/host.h"
#include "lua/reader.h"

static const char *const KINDS[CASE_N_PRODUCT_KINDS] = {
    [CASE_MAX] = "max",     [CASE_MIN] = "min",           [CASE_WHEN_MAX] = "when_max",
    [CASE_FIRST] = "first", [CASE_DURATION] = "duration", [CASE_INTEGRAL] = "integral",
    [CASE_MEAN] = "mean",
};

/* Names become names of the scheme, and of files. */
static bool check_name(reader *r, const char *what, const char *name, const site *at) {
  enum { MOST = 100 };
  bool good = name && isalpha((unsigned char)*name) && strlen(name) < MOST;
  for (const char *c = name; good && *c; c++) good = isalnum((unsigned char)*c) || *c == '_';
  if (!name || good) return good; /* that it is missing has been said */
  problems_add(r->p, at->file, site_line(r->L, at),
               "%s: the name '%s' must be a letter and then letters, digits and _, %d at most", what, name,
               MOST - 1);
  return false;
}

/* The extension gives each formula a line of its own. */
static bool check_formula(reader *r, const char *what, const char *name, const char *formula,
                          const site *at) {
  if (!formula) return false;
  const bool good = *formula && !strpbrk(formula, "\n\r{}") && !strstr(formula, "--");
  if (!good)
    problems_add(r->p, at->file, site_line(r->L, at),
                 "%s '%s': a formula is one line without braces and comments; found \"%s\"", what, name,
                 formula);
  return good;
}

static void read_product(reader *r, int index, const site *at) {
  case_product p = {.at = reader_where(r, at)};
  int n = 0;
  read_text(r, index, "name", &p.name);
  read_text(r, index, "at", &p.place);
  for (int k = 0; k < CASE_N_PRODUCT_KINDS; k++) {
    const char *formula = NULL;
    read_text(r, index, KINDS[k], &formula);
    if (formula) p.kind = (case_product_kind)k, p.formula = formula, n++;
  }
  if (n != 1)
    problems_add(
        r->p, at->file, site_line(r->L, at),
        "product%s%s%s: one of max, min, when_max, first, duration, integral, mean says what is followed, "
        "as in { name = \"deepest\", max = \"h\" }; found %d of them",
        p.name ? " '" : "", p.name ? p.name : "", p.name ? "'" : "", n);
  if (n != 1 || !check_name(r, "product", p.name, at) || !check_formula(r, "product", p.name, p.formula, at))
    return;
  *(case_product *)reader_append(r, &r->c->added.product, &r->c->added.n_products, sizeof p) = p;
}

/* {x, y} on the top of the stack. */
static bool read_corner(lua_State *L, double *to) {
  bool good = lua_istable(L, -1) && lua_rawlen(L, -1) == 2;
  for (int d = 0; d < 2 && good; d++) {
    good = lua_rawgeti(L, -1, d + 1) == LUA_TNUMBER;
    to[d] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return good;
}

static bool read_points(reader *r, int index, case_section *s) {
  lua_State *L = r->L;
  bool good = read_push(r, index, "points");
  if (good) {
    s->n_points = (int)lua_rawlen(L, -1);
    double *point = reader_alloc(r, 2 * sizeof *point * (size_t)s->n_points + 1);
    for (int i = 0; i < s->n_points && good; i++) {
      lua_rawgeti(L, -1, i + 1);
      good = read_corner(L, point + 2 * (size_t)i);
      lua_pop(L, 1);
    }
    s->point = point;
    good = good && s->n_points >= 2;
  }
  lua_pop(L, 1);
  return good;
}

static void read_section(reader *r, int index, const site *at) {
  case_section s = {.at = reader_where(r, at)};
  read_text(r, index, "name", &s.name);
  read_text(r, index, "flux", &s.flux);
  if (!check_name(r, "section", s.name, at) || !check_formula(r, "section", s.name, s.flux, at)) return;
  if (!read_points(r, index, &s)) {
    problems_add(r->p, at->file, site_line(r->L, at),
                 "section '%s': points lists two or more points { {x, y}, {x, y} }", s.name);
    return;
  }
  *(case_section *)reader_append(r, &r->c->added.section, &r->c->added.n_sections, sizeof s) = s;
}

void read_products(reader *r, int index, const site *at) {
  ew_error err = {0};
  read_groups(r, index, "products", at, read_product);
  read_groups(r, index, "sections", at, read_section);
  if (r->c->build.manifest)
    return; /* its kernels have no states for them, which is said when the case is checked */
  if (case_products_values(r->c, &err) != EW_OK) host_raise_error(r->L, &err);
}
