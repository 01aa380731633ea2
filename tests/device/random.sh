#!/bin/sh
# A campaign of random schemes on a machine with many cores and, if it has one, a GPU: what all devices say against the interpreter.
#   tests/device/random.sh [PREFIX [OUT [SECONDS [PART ...]]]]
# PREFIX: a folder that cmake/unpack_deps.sh made (`cmake/unpack_deps.sh .deps tcc`); used if it is there, and tcc from there.
# SECONDS: for all parts together (default 540); each may take its share of what those before it have left, the last one all.
# PART: model, varied (schemes changed in up to 8 places, see tests/random/vary.c), near (the same of
# kept schemes, with parts of others), c, openmp, pocl, gpu, intel, oclgrind, defects. A part whose device or compiler is not here says so.
# From the environment: JOBS, processes (default: one for each core); SCALE, part of the schemes asked (default 1); FIRST, the first seed;
# INTEL, a folder with an .icd file of Intel's runtime for CPUs; REDUCE, seconds to reduce what fails (default 0);
# WANTED, the defects to search for (default: all); BUILT and DEFECTS, builds made elsewhere, the latter with -DEW_DEFECTS=ON.
# In OUT: table.txt, failures.txt (a line for each seed), coverage.txt, defects.txt, PART.txt (what was said; every 20 s how far it had come), log.txt (the
# build), kept.tar.gz (what was reduced).
set -u
prefix=${1:-.deps} out=${2:-out/random} seconds=${3:-540}
[ $# -gt 3 ] && shift 3 || set -- model c openmp pocl gpu intel oclgrind
here=$(cd "$(dirname "$0")/../.." && pwd)
jobs=${JOBS:-$(nproc)} scale=${SCALE:-1} first=${FIRST:-5000001} build=${BUILT:-$here/build/device}
mkdir -p "$out"
out=$(cd "$out" && pwd)
deps=
[ -d "$prefix" ] && prefix=$(cd "$prefix" && pwd) && deps="-DEW_DEPS_PREFIX=$prefix"
# What is written for a moment lies in memory, and memory once taken is kept: calls of the system are slow in a sandbox.
[ "$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')" -gt 1000000 ] 2>/dev/null && export TMPDIR=/dev/shm
export MALLOC_TRIM_THRESHOLD_=1000000000 MALLOC_TOP_PAD_=67108864 MALLOC_MMAP_THRESHOLD_=1000000000
work=$(mktemp -d)
mkdir "$work/kept"
trap 'rm -rf "$work"' EXIT
libraries="$prefix/usr/lib/$(uname -m)-linux-gnu"
[ ! -d "$libraries" ] || export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

make_build() { # FOLDER TARGET... -- OPTION...
  folder=$1 targets=
  shift
  while [ "$1" != -- ]; do targets="$targets $1"; shift; done
  shift
  { cmake -S "$here" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release $deps "$@" && ninja -C "$folder" $targets; } >"$out/log.txt" 2>&1 ||
    { tail -30 "$out/log.txt"; exit 1; }
}
[ -n "${BUILT:-}" ] || make_build "$build" random_schemes edgewise --
program=$build/tests/random/random_schemes
end=$(($(date +%s) + seconds))

# tcc, where the system has none, from PREFIX; tests/random/schedule_cc.sh takes gcc -O0 where there is none at all.
if ! command -v tcc >/dev/null && [ -x "$prefix/usr/bin/tcc" ]; then
  mkdir "$work/bin"
  printf '#!/bin/sh\n[ "$1" = --version ] && { echo tcc; exit; }\nexec "%s" -B"%s" "$@"\n' "$prefix/usr/bin/tcc" "$libraries/tcc" >"$work/bin/tcc"
  chmod +x "$work/bin/tcc"
  printf '#include <math.h>\n#include <stdint.h>\ndouble f(double x) { return sqrt(x); }\n' >"$work/try.c"
  if "$work/bin/tcc" -shared -o "$work/try.so" "$work/try.c" -lm >>"$out/log.txt" 2>&1; then PATH=$work/bin:$PATH; fi
fi
export CC="$here/tests/random/schedule_cc.sh" OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2 POCL_KERNEL_CACHE=0 POCL_MAX_PTHREAD_COUNT=2 TMPDIR="$work"

# campaign PART DEVICES SCHEMES SCHEDULES PERCENT [OPTION...]: one line of the table.
campaign() {
  part=$1 devices=$2 schemes=$(awk "BEGIN { printf \"%d\", $3 * $scale + 0.999 }") schedules=$4 percent=$5
  shift 5
  [ $last = 0 ] || percent=97 # nobody waits for the rest
  for_this=$(((end - $(date +%s)) * percent / 100))
  [ $for_this -gt 2 ] || { row "$part" "no time was left"; return; }
  # A process that sits in a driver's compiler does not look at the time.
  timeout -k 20 $((for_this + 15)) $wrapper "$program" --account 20 --reference reference --devices "$devices" --seeds "$first-$((first + schemes - 1))" --schedules "$schedules" \
    --seconds $for_this --jobs "$use" --reduce "${REDUCE:-0}" --keep "$work/kept/$part" "$@" >"$out/$part.txt" 2>&1
  sed -n "s/^FAIL/$part: &/p" "$out/$part.txt" >>"$out/failures.txt"
  row "$part" "$(sed -n 's/^\([0-9]*\) schemes, \([0-9]*\) ran, \([0-9]*\) runs compared in \([0-9.]*\) s; \([0-9]*\) refused, \([0-9]*\) stopped by their own checks, \([0-9]*\) failures; largest difference \(.*\)$/\1 \2 \3 \4 \5 \6 \7 \8/p' "$out/$part.txt")" \
    "$first-$((first + schemes - 1))"
}

row() { # PART NUMBERS [SEEDS]
  set -- "$1" "${2:-gave no account: see $part.txt}" "${3:-}"
  case $2 in
  [0-9]*) printf '%-9s %-17s %8s %8s %9s %7s %8s %8s %9s  %s\n' "$1" "$3" $(echo "$2" | awk '{ print $1, $2, $3, $4, $5, $6, $7, $8 }') ;;
  *) printf '%-9s %s\n' "$1" "$2" ;;
  esac | tee -a "$out/table.txt"
}

