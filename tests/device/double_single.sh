#!/bin/sh
# double_single.sh EDGEWISE CASES DEVICE: the three families on a device that passes for one without fp64, beside the same with doubles. Fields
# and histories may differ by 1e-9 of their largest values; the run says what it computes in.
set -eu
edgewise=$1 cases=$2 device=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/dam"
cat >"$work/dam/case.lua" <<'END'
return case {
  name = "dam",
  scheme = "shallow_water",
  mesh = mesh.rectangle { x = {0, 2}, y = {0, 1}, nx = 8, ny = 4, pattern = "alternating" },
  given = { z = function(x, y) return 0.2*math.sin(3*x)*math.cos(2*y) end, n = 0.03 },
  initial = { h = function(x, y) return x < 1 and 1 or 0.05 end, q = {0, 0} },
  boundary = { { { "left", "right", "bottom", "top" }, "wall" } },
  time = { stop = 0.06 },
  output = { every = 0.03, vtu = true },
}
END

family() { # FOLDER ARGUMENTS...
  case=$1/case.lua name=$(basename "$1")
  shift
  EDGEWISE_FP64=off "$edgewise" run --device "$device" -o "$work/$name.single" "$@" "$case" >"$work/said" 2>&1 ||
    { cat "$work/said"; echo "$name does not run without fp64"; exit 1; }
  grep -q 'has no fp64: it computes in double-single numbers' "$work/said" || { echo "$name: the run does not say so"; exit 1; }
  "$edgewise" run -q --device c -o "$work/$name.double" "$@" "$case" >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
  "$edgewise" compare --tolerance 1e-9 "$work/$name.single" "$work/$name.double" >"$work/differences" || true
  if grep -E '(csv|vtu|vti|pvtu).* differs by' "$work/differences"; then
    echo "$name: differs from doubles by more than rounding in 48 bits explains"
    exit 1
  fi
  "$edgewise" compare "$work/$name.single" "$work/$name.double" | grep -E 'differs by' ||
    { echo "$name: no digit differs: was it computed in doubles?"; exit 1; }
}

family "$work/dam"
family "$cases/cavity" -D n=4 -D stop=0.05
family "$cases/gas_cavity" -D n=4 -D stop=0.05

# Its rates cannot be measured: a run keeps its table of kernels, and what needs them says so in one line.
EDGEWISE_FP64=off "$edgewise" run --device "$device" -o "$work/table" --steps 2 --profile "$work/dam/case.lua" >"$work/said" 2>&1 ||
  { cat "$work/said"; echo "run --profile fails without fp64"; exit 1; }
grep -q '^kernels .* 2 steps' "$work/said" && grep -q "table is without the rates" "$work/said" || { cat "$work/said"; exit 1; }
for command in probe "bench linear" "bench $work/dam/case.lua" "tune $work/dam/case.lua --seconds 1"; do
  if EDGEWISE_FP64=off "$edgewise" $command --device "$device" >"$work/said" 2>&1 || [ "$(grep -vc ' cannot be measured: ' "$work/said")" != 0 ]; then
    cat "$work/said"; echo "$command: one line that the rates cannot be measured"; exit 1
  fi
done
