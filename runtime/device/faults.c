#include <string.h>

#include "device/backend.h"

/* Each has a paragraph in docs/devices.md; those that could be reduced a kernel of a few lines under tests/device/drivers. */
static const dev_fault faults[] = {
    /* Of `switch (x & 63)` LLVM makes a switch over an integer of 6 bits where the target has no widths of its own; Oclgrind keeps
     * integers in whole bytes and does not cut off the bits above. A switch over a function's value stays one over an int. */
    {.platform = "Oclgrind",
     .options = "-Dswitch(x)=switch(max(x,x))",
     .what = "Oclgrind takes a switch over the low bits of a number wrongly; kernels are built so that they "
             "have none"},
    /* Found on CPUs with AVX2 and AVX-512 alike: SIMPLE-TS with limiters, by up to 2e-5 of v; right with -cl-opt-disable. */
    {.platform = "Intel(R) OpenCL",
     .options = "",
     .windows_by_items = true,
     .what = "Intel's CPU runtime computes some windows wrongly whose work-items share rows: items=loop, "
             "which is the "
             "default there, or grid.window=off"},
};

const dev_fault *dev_known_fault(const dev_info *info) {
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    if (info->language == DEV_OPENCL_C && strcmp(info->platform, faults[i].platform) == 0) return &faults[i];
  return NULL;
}
