#!/bin/sh
# defects_kept.sh RANDOM_SCHEMES [DEFECT...]: which cases of tests/random/kept show each defect of defects.txt, put back one at a time (a build with
# -DEW_DEFECTS=ON, see dslc/base/defects.h): how many, and the first of them. It tells a switch that shows nothing any more from a search that was
# too short (defects.sh). Exit status 1 if no case shows one.
set -u
here=$(cd "$(dirname "$0")" && pwd)
CC=${CC:-$here/schedule_cc.sh}
export CC
program=$1
shift
[ $# -gt 0 ] || set -- $(cat "$here/defects.txt")

shows() { EW_DEFECT=$1 "$program" --reference reference --replay "$2" 2>&1 | grep -qE ': (differs|fails): '; }

none=0
for defect; do
  n=0 first=
  for folder in "$here"/kept/*/; do
    shows "$defect" "$folder" || continue
    n=$((n + 1))
    [ -n "$first" ] || first=$(basename "$folder")
  done
  printf '%-24s %3d  %s\n' "$defect" $n "$first"
  [ $n -gt 0 ] || none=1
done
exit $none
