/* Text that people write or read: names and units as pictures and pages print them. */
#ifndef EW_WORDS_H
#define EW_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* What a scheme's comment calls a quantity: its first clause, "water depth" of "water depth; never negative". "" where there is none, where it
 * begins with no letter, as the number of an equation does, or is longer than a title may be. `comment` may be NULL. */
void words_of_comment(const char *comment, char *text, size_t size);

/* How many bytes of a text are UTF-8's byte order mark, which some editors put first: 3 or 0. */
size_t words_mark(const char *text, size_t size);

/* Whether a text begins with UTF-16's mark: then it is read by nobody here. */
bool words_utf16(const char *text, size_t size);

/* How many bytes the first character of a text that is not empty has in UTF-8; 0: its first byte begins none, nor one that XML may hold. */
size_t words_character(const char *text);
bool words_are_utf8(const char *text);

/* What stands for a byte that is no UTF-8 where text has to be: U+FFFD. */
#define WORDS_UNKNOWN "\xef\xbf\xbd"
/* A copy with WORDS_UNKNOWN for each of those, which the caller frees; NULL without memory. Names of files may hold any byte, but JSON, XML and
 * HTML may not. */
char *words_as_utf8(const char *text);

/* "m^2/s" with raised digits, "m²/s"; powers in brackets stay as they are. A text that is cut is cut between characters. */
void words_of_unit(const char *unit, char *text, size_t size);

/* Whether two texts are the same, but for numbers in a list, "1, 2.5", that differ by a fraction `within` of the first. */
bool words_agree(const char *a, const char *b, double within);

#endif
