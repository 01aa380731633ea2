/* Lines of text files of which nobody knows who wrote them. */
#ifndef EW_LINE_H
#define EW_LINE_H

#include <stdio.h>
#include <sys/types.h>

/* The next line as getline has it, but none of more than 16 MiB: where a file has no ends of lines, or has no end, -1 with errno EFBIG before all
 * memory is taken. -1 with errno ENOMEM, what the system says, or 0 at the end of the file. */
ssize_t ew_next_line(char **line, size_t *room, FILE *in);

#endif
