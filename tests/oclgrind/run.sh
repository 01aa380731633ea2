#!/bin/sh
# run.sh EDGEWISE WHOLE_WRITES.so CASE.lua [NAME=VALUE...]: runs the case under oclgrind, which looks at every access of every
# work-item. Its exit status says nothing of what it found, so any word in its log is a failure. 77: oclgrind is not here.
# Its plugin that looks for values read before they are written knows less of LLVM than it does itself: GRIND_WITH takes
# the plugins' place where kernels hold what that one does not know. RUN_ON, if it is empty: the script names devices itself.
set -u
edgewise=$1 whole_writes=$2 case=$3
shift 3
command -v oclgrind >/dev/null || exit 77
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT

for argument in "$@"; do set -- "$@" -D "$argument"; shift; done
EDGEWISE_CACHE=off oclgrind ${GRIND_WITH:---data-races --uninitialized} --log "$here/log" \
  sh -c 'LD_PRELOAD="$0:$LD_PRELOAD" exec "$@"' "$whole_writes" \
  "$edgewise" run -q "$case" -o "$here/out" ${RUN_ON---device oclgrind} "$@" </dev/null
status=$?
if [ -s "$here/log" ]; then
  echo "oclgrind complains:"
  head -n 60 "$here/log"
  exit 1
fi
exit "$status"
