/* Tables of the pages that follow from tables of the program: operators, reserved words, units, codes, settings, keys of cases. */
#ifndef DOCS_TABLES_H
#define DOCS_TABLES_H

#include <stdbool.h>
#include <stdio.h>

/* Prints the table `wanted` as Markdown; false if there is none, or if a row lacks its explanation. */
bool table_print(const char *wanted, FILE *out);

#endif
