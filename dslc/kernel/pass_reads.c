/* Loads before arithmetic. A pass over a neighbour reads little and computes little, so what it takes is the time of its loads: how many of
 * them are under way at once decides. Compilers that keep registers low put loads next to their uses, in batches that wait for each other;
 * they move none across a fence. Nothing is shared: the cheapest fence will do, and it need not be met by all work-items. What lies at
 * edges comes first, for it does not wait for the neighbour's number. Loads in an arm of a branch stay there: a pass may not need them. */
#include "kernel/pass.h"

#include "kernel/build.h"

static bool is_number(const kir_stmt *s) { return s->kind == KIR_LET && kir_is_floating(s->variable->type); }

static bool is_load(const kir_stmt *s) { return is_number(s) && kir_is_load(s); }

/* The loads that wait, or those that do not, behind what has been moved already. */
static int move(kir_body *body, int to, bool that_wait) {
  for (int i = to; i < body->n; i++) {
    kir_stmt *s = body->at[i];
    if (!is_load(s) || kir_waits(s) != that_wait) continue;
    for (int k = i; k > to; k--) body->at[k] = body->at[k - 1];
    body->at[to++] = s;
  }
  return to;
}

static int read_first(kir_program *p, const kir_choices *how, kir_body *outer, int at) {
  (void)how;
  kir_body *body = &outer->at[at]->body;
  int begin = 0, end;
  while (begin < body->n && !is_number(body->at[begin])) begin++;
  end = move(body, begin, false);
  end = move(body, end, true);
  if (end - begin < 2) return at;
  kir_stmt *fence = kir_insert(p, body, end, KIR_FENCE);
  fence->fences = KIR_FENCE_LOCAL;
  fence->remark = "no read moves behind it";
  return at;
}

void kir_pass_reads(kir_program *p, const kir_choices *how) {
  if (how->reads_first) kir_each_loop(p, how, KIR_OVER_NEIGHBOURS, read_first);
}
