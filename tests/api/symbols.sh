#!/bin/sh
# symbols.sh LIBRARY LIST [--bless]: what libedgewise.so exports is what the list holds: nothing goes, changes its version, or comes by chance.
# What is added is added to the list (--bless); what goes or changes raises EW_ABI in CMakeLists.txt.
set -eu
now=$(mktemp)
trap 'rm -f "$now"' EXIT
{
  objdump -p "$1" | awk '$1 == "SONAME" { print "SONAME " $2 }'
  nm -D --defined-only "$1" | awk '{ print $3 }' | LC_ALL=C sort
} >"$now"
[ "${3:-}" = --bless ] && { cp "$now" "$2"; exit 0; }
diff -u "$2" "$now" || { echo "symbols.sh: the library's symbols are not those of $2" >&2; exit 1; }
