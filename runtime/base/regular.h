/* Files from other people may be pipes, which nobody writes into, or devices, which have no end: whoever reads a file opens it here. */
#ifndef EW_REGULAR_H
#define EW_REGULAR_H

#include <stdio.h>
#include <sys/stat.h>

/* Opens a regular file without waiting for anybody; `flags` are those of open besides O_NONBLOCK and O_CLOEXEC. What is made has mode 0666, as
 * umask leaves it. Returns the descriptor, with what the system knows of the file in *info; or -1 with what the system says in errno, 0 where what
 * stands there is no regular file. */
int ew_open_regular(const char *path, int flags, struct stat *info);

/* The same to be read, as a stream; NULL in place of -1. */
FILE *ew_regular_file(const char *path, struct stat *info);

#endif
