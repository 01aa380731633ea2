#!/bin/sh
# Builds, checks and measures on a machine with a GPU, part by part: its time is short.
#   tests/device/run.sh [PREFIX [OUT [PART ...]]]
# PREFIX: a folder that cmake/unpack_deps.sh made (.deps) with Lua, cJSON, xxHash, ..., see CONTRIBUTING.md; used if it is there.
# PART: schedules, gas, windows, flow, cavity, water, linear, tune; all of them take some twenty minutes on an H200. And, where they are named, profiles:
# tuned schedules of those that are shipped, and of the one that tune made, compared on the GPU; exhaust: what the tuner finds beside
# whole spaces, of SCHEMES from the environment, a minute or two each.
# BUILT=FOLDER: a build made elsewhere from a checkout at the same path; its libraries come from PREFIX.
set -e
prefix=${1:-.deps}
out=${2:-out/device}
[ $# -gt 2 ] && shift 2 || set -- schedules gas windows flow cavity water linear tune
build=${BUILT:-build/device}
mkdir -p "$out" "$build"
build=$(cd "$build" && pwd)
[ -d "$prefix" ] && prefix=$(cd "$prefix" && pwd) && deps="-DEW_DEPS_PREFIX=$prefix"
[ -z "$BUILT" ] || export LD_LIBRARY_PATH="$prefix/usr/lib/$(uname -m)-linux-gnu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
[ -n "$BUILT" ] || cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release $deps > "$out/configure.log" 2>&1 || { tail -20 "$out/configure.log"; exit 1; }
[ -n "$BUILT" ] || ninja -C "$build" edgewise dslc schedules node_schedules simple_ts_reference > "$out/build.log" 2>&1 || { tail -30 "$out/build.log"; exit 1; }
export EDGEWISE_CACHE_DIR="$build/cache"
edgewise="$build/edgewise"
"$edgewise" devices

agree() { # NAME COMMAND...: how many lines say that something agrees; those that do not
  name=$1
  shift
  EDGEWISE_TEST_DEVICE=gpu timeout 200 "$@" > "$out/$name.txt" 2>&1 && r=ok || r=FAILED
  echo "$name: $r, $(grep -c '^ *ok ' "$out/$name.txt") points agree"
  [ $r = ok ] && return
  echo "$name" >>"$out/failed"
  grep FAIL "$out/$name.txt" | head -5
}

# Side by side: building their kernels takes nearly all of their time.
schedules() {
  echo "== every schedule on the GPU against the generated serial C, the gas against the solver by hand"
  agree simple_ts "$(find "$build" -name simple_ts_reference -type f | head -1)" gpu &
  for s in edge_navier_stokes convection_diffusion poisson; do
    agree "$s" "$(find "$build" -name node_schedules -type f | head -1)" "schemes/$s.ew" &
  done
  for s in shallow_water euler_hllc acoustics advection heat; do
    agree "$s" "$(find "$build" -name schedules -type f | head -1)" "schemes/$s.ew" &
  done
  wait
}

build_ahead() { # TRY...: the kernels of a gas bench, side by side
  for try; do
    "$edgewise" bench simple_ts --device gpu --nx 160 --ny 100 --repeats 1 --no-peer --try "$try" >/dev/null 2>&1 &
  done
  wait
}

gas() {
  echo "== speed, gas in a microchannel: an inner iteration, per cell"
  tries=
  for space in upwind tvd; do
    for how in "" ,grid.window=off ,select=delta ,select=branch; do
      tries="$tries variant.space=$space$how"
    done
    tries="$tries variant.time=explicit,variant.space=$space variant.time=explicit,variant.space=$space,grid.window=off"
  done
  build_ahead $tries
  "$edgewise" bench simple_ts --device gpu --nx 4032 --ny 2000 --repeats 1 $(printf ' --try %s' $tries) | tee "$out/simple_ts.txt"
}

windows() {
  echo "== rows and columns of a window's subdomains"
  tries=
  for space in upwind tvd; do
    tries="$tries variant.space=$space,grid.window=off"
    for columns in 64 128 256 512; do tries="$tries variant.space=$space,grid.columns=$columns"; done
  done
  build_ahead $tries
  "$edgewise" bench simple_ts --device gpu --nx 2016 --ny 1000 --repeats 1 --no-peer --sweep \
    --try variant.space=upwind --try variant.space=tvd | tee "$out/sweep.txt"
}

# The flow past a square, developed: what the picture of docs and of the issue show.
flow() {
  echo "== a developed flow: 1600 x 400 cells, limiters, to t = 25"
  timeout 200 "$edgewise" run cases/microchannel/case.lua -D nx=1600 -D ny=400 -D space=tvd -D stop=25 --device gpu -o "$build/flow" 2>&1 | tail -5
  cp "$build"/flow/run.json "$out/flow.json" && cp "$(ls "$build"/flow/fields_*.png | tail -1)" "$out/flow.png"
}

cavity() {
  echo "== speed, the lid-driven cube on 185 193 nodes"
  "$edgewise" bench cavity -n 56 --device gpu --repeats 2 > "$out/cavity.txt"
  head -30 "$out/cavity.txt"
}

water() {
  echo "== speed, shallow water with bed, friction, wet/dry and the dt reduction"
  for n in 707 1414; do
    for faces in inline store scatter patch; do
      "$edgewise" bench shallow_water --device gpu --n $n --no-peer --steps 100 -s faces=$faces | tee -a "$out/bench.txt"
    done
  done
  for order in none random; do
    "$edgewise" bench shallow_water --device gpu --n 1414 --no-peer --steps 40 --cells $order | head -5 | tee -a "$out/bench.txt"
  done
}

# Schedules tuned beside the default; the profile that this makes can be shipped: generated/profiles.
tune_case() { # NAME CASE [ARGUMENT...]
  name=$1
  shift
  timeout 150 "$edgewise" tune "$@" --only schedule --device gpu --seconds 60 --candidates 20 --table "$out/tune_$name.json" > "$out/tune_$name.txt" 2>&1
  tail -4 "$out/tune_$name.txt" | grep -E 'tried|fast|best|error'
}
tune() {
  echo "== tuned schedules"
  export EDGEWISE_DATA_DIR="$build/data"
  tune_case water cases/thacker/case.lua -D n=1000
  tune_case gas cases/microchannel/case.lua -D nx=2016 -D ny=1000
  tune_case gas_tvd cases/microchannel/case.lua -D nx=2016 -D ny=1000 -D space=tvd
  tune_case hill cases/rotating_hill/case.lua -D n=700
  tune_case stripes cases/gray_scott/case.lua -D n=2048
  tune_case convection cases/natural_convection/case.lua -D n=1000
  cp "$build"/data/profiles/*.profile "$out"
}

profiles() {
  echo "== schedules of profiles on the GPU beside the interpreter"
  for profile in generated/profiles/*.profile "$build"/data/profiles/*.profile; do
    [ -e "$profile" ] || continue
    name=verify_$(basename "$profile" .profile)
    timeout 200 "$edgewise" verify --profile "$profile" --device gpu --schedules 2 --meshes 2 > "$out/$name.txt" 2>&1 || echo "$name" >>"$out/failed"
    echo "$name: $(tail -n 1 "$out/$name.txt")"
  done
}

exhaust() {
  echo "== what the tuner finds, and its model alone, beside whole spaces of schedules"
  export EDGEWISE_DATA_DIR="$build/data"
  for scheme in ${SCHEMES:-heat burgers gray_scott euler_hllc acoustics shallow_water}; do
    timeout 200 "$edgewise" tune "$scheme" --device gpu --only schedule --again --seconds 60 --candidates 20 \
      --exhaust "$out/exhaust_$scheme.json" > "$out/exhaust_$scheme.txt" 2>&1 || echo "exhaust_$scheme" >>"$out/failed"
    sed -n '/points differ/,$p' "$out/exhaust_$scheme.txt"
  done
  cp "$build"/data/profiles/*.profile "$out"
}

linear() { "$(dirname "$0")/linear.sh" "$build" "$out"; }

rm -f "$out/failed"
for part; do "$part"; done
[ ! -s "$out/failed" ] || { echo "FAILED:" $(cat "$out/failed"); exit 1; }
