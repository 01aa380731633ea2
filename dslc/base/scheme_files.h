/* The files of schemes and libraries in a folder. */
#ifndef DSLC_BASE_SCHEME_FILES_H
#define DSLC_BASE_SCHEME_FILES_H

#include <stdbool.h>

/* Calls `each` with NAME of every NAME.ew in the folder ("": here), by the alphabet; with none where it cannot be read. */
void scheme_files_each(const char *folder, void (*each)(void *to, const char *stem), void *to);

enum { SCHEME_FILES_NAME = 64 };

/* The name in the folder that is nearest to the wrong one; false: none is near. */
bool scheme_files_nearest(const char *folder, const char *wrong, char near[SCHEME_FILES_NAME]);

#endif