has() { "$build/edgewise" devices 2>/dev/null | grep -q "$1"; }

model() { campaign model model,model-gpu 100000 8 45 --coverage; sed -n '/compared in/,$p' "$out/model.txt" >"$out/coverage.txt"; }
varied() { campaign varied model,model-gpu 100000 6 45 --vary 8; }
near() { campaign near model,model-gpu 100000 3 45 --from "$here/tests/random/kept" --vary 6; }
c() { campaign c c 5000 2 25; }
openmp() { campaign openmp c-openmp 1000 2 30; }
pocl() {
  has 'Portable Computing' || { row pocl "no PoCL here"; return; }
  campaign pocl cpu 1000 2 45
}
gpu() {
  has ' GPU .*NVIDIA' || { row gpu "no GPU here"; return; }
  for kept in "$here"/tests/random/kept_gpu/*/; do # what a driver once took wrongly
    "$program" --reference reference --replay "$kept" >>"$out/kept_gpu.txt" 2>&1 || echo "gpu: kept $kept" >>"$out/failures.txt"
  done
  use=$((jobs < 16 ? jobs : 16)) # each process has a context on the device
  campaign gpu gpu 1000 2 90
  use=$jobs
}
intel() {
  [ -n "${INTEL:-}" ] || { row intel "INTEL names no folder"; return; }
  (
    export OCL_ICD_VENDORS="$INTEL" LD_LIBRARY_PATH="$INTEL${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    has 'Intel(R) OpenCL' || { row intel "its runtime does not load"; exit; }
    campaign intel cpu 300 1 60
  )
}
oclgrind() {
  env oclgrind --version >/dev/null 2>&1 || { row oclgrind "no oclgrind here"; return; }
  wrapper="env oclgrind --data-races --log $work/complaints" # env: not this function
  campaign oclgrind oclgrind 300 1 90
  wrapper=
  [ ! -s "$work/complaints" ] || { echo "oclgrind: complains: $(head -n 3 "$work/complaints" | tr '\n' ' ')" | tee -a "$out/failures.txt"; }
}
defects() {
  with=${DEFECTS:-$here/build/defects}
  [ -n "${DEFECTS:-}" ] || make_build "$with" random_schemes -- -DEW_DEFECTS=ON
  left=$((end - $(date +%s)))
  sh "$here/tests/random/defects.sh" -j "$jobs" -t $((left < 600 ? left : 600)) -s "$first" "$with/tests/random/random_schemes" ${WANTED:-} | tee "$out/defects.txt"
}

rm -f "$out/table.txt" "$out/failures.txt"
: >"$out/log.txt"
wrapper= use=$jobs
printf '%-9s %-17s %8s %8s %9s %7s %8s %8s %9s  %s\n' device seeds schemes ran compared seconds refused stopped failures largest | tee "$out/table.txt"
last=0
while [ $# -gt 0 ]; do
  [ $# -gt 1 ] || last=1
  "$1"
  shift
done
[ ! -d "$work/kept" ] || tar -C "$work" -czf "$out/kept.tar.gz" kept
[ ! -s "$out/failures.txt" ] || { echo "$(grep -c FAIL "$out/failures.txt") seeds failed: $out/failures.txt"; exit 1; }
