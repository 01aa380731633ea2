#!/bin/sh
# run_case.sh EDGEWISE CASE [options]: runs a case, then says which pictures and data files it wrote.
set -eu
edgewise=$1
case=$2
shift 2
stamp=$(mktemp)
trap 'rm -f "$stamp"' EXIT

status=0
"$edgewise" run "$case" "$@" || status=$?

written() { find . \( -name .git -o -path ./build \) -prune -o -name "$1" -newer "$stamp" -print; }
newest() { written "$1" | sort | tail -n 1; }

picture=$(newest '*.png')
series=$(newest '*.pvd')
vtu=$(newest '*.vtu')
echo
[ -z "$picture" ] || echo "Picture:   $picture ($(written '*.png' | wc -l) in all)"
[ -z "$series" ] || echo "ParaView:  $series (time series; open this one)"
[ -z "$vtu" ] || echo "VTU files: $(dirname "$vtu")/ ($(written '*.vtu' | wc -l) files)"
exit "$status"
