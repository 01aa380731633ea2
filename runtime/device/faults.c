#include <string.h>

#include "device/backend.h"

/* Each has a paragraph in docs/devices.md; those that could be reduced a kernel of a few lines under tests/device/drivers. */
static const dev_fault faults[] = {
    /* It interprets LLVM's IR, and of what the optimiser makes two things wrongly: integers of fewer than 8 bits, of which it keeps a byte
     * without cutting off the bits above (`switch (x & 63)`), and comparisons of vectors, whose truth is 255 where it becomes a number. */
    {.platform = "Oclgrind",
     .options = "-cl-opt-disable",
     .what = "Oclgrind takes narrow integers and comparisons of vectors wrongly that an optimiser makes; "
             "kernels are built without one"},
    /* Found on CPUs with AVX2 and AVX-512 alike: SIMPLE-TS with limiters, by up to 2e-5 of v; right with -cl-opt-disable. */
    {.platform = "Intel(R) OpenCL",
     .options = "",
     .windows_by_items = true,
     .what = "Intel's CPU runtime computes some windows wrongly whose work-items share rows: items=loop, "
             "which is the "
             "default there, or grid.window=off"},
    /* Seen with 3.1 and 5: `noinline` counts for nothing. Of each loop over items that it could not vectorise it makes a warning, and prints
     * to the program's standard error how many there were. */
    {.platform = "Portable Computing Language",
     .options = "-w",
     .inlines_all = true,
     .what = "PoCL inlines all functions: what would hold too many copies, as of rules that look at each "
             "other beyond three "
             "walls, is refused"},
    /* Seen with driver 580: their items end in CL_OUT_OF_RESOURCES at the barrier behind. */
    {.platform = "NVIDIA CUDA",
     .options = "",
     .deep = "-cl-nv-opt-level=0",
     .what = "NVIDIA's compiler loses some kernels that reduce behind many branches, in functions near walls "
             "that are called: "
             "such programs are built without its optimiser; grid.walls=tables has none"},
};

const dev_fault *dev_known_fault(const dev_info *info) {
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    if (info->language == DEV_OPENCL_C && strcmp(info->platform, faults[i].platform) == 0) return &faults[i];
  return NULL;
}
