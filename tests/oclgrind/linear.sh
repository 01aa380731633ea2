#!/bin/sh
# linear.sh PROGRAM WHOLE_WRITES.so: solves small systems in every way under oclgrind; see run.sh.
set -u
command -v oclgrind >/dev/null || exit 77
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT

EDGEWISE_CACHE=off oclgrind --data-races --uninitialized --log "$here/log" \
  sh -c 'LD_PRELOAD="$0:$LD_PRELOAD" exec "$@"' "$2" "$1" oclgrind </dev/null
status=$?
if [ -s "$here/log" ]; then
  echo "oclgrind complains:"
  head -n 60 "$here/log"
  exit 1
fi
exit "$status"
