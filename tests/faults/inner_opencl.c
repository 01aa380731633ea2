#include "inner_faults.h"

static bool opencl_fails(void) { return inner_fault(INNER_OPENCL); }
#define GIVEN __attribute__((visibility("default"))) /* libraries of the program find them */
#include "opencl_calls.h"
