#!/bin/sh
# probes.sh EDGEWISE [DEVICE [PAIRS [STOP [step]]]]: what 29 probes each second cost in Malpasset, whose data are in cases/malpasset/data (see its README). Runs with
# and without them in turn, in one process, and prints of each pair the time that the probes added; at the end the median and the quartiles. `step`: sampled at
# every step, and the time divided by the steps of a second, on a machine that others use, too.
set -e
edgewise=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
case=$(dirname "$0")/../../cases/malpasset
cp "$case"/*.lua "$folder"
ln -s "$(cd "${EW_MALPASSET:-$case/data}" && pwd)" "$folder/data"
cp "$(dirname "$0")/probes.lua" "$folder"
cd "$folder"
"$edgewise" run -q probes.lua -D device="${2:-c-openmp}" -D pairs="${3:-9}" -D stop="${4:-60}" -D each="${5:-second}"
