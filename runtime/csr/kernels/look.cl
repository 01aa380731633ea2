// What the kernels of every method's iterations do to the state.
#define VECTOR_LOCALS LOCAL double scratch[SUMS_SCRATCH]
#define SLOT(state, iteration) ((state) + ((iteration) & 1)*STATE_SIZE)

// What iteration `iteration` finds: |r|^2, and from where on it has nothing to do. Called by every item of a launch.
static inline int look_at(GLOBAL const double *now, double rr, int iteration, int limit)
{
  if (now[STATE_STOP] != STOP_NOT) return (int)now[STATE_STOP];
  if (!isfinite(rr)) return STOP_NOT_FINITE;
  if (rr <= now[STATE_LIMIT]) return STOP_CONVERGED;
  return iteration >= limit ? STOP_LIMIT : STOP_NOT;
}

// Called by one item: the next slot, of which the recurrence has its own part to write if the iterations go on.
static inline void note(GLOBAL const double *now, GLOBAL double *next, GLOBAL int *idle, GLOBAL double *history, double rr,
                        double value, int stop, int iteration)
{
  const int stopped_before = now[STATE_STOP] != STOP_NOT;
  double kept[STATE_SIZE]; // all are read before the first is written, which might be one of them for all a compiler knows
  for (int k = 0; k < STATE_SIZE; ++k) kept[k] = now[k];
  for (int k = 0; k < STATE_SIZE; ++k) next[k] = kept[k];
  if (stopped_before) return;
  next[STATE_STOP] = stop;
  next[STATE_ITERATION] = iteration;
  next[STATE_RR] = rr;
  next[STATE_VALUE] = value;
  history[iteration] = sqrt(rr);
  if (stop != STOP_NOT) idle[0] = 1;
}
