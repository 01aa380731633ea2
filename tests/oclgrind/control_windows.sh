#!/bin/sh
# control_windows.sh EDGEWISE DSLC WHOLE_WRITES.so: the watch must bark at a windowed kernel without any one of the barriers of its
# loops over rows, and it must be those barriers that it misses: with all of them it is silent. One subdomain has no wall in reach.
set -u
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
folder=$(dirname "$0")
"$2" build simple_ts space=upwind --schedule grid.window=auto --schedule grid.columns=16 --schedule grid.rows=4 \
  --schedule items=each --schedule group=32 -o "$here" >/dev/null || exit 1
sed -e 's|scheme = arg.scheme,|manifest = "simple_ts.json",|' -e '/variants = s/d' -e '/schedule =/d' -e 's/nx = 7, ny = 6/nx = 38, ny = 12/' -e 's/steps = 2/steps = 1/' \
  "$folder/staggered.lua" >"$here/case.lua"
sed -i 's/"source hash":[^,}]*"/"source hash": "any"/' "$here/simple_ts.json" # its kernels are changed below
cp "$here/simple_ts.cl" "$here/whole.cl"
barriers=$(awk '/for \(int pass/ {inside = 1} /^  }/ {inside = 0} inside && /barrier\(/ {print NR}' "$here/whole.cl")
[ -n "$barriers" ] || { echo "no barrier to take away"; exit 1; }

watch() { sh "$folder/run.sh" "$1" "$3" "$here/case.lua" 2>&1; }

said=$(watch "$@") || { status=$?; echo "$said"; exit $status; }
for line in $barriers; do
  sed "${line}d" "$here/whole.cl" >"$here/simple_ts.cl"
  said=$(watch "$@")
  case $said in
  *"data race at local memory"*) ;;
  *) echo "without the barrier in line $line of the kernel nothing is found: $said"; exit 1 ;;
  esac
done
