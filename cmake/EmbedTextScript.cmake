# Run at build time by ew_embed_text: INPUT (text file), SYMBOL (C name), DIR (where to write).
file(READ "${INPUT}" bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
# A list of character constants: no length limit as string literals have, no sign to convert.
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
set(one "'.x[0-9a-f][0-9a-f]',")
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
const char ${SYMBOL}[] = {
${bytes}0};
const size_t ${SYMBOL}_size = ${size};
")
