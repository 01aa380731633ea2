/* Leaving a function with a failure of its own. Internal to the runtime. */
#ifndef EW_EXEC_LEAVE_H
#define EW_EXEC_LEAVE_H

#include "base/error.h"

/* Like EW_CHECK(ew_fail(...)), but compilers and analysers see that nothing behind it is reached. */
#define EXEC_LEAVE(...)                                                                                      \
  do {                                                                                                       \
    status = ew_fail(__VA_ARGS__);                                                                           \
    goto cleanup;                                                                                            \
  } while (0)

#endif
