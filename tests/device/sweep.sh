#!/bin/sh
# What a step of many members at once costs on a device, beside members one after the other.
#   tests/device/sweep.sh EDGEWISE [DEVICE [MEMBERS [TRIANGLES...]]]
# A sweep of N steps and one of 3 N are timed, so that what a member's beginning costs falls out; REPEATS times (3), the median counts.
# SCHEDULE: further options, as `--schedule faces=store`.
set -eu
edgewise=$1 device=${2:-gpu} members=${3:-64}
[ $# -gt 3 ] && shift 3 || set -- 1800 26000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/dam.lua" <<'LUA'
local arg = arguments { depth = 2, triangles = 26000 }
local n = math.floor(math.sqrt(arg.triangles/4) + 0.5)
return case {
  scheme = "shallow_water",
  mesh = mesh.rectangle { x = {0, 100}, y = {0, 50}, nx = 2*n, ny = n, jitter = 0.2 },
  given = { n = 0.02, z = 0 },
  initial = { h = function(x) return x < 50 and arg.depth or 0.5 end, q = 0 },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  time = { steps = 100 },
  output = { folder = "out", vtu = false },
}
LUA
depths=$(awk "BEGIN { for (i = 0; i < $members; i++) printf \"%s%g\", i ? \",\" : \"\", 1 + i/$members }")

seconds() { # AT_ONCE STEPS TRIANGLES: of a sweep
  begun=$(date +%s.%N)
  "$edgewise" sweep "$work/dam.lua" -D depth="$depths" -D triangles="$3" --device "$device" --at-once "$1" --steps "$2" ${SCHEDULE:-} --output "$work/out" >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; exit 1; }
  echo "$begun $(date +%s.%N)" | awk '{ print $2 - $1 }'
}

a_step() { # AT_ONCE STEPS TRIANGLES: microseconds a step of a member; median, least and most
  for _ in $(seq "${REPEATS:-3}"); do
    short=$(seconds "$1" "$2" "$3")
    long=$(seconds "$1" $((3 * $2)) "$3")
    awk "BEGIN { print ($long - $short)/(2*$2*$members)*1e6 }"
  done | sort -g | awk '{ t[NR] = $1 } END { printf "%.2f (%.2f to %.2f)\n", t[int((NR + 1)/2)], t[1], t[NR] }'
}

seconds 1 1 200 >/dev/null # or it says why not
printf '%-10s %-8s %-28s %-28s %s\n' triangles members 'one after the other [us]' 'at once [us]' ratio
for triangles; do
  steps=$((40000000 / triangles / 10 * 10))
  [ $steps -lt 12000 ] || steps=12000
  one=$(a_step 1 "$steps" "$triangles")
  all=$(a_step "$members" "$steps" "$triangles")
  printf '%-10s %-8s %-28s %-28s %.2f\n' "$triangles" "$members" "$one" "$all" "$(awk "BEGIN { print ${one%% *}/${all%% *} }")"
done
tail -n 2 "$work/log"
