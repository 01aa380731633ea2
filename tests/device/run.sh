#!/bin/sh
# Builds, checks and measures everything on a machine with a GPU, in one call: its time is short.
#   tests/device/run.sh [PREFIX [OUT]]
# PREFIX: a folder into which Debian packages were unpacked (Lua, cJSON, xxHash, ...), see CONTRIBUTING.md.
set -e
prefix=${1:-.deps}
out=${2:-out/device}
build=build/device
mkdir -p "$out"
[ -d "$prefix" ] && prefix=$(cd "$prefix" && pwd) && deps="-DEW_DEPS_PREFIX=$prefix -DCMAKE_C_FLAGS=-I$prefix/usr/include/x86_64-linux-gnu"
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release $deps > "$out/configure.log" 2>&1 || { tail -20 "$out/configure.log"; exit 1; }
ninja -C "$build" edgewise dslc schedules node_schedules > "$out/build.log" 2>&1 || { tail -30 "$out/build.log"; exit 1; }
export EDGEWISE_CACHE_DIR="$PWD/$build/cache"
edgewise="$build/edgewise"
"$edgewise" devices
echo "== every schedule on the GPU against the generated serial C"
schedules=$(find "$build" -name schedules -type f | head -1)
for s in shallow_water euler_hllc acoustics advection heat; do
  EDGEWISE_TEST_DEVICE=gpu "$schedules" "schemes/$s.ew" > "$out/schedules_$s.txt" 2>&1 && r=ok || r=FAILED
  echo "$s: $r, $(grep -c '  ok ' "$out/schedules_$s.txt") points agree"
  [ $r = ok ] || grep FAIL "$out/schedules_$s.txt" | head -5
done
nodes=$(find "$build" -name node_schedules -type f | head -1)
for s in poisson convection_diffusion edge_navier_stokes; do
  EDGEWISE_TEST_DEVICE=gpu timeout 60 "$nodes" "schemes/$s.ew" > "$out/schedules_$s.txt" 2>&1 && r=ok || r=FAILED
  echo "$s: $r, $(grep -c '  ok ' "$out/schedules_$s.txt") points agree"
  [ $r = ok ] || grep FAIL "$out/schedules_$s.txt" | head -5
done
echo "== speed, gas in a microchannel: an inner iteration, per cell"
"$edgewise" bench simple_ts --device gpu --nx 4032 --ny 2000 --repeats 1 --try variant.space=upwind --try variant.space=tvd \
  --try variant.time=explicit,variant.space=upwind --try variant.time=explicit,variant.space=tvd \
  --try variant.space=upwind,grid.window=auto,grid.columns=128,grid.rows=25 --try variant.space=upwind,select=delta \
  --try variant.space=upwind,select=ternary | tee "$out/simple_ts.txt"
echo "== speed, the lid-driven cube on 185 193 nodes"
"$edgewise" bench cavity -n 56 --device gpu --repeats 2 > "$out/cavity.txt"; head -5 "$out/cavity.txt"
echo "== speed, shallow water with bed, friction, wet/dry and the dt reduction"
for n in 707 1414; do
  for faces in inline store scatter; do
    "$edgewise" bench shallow_water --device gpu --n $n --no-peer --steps 100 -s faces=$faces | tee -a "$out/bench.txt"
  done
done
for order in none random; do
  "$edgewise" bench shallow_water --device gpu --n 1414 --no-peer --steps 40 --cells $order | head -5 | tee -a "$out/bench.txt"
done
"$(dirname "$0")/linear.sh" "$build" "$out"
