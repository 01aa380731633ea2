#!/bin/sh
# three_commands.sh BUILD [DEVICE]: what docs/tuning.md says of a device never seen, from nothing to kernels that run with no compiler: probe, tune,
# generate. Exit status 77: there is no such device.
set -eu
build=$(cd "$1" && pwd)
device=${2:-cpu}
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export EDGEWISE_DATA_DIR="$work/data" EDGEWISE_CACHE_DIR="$work/cache"
[ $# -gt 1 ] || "$build/edgewise" devices | grep -v model | grep -q ' CPU ' || exit 77

"$build/edgewise" probe --device "$device"
"$build/edgewise" tune heat --device "$device" --only schedule --cells 400 --candidates 1 --seconds 20 2>/dev/null
profile=$(ls "$work"/data/profiles/*.profile)
sed -i '/^faces = /d' "$profile"
echo 'faces = store' >>"$profile" # also where the default was the best: a setting that the kernels show
"$build/edgewise" profile check "$profile"
sh "$top/generated/regenerate.sh" "$build/dslc" "$work/kernels" "$profile"

cat >"$work/case.lua" <<END
return case {
  manifest = "kernels/$(basename "$profile" .profile)/heat.json",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 10, ny = 10 },
  initial = { T = 293 }, given = { power = 0 },
  boundary = { { {"left", "right", "bottom", "top"}, "held", Tw = 293 } },
  time = { steps = 5 }, output = { vtu = false },
  on_end = function(run) print(string.format("T = %.6f", run:at("T", 0.5, 0.5))) end,
}
END
cd "$work"
PATH=/usr/bin:/bin "$build/edgewise" run case.lua --device "$device" -o out | grep -x 'T = 293.000000'
