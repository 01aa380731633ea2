#!/bin/sh
# ended.sh PROGRAM: a campaign that somebody ends says so, gives its account, and has failed.
said=$(mktemp)
trap 'rm -f "$said"' EXIT
"$1" --seeds 1-1000000 --schedules 1 --reduce 0 --reference reference --devices model --jobs 2 >"$said" 2>&1 &
program=$!
sleep 1
kill -TERM $program
wait $program
status=$?
cat "$said"
[ $status = 1 ] || { echo "exit status $status, not 1"; exit 1; }
grep -q '^FAIL ended by signal 15 before seed' "$said" && grep -q ' runs compared in ' "$said"
