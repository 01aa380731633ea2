#!/bin/sh
# case_holds.sh LABEL VALUE TOLERANCE COMMAND...: runs the command; the last number that it prints behind LABEL (a pattern of sed) must be
# VALUE within TOLERANCE. That a run ends well says nothing of what it computed.
set -u
label=$1 value=$2 tolerance=$3
shift 3
out=$("$@" 2>&1) || { printf '%s\nit failed\n' "$out"; exit 1; }
printf '%s\n' "$out"
found=$(printf '%s\n' "$out" | sed -n "s/.*$label *\(-\{0,1\}[0-9][0-9.]*\(e[-+]\{0,1\}[0-9]*\)\{0,1\}\).*/\1/p" | tail -n 1)
[ -n "$found" ] || { echo "no number behind '$label'"; exit 1; }
echo "$label: $found, to be $value within $tolerance"
awk -v a="$found" -v b="$value" -v t="$tolerance" 'BEGIN { d = a - b; exit !((d < 0 ? -d : d) <= t) }'
