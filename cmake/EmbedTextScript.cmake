# Run at build time by ew_embed_text: INPUT (text file), SYMBOL (C name), DIR (where to write).
file(READ "${INPUT}" bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
# 32 bytes a line; a plain byte list has no length limit, unlike string literals.
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
set(one "0x[0-9a-f][0-9a-f],")
set(four "${one}${one}${one}${one}")
string(REGEX REPLACE "(${four}${four}${four}${four})" "\\1\n" bytes "${bytes}")

file(WRITE "${DIR}/${SYMBOL}.h"
"#ifndef EW_EMBEDDED_${SYMBOL}
#define EW_EMBEDDED_${SYMBOL}
#include <stddef.h>
extern const char ${SYMBOL}[];
extern const size_t ${SYMBOL}_size;
#endif
")
file(WRITE "${DIR}/${SYMBOL}.c"
"#include \"${SYMBOL}.h\"
/* Bytes above 0x7f are cast by the array's type; the last one ends the string. */
const char ${SYMBOL}[] = {
${bytes}0x00};
const size_t ${SYMBOL}_size = ${size};
")
