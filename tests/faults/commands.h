/* The commands that calls fail in, for the programs of this folder that go through them; `small` holds what they read. */
#ifndef FAULTS_COMMANDS_H
#define FAULTS_COMMANDS_H

enum { MOST_WORDS = 24 };

/* What a command is. SAYS: what it prints is its answer, the same each time. MODEL: on a device whose memory is
 * the program's. FROM_RUN: begins where a run was stopped. SLOW: a second each. SINGLE: as if the device had no double precision. WRONG: what it
 * is asked about is wrong, 3. FORKS: works in processes of its own, which threads do not survive. */
enum {
  COMPILER = 1,
  FROM_RUN = 2,
  RESUMES = 4,
  OPENCL = 8,
  SAYS = 16,
  SLOW = 32,
  MODEL = 64,
  SINGLE = 128,
  WRONG = 256,
  FORKS = 512
};

typedef struct command {
  const char *name;
  int is;
  const char *word[MOST_WORDS];
} command;

#define ON_C        "--device", "c"
#define ON_A_DRIVER "--device", "" /* the one of --opencl */
#define FEW         "--schedules", "1", "--meshes", "1", "--steps", "1"
static const command COMMAND[] = {
    {"build", COMPILER, {"build", "heat", "-o", "out"}},
    {"report", COMPILER | SAYS, {"report", "warm.ew"}},
    {"explain", COMPILER | SAYS | WRONG, {"check", "--json", "wrong.ew"}},
    {"fmt", COMPILER | SAYS, {"fmt", "out/untidy.ew"}},
    {"tex", COMPILER | SAYS, {"tex", "warm.ew"}},
    {"rules", COMPILER | SAYS, {"rules", "warm.ew"}},
    {"lsp", COMPILER, {"lsp"}},
    {"codes", COMPILER | SAYS, {"explain"}},
    {"compiler_man", COMPILER | SAYS, {"help", "--man"}},
    {"check", SAYS, {"check", "small.lua"}},
    {"check_json", SAYS, {"check", "--json", "files.lua"}},
    {"run", 0, {"run", "-q", ON_C, "-o", "out", "small.lua"}},
    {"files", 0, {"run", "-q", ON_C, "-o", "out", "files.lua"}},
    {"grid", 0, {"run", "-q", ON_C, "-o", "out", "grid.lua"}},
    {"nodes", 0, {"run", "-q", ON_C, "-o", "out", "nodes.lua"}},
    {"members", 0, {"sweep", "-q", ON_C, "-o", "out", "-D", "F=0.03,0.04", "grid.lua"}},
    {"together",
     MODEL,
     {"sweep", "-q", "--device", "model-gpu", "--schedule", "launches=together", "-o", "out", "-D",
      "kappa=1,2", "many.lua"}},
    {"reference", 0, {"run", "-q", "--device", "reference", "-o", "out", "small.lua"}},
    {"reference_grid", 0, {"run", "-q", "--device", "reference", "-o", "out", "grid.lua"}},
    {"reference_nodes", 0, {"run", "-q", "--device", "reference", "-o", "out", "nodes.lua"}},
    {"single", MODEL | SINGLE, {"run", "-q", "--device", "model", "-o", "out", "grid.lua"}},
    {"resume", FROM_RUN | RESUMES, {"resume", "-q", ON_C, "-o", "out", "small.lua"}},
    {"mesh", SAYS, {"mesh", "info", "square.msh"}},
    {"solve", 0, {"solve", ON_C, "-o", "out/x.mtx", "--history", "out/h.mtx", "chain.mtx"}},
    {"multigrid",
     MODEL,
     {"solve", "--device", "model-gpu", "-p", "multigrid", "-o", "out/x.mtx", "out/long.mtx"}},
    {"bicgstab", 0, {"solve", ON_C, "-m", "bicgstab", "-p", "multigrid", "-o", "out/x.mtx", "out/long.mtx"}},
    {"gmres", 0, {"solve", ON_C, "-m", "gmres", "-o", "out/x.mtx", "chain.mtx"}},
    {"minres", 0, {"solve", ON_C, "-m", "minres", "-o", "out/x.mtx", "chain.mtx"}},
    {"mixed", 0, {"solve", ON_C, "--precision", "mixed", "-p", "jacobi", "-o", "out/x.mtx", "chain.mtx"}},
    {"schedule",
     SLOW | FORKS,
     {"tune", ON_C, "--only", "schedule", "--candidates", "1", "--seconds", "1", "small.lua"}},
    {"systems", SLOW | FORKS, {"tune", ON_C, "--only", "systems", "--seconds", "1", "nodes.lua"}},
    {"tune", SLOW | FORKS, {"tune", ON_C, "--seconds", "1", "chain.mtx"}},
    {"page", FROM_RUN, {"report", "-o", "out/page.html", "out"}},
    {"plot", FROM_RUN, {"plot", "-o", "out/plot.png", "out/history.csv"}},
    {"compare", FROM_RUN | SAYS, {"compare", "out", "out"}},
    {"new", 0, {"new", "-s", "warm.ew", "out/mine"}},
    {"show", SAYS, {"profile", "show", "model.profile"}},
    {"check_profile", WRONG, {"profile", "check", "model.profile"}},
    {"export", 0, {"profile", "export", "model", "out/given.profile"}},
    {"import", 0, {"profile", "import", "model.profile"}},
    {"merge", SAYS, {"profile", "merge", "model.profile", "model.profile", "out/both.profile"}},
    {"annotations", SAYS, {"annotations"}},
    {"completion", SAYS, {"completion"}},
    {"verify", SLOW, {"verify", "warm.ew", FEW, ON_C}},
    {"verify_grid", SLOW, {"verify", "gray_scott", FEW, ON_C}},
    {"cavity", SLOW, {"bench", "cavity", ON_C, "-n", "2", "--steps", "1", "--repeats", "1", "--no-peer"}},
    {"shallow_water", SLOW, {"bench", "shallow_water", ON_C, "-n", "2", "--steps", "1", "--repeats", "1"}},
    {"linear", SLOW, {"bench", "linear", ON_C, "-n", "5", "--repeats", "1", "--no-peer"}},
    {"simple_ts", /* on a grid that its square does not fit into: each try says so */
     SLOW,
     {"bench", "simple_ts", ON_C, "--nx", "12", "--ny", "8", "--passes", "1", "--repeats", "1", "--no-peer"}},
    {"bench", SLOW, {"bench", "small.lua", ON_C, "--steps", "1", "--repeats", "1"}},
    {"devices", OPENCL, {"devices"}}, /* of memory, drivers do not tell that it ran out */
    {"opencl", OPENCL, {"run", "-q", ON_A_DRIVER, "-o", "out", "small.lua"}},
    {"opencl_grid", OPENCL, {"run", "-q", ON_A_DRIVER, "-o", "out", "grid.lua"}},
    {"opencl_nodes", OPENCL, {"run", "-q", ON_A_DRIVER, "-o", "out", "nodes.lua"}},
    {"opencl_members", OPENCL, {"sweep", "-q", ON_A_DRIVER, "-o", "out", "-D", "F=0.03,0.04", "grid.lua"}},
    {"opencl_solve",
     OPENCL,
     {"solve", ON_A_DRIVER, "-o", "out/x.mtx", "--history", "out/h.mtx", "chain.mtx"}},
    {"opencl_multigrid",
     OPENCL,
     {"solve", ON_A_DRIVER, "-p", "multigrid", "-o", "out/x.mtx", "out/long.mtx"}},
    {"opencl_scaled", OPENCL, {"solve", ON_A_DRIVER, "-p", "multigrid", "-o", "out/x.mtx", "out/scaled.mtx"}},
    {"opencl_together",
     OPENCL,
     {"sweep", "-q", ON_A_DRIVER, "--schedule", "launches=together", "-o", "out", "-D", "kappa=1,2",
      "many.lua"}},
    {"opencl_verify", OPENCL | SLOW, {"verify", "warm.ew", FEW, ON_A_DRIVER}},
    {"opencl_tune", OPENCL | SLOW | FORKS, {"tune", ON_A_DRIVER, "--seconds", "1", "chain.mtx"}},
    {"opencl_bench", OPENCL | SLOW, {"bench", "small.lua", ON_A_DRIVER, "--steps", "1", "--repeats", "1"}},
    {"doctor", OPENCL | SLOW, {"doctor"}},
    {"opencl_resume", OPENCL | FROM_RUN | RESUMES, {"resume", "-q", ON_A_DRIVER, "-o", "out", "small.lua"}},
};
enum { N_COMMANDS = sizeof COMMAND / sizeof *COMMAND };

#endif
