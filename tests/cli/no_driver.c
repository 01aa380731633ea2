/* Loaded before a program (LD_PRELOAD): whatever drivers the machine has, and however its loader looks for them, none is found. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

cl_int CL_API_CALL clGetPlatformIDs(cl_uint n, cl_platform_id *platforms, cl_uint *found) {
  const cl_int no_platform = -1001; /* CL_PLATFORM_NOT_FOUND_KHR */
  (void)n, (void)platforms;
  if (found) *found = 0;
  return no_platform;
}
