/* Room for paths. A path that does not fit is cut at PATH_MAX characters, one more than the system takes: every call with it fails with
 * ENAMETOOLONG, and no other file is touched in its place. */
#ifndef EW_BASE_PATH_H
#define EW_BASE_PATH_H

#include <limits.h>

enum { EW_PATH = PATH_MAX + 1 };

#endif
