// The kernels of exec.cl for the host's devices.
enum { FLAG_DONE };

static int number(const void *arg) { return *(const int *)arg; }

void exec_copy(void *const *args, long n) {
  const int *flags = args[0];
  const long *source = args[1];
  long *target = args[2];
  (void)n;
  if (flags[FLAG_DONE] || flags[number(args[4])]) return;
  for (int i = 0; i < number(args[3]); ++i) target[i] = source[i];
}

#define GHOSTS(NAME, REAL)                                                                                   \
  void NAME(void *const *args, long items) {                                                                 \
    const int *flags = args[0], *source = args[1];                                                           \
    REAL *values = args[2];                                                                                  \
    const int n = number(args[3]), n_cells = number(args[4]), width = number(args[5]);                       \
    const int component = number(args[6]), entity = number(args[7]);                                         \
    (void)items;                                                                                             \
    if (flags[FLAG_DONE] || flags[number(args[8])]) return;                                                  \
    for (int g = 0; g < n; ++g)                                                                              \
      for (int d = 0; source[g] >= 0 && d < width; ++d)                                                      \
        values[d * component + (n_cells + g) * entity] = values[d * component + source[g] * entity];         \
  }
GHOSTS(exec_ghosts_f64, double)
GHOSTS(exec_ghosts_f32, float)

#define COPIES(NAME, REAL)                                                                                   \
  void NAME(void *const *args, long items) {                                                                 \
    const int *flags = args[0], *pair = args[1];                                                             \
    REAL *values = args[2];                                                                                  \
    const int n = number(args[3]), width = number(args[4]), component = number(args[5]),                     \
              entity = number(args[6]);                                                                      \
    (void)items;                                                                                             \
    if (flags[FLAG_DONE] || flags[number(args[7])]) return;                                                  \
    for (int i = 0; i < n; ++i)                                                                              \
      for (int d = 0; d < width; ++d)                                                                        \
        values[d * component + pair[2 * i] * entity] = values[d * component + pair[2 * i + 1] * entity];     \
  }
COPIES(exec_copies_f64, double)
COPIES(exec_copies_f32, float)

void exec_repeat_begin(void *const *args, long n) {
  int *flags = args[0];
  (void)n;
  if (flags[FLAG_DONE]) return;
  flags[number(args[1])] = flags[number(args[3])];
  flags[number(args[2])] = 0;
}

void exec_set_gate(void *const *args, long n) {
  const int *flags = args[0];
  int *gate = args[1];
  (void)n;
  gate[0] = flags[FLAG_DONE] || flags[number(args[2])];
}

enum { GATHERED = 6 }; // buffers of a launch, the first arguments

#define GATHER(NAME, REAL)                                                                                   \
  void NAME(void *const *args, long items) {                                                                 \
    const double *scalars = args[GATHERED];                                                                  \
    const int *from = args[GATHERED + 1], *element = args[GATHERED + 2];                                     \
    double *target = args[GATHERED + 3];                                                                     \
    const int n = number(args[GATHERED + 4]), first = number(args[GATHERED + 5]),                            \
              row = number(args[GATHERED + 6]);                                                              \
    (void)items;                                                                                             \
    for (int i = first; i < first + n; ++i) {                                                                \
      const REAL *values = args[from[i]];                                                                    \
      target[row + i] = element[i] < 0 ? scalars[-1 - element[i]] : values[element[i]];                      \
    }                                                                                                        \
  }
GATHER(exec_gather_f64, double)
GATHER(exec_gather_f32, float)
