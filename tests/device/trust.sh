#!/bin/sh
# Every fault on a machine with many cores: each allocation, OpenCL call and call that concerns files fails, one at a time; kills; all that
# is read changed at random; the tests under ThreadSanitizer; all tests of a build whose compiler fortifies it.
#   tests/device/trust.sh [PREFIX [OUT [SECONDS [PART ...]]]]
# PREFIX: a folder that cmake/unpack_deps.sh made (`cmake/unpack_deps.sh .deps tcc`); used if it is there, and tcc from there.
# SECONDS: for all parts and their builds together (default 560); a part may take its share of what those before it have left, and
# says what it had no time for: builds and parts that are not done by then are ended, and the table tells how far they came.
# PART: memory, exhausted, full, eio, eintr, short, opencl, kills, inputs, words, tsan; not asked for by default: suite (all tests),
# sanitize (all tests under AddressSanitizer and UBSan), coverage (all tests, one failing call of each place, changed inputs, random schemes,
# with gcov's counters: alone in a call, `tests/device/trust.sh .deps OUT 540 coverage`; coverage.txt names the lines).
# Of memory that is exhausted and of OpenCL calls those are tried that come first, second, third and last from each place in the program.
# From the environment: SITES, another number than 3 for these (0: every call); JOBS, processes (default: one for each core); KILLS and WALLTIMES (1000, 100); OPENCL, the device whose driver's
# calls fail (default: gpu if there is one, else cpu).
# In OUT: table.txt, failures.txt, logs.tar.gz.
set -u
prefix=${1:-.deps} out=${2:-out/trust} seconds=${3:-560}
here=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -gt 3 ] && shift 3 || set -- memory exhausted full eio eintr short opencl kills inputs words tsan
cores=$(env -u OMP_NUM_THREADS nproc)
jobs=${JOBS:-$cores} end=$(($(date +%s) + seconds))
build=$here/build/trust threads=$here/build/trust-tsan
mkdir -p "$out" "$build" "$threads"
out=$(cd "$out" && pwd)
deps=
[ -d "$prefix" ] && prefix=$(cd "$prefix" && pwd) && deps="-DEW_DEPS_PREFIX=$prefix"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 143' TERM INT
mkdir "$work/logs" "$work/tmp"
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 TMPDIR="$work/tmp"
rm -f "$out/table.txt" "$out/failures.txt"

say() { echo "$@" | tee -a "$out/table.txt"; }

# asked PART NAME...: whether PART is among the names.
asked() {
  wanted=$1
  shift
  for one; do [ "$one" = "$wanted" ] && return; done
  return 1
}

# share PERCENT: seconds of what is left, at least one.
share() {
  left=$(((end - $(date +%s)) * $1 / 100))
  [ $left -ge 1 ] && echo $left || echo 1
}

# bounded PERCENT COMMAND...: ended once it has taken its share; what does not listen is killed.
bounded() {
  bound=$(share "$1")
  shift
  timeout -k 5 "$bound" "$@"
}

make_build() { # FOLDER LOG OPTION... -- TARGET...
  folder=$1 log=$2 options=
  shift 2
  while [ "$1" != -- ]; do options="$options $1" && shift; done
  shift
  { bounded 60 cmake -S "$here" -B "$folder" -G Ninja $deps $options && bounded 85 ninja -C "$folder" -j "$jobs" "$@"; } >"$work/logs/$log" 2>&1
}

# no_build PART LOG: why a part cannot be asked.
no_build() {
  say "$1: no build; it came as far as: $({ grep '^\[' "$work/logs/$2" || cat "$work/logs/$2"; } | tail -n 1 | cut -c 1-160)"
  { echo "== $1" && grep -E 'error:|FAILED:|CMake Error' "$work/logs/$2" | head -n 20; } >>"$out/failures.txt"
}

# The last line of a log tells how it went; of tests, how many there were and which failed.
told() {
  awk '/^ *[0-9]+\/[0-9]+ Test / { done++; split($1, n, "/"); of = n[2]
         if (/ Passed /) passed++; else if (/\*\*\*Skipped/) skipped++
         else if (/\*\*\*/) { failed++; bad = bad " " $4 } }
       { last = $0 }
       END { if (of) printf "%d of %d tests: %d passed, %d skipped, %d failed%s\n", done, of, passed, skipped, failed, bad; else print last }' "$1"
}

# Lines that say what failed are kept. 124, 137: its time was over.
ended() { # PART STATUS BEGUN
  over=
  case $2 in 124 | 137) over="its time was over; " ;; esac
  say "$(printf '%-10s %4d s  exit %d  %s%s' "$1" $(($(date +%s) - $3)) "$2" "$over" "$(told "$work/logs/$1")")"
  [ "$2" -eq 0 ] || [ "$2" -eq 77 ] || {
    echo "== $1"
    grep -E 'call [0-9]+:|undisturbed|not all|differs|left behind|ended with|FAIL|Failed|Timeout|WARNING: Thread|runtime error|ERROR: |SUMMARY' "$work/logs/$1"
  } >>"$out/failures.txt"
}

sweep() { # KIND PERCENT
  begun=$(date +%s) sites=0
  case $1 in exhausted | opencl) sites=${SITES:-3} ;; esac
  bounded 100 "$build/sweep" "$1" "$build/tests/faults/failing.so" "$build/dslc" "$build/edgewise" "$here/tests/faults/small" --jobs "$jobs" \
    --seconds "$(share "$2")" --sites "$sites" --opencl "$driver" >"$work/logs/$1" 2>&1
  code=$?
  grep -E '^[a-z_]+ +'"$1"' ' "$work/logs/$1" | tee -a "$out/table.txt"
  ended "$1" $code "$begun"
}

limited() { # PART PERCENT COMMAND...
  part=$1 percent=$2 begun=$(date +%s)
  shift 2
  [ "$(share "$percent")" -gt 2 ] || { say "$part: no time was left"; return; }
  bounded "$percent" "$@" >"$work/logs/$part" 2>&1
  ended "$part" $? "$begun"
}

kills() { limited kills 45 "$build/kills" "$build/edgewise" "$here/tests/faults/cases" -n "${KILLS:-1000}" -w "${WALLTIMES:-100}" --jobs "$jobs"; }

# These programs work alone: one for each core, each with a seed of its own; the last line is of all.
one_each() { # PROGRAM NUMBER
  failed=0 pids=
  for seed in $(seq "$jobs"); do
    bounded 50 "$build/$1" "$build/dslc" "$build/edgewise" "$here/tests/faults/small" -n "$2" -s "$seed" </dev/null &
    pids="$pids $!"
  done
  for pid in $pids; do wait "$pid" || failed=$((failed + 1)); done
  echo "$((jobs * $2)) asked in $jobs jobs, of which $failed failed or had no time"
  [ $failed -eq 0 ]
}

at_random() { # PART PROGRAM NUMBER
  begun=$(date +%s)
  [ "$(share 100)" -gt 30 ] || { say "$1: no time was left"; return; }
  one_each "$2" "$3" >"$work/logs/$1" 2>&1
  ended "$1" $? "$begun"
}
inputs() { at_random inputs hostile 1000; }
words() { at_random words words 150; }

# Addresses that move too far are more than gcc's ThreadSanitizer of some years can map; gcc's OpenMP does not tell it of its threads.
tsan() {
  wait "$building" || { no_build tsan build-tsan; return; }
  names=$(sed -n 's/.*"name": "\(.faults[^"]*\)".*/\1/p' "$here/CMakePresets.json")
  fixed=
  setarch -R true 2>/dev/null && fixed="setarch -R"
  CC=$tsan_cc TSAN_OPTIONS="exitcode=66 ignore_noninstrumented_modules=1" OMP_NUM_THREADS=$tsan_omp limited tsan 95 $fixed \
    ctest --test-dir "$threads" -j "$jobs" -R "$names" -E '_(cpu|hard)$|run_without_a_device|run_stopped_early' --output-on-failure --timeout 300
}

sanitize() {
  make_build "$here/build/trust-asan" build-asan -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O1 -DEW_SANITIZE=address,undefined -- all ||
    { no_build sanitize build-asan; return; }
  LSAN_OPTIONS="suppressions=$here/cmake/lsan.supp:print_suppressions=0" limited sanitize 95 \
    ctest --test-dir "$here/build/trust-asan" -j "$jobs" -LE '^long$' --output-on-failure --timeout 400
}

# covered NAME PERCENT COMMAND...: a piece of what is counted, and how far it came. What fails in it is told of by the parts above.
covered() {
  name=$1 percent=$2 since=$(date +%s)
  shift 2
  [ "$(share 100)" -gt 5 ] || { say "coverage: no time was left for $name"; return; }
  bounded "$percent" "$@" >"$work/logs/coverage-$name" 2>&1
  code=$?
  say "$(printf 'coverage of %-8s %4d s  exit %d  %s' "$name" $(($(date +%s) - since)) $code "$(told "$work/logs/coverage-$name")")"
}
covered_sweep() { # KIND PERCENT OPTION...
  kind=$1 percent=$2
  shift 2
  covered "$kind" 100 "$build/sweep" "$kind" "$build/tests/faults/failing.so" "$build/dslc" "$build/edgewise" "$here/tests/faults/small" \
    --jobs "$jobs" --seconds "$(share "$percent")" --opencl "$(find_driver "$build")" "$@"
}
coverage() {
  plain=$build build=$here/build/trust-cov begun=$(date +%s)
  make_build "$build" build-cov -DCMAKE_BUILD_TYPE=Debug -DEW_COVERAGE=ON -- all || { no_build coverage build-cov; return; }
  find "$build" -name '*.gcda' -delete
  end=$((end - 40)) # for the table
  covered tests 55 ctest --test-dir "$build" -j "$jobs" -LE '^long$' --output-on-failure --timeout 240
  covered inside 30 ctest --test-dir "$build" -j "$jobs" -R '^faults\.(inside|readers_.*|commands.*)_long$' --output-on-failure --timeout 240
  covered_sweep memory 40 --sites 1
  covered_sweep opencl 35 --sites 1
  for kind in full eio eintr short; do covered_sweep $kind 20; done
  CC=$here/tests/random/schedule_cc.sh covered schemes 35 "$build/tests/random/random_schemes" --seeds 1-1000000 --schedules 8 --reference reference \
    --devices model,model-gpu,c,c-openmp --reduce 0 --jobs "$jobs" --seconds "$(share 30)" --keep "$work/found"
  at_random inputs hostile 500
  at_random words words 60
  end=$((end + 40)) build=$plain
  bounded 100 python3 "$here/tests/coverage/summary.py" "$here/build/trust-cov" "$here" all >"$out/coverage.txt" 2>&1
  sed '/^file /,$d' "$out/coverage.txt" | tee -a "$out/table.txt"
  grep '^all' "$out/coverage.txt" | head -n 1 >"$work/logs/coverage"
  ended coverage 0 "$begun"
}

suite() { limited suite 95 ctest --test-dir "$build" -j "$jobs" -LE '^long$' --output-on-failure --timeout 400; }

# tcc, where the system has none, from PREFIX: tests/random/schedule_cc.sh, the compiler of many tests, takes gcc -O0 where there is none.
set_up_tcc() {
  libraries=$prefix/usr/lib/$(uname -m)-linux-gnu
  if command -v tcc >/dev/null || [ ! -x "$prefix/usr/bin/tcc" ]; then return; fi
  mkdir "$work/bin"
  printf '#!/bin/sh\n[ "$1" = --version ] && { echo tcc; exit; }\nLD_LIBRARY_PATH="%s" exec "%s" -B"%s" "$@"\n' "$libraries" "$prefix/usr/bin/tcc" "$libraries/tcc" >"$work/bin/tcc"
  chmod +x "$work/bin/tcc"
  printf '#include <math.h>\n#include <stdint.h>\ndouble f(double x) { return sqrt(x); }\n' >"$work/try.c"
  if "$work/bin/tcc" -shared -o "$work/try.so" "$work/try.c" -lm >"$work/logs/tcc" 2>&1; then PATH=$work/bin:$PATH; fi
}

# Sanitizers and gcov have builds of their own.
needs_build() {
  for one; do
    case $one in tsan | sanitize | coverage) ;; *) return 0 ;; esac
  done
  return 1
}

# find_driver BUILD: the device whose driver's calls fail.
find_driver() {
  if [ -n "${OPENCL:-}" ]; then echo "$OPENCL"
  elif "$1/edgewise" devices 2>/dev/null | grep ' GPU ' | grep -qv ' model'; then echo gpu
  else echo cpu
  fi
}

say "$(uname -srm), $cores cores, $jobs jobs, $(sed -n 's/^PRETTY_NAME=//p' /etc/os-release), $(cc --version | head -n 1)"
targets="dslc edgewise failing sweep kills hostile words"
asked suite "$@" && targets=all
set_up_tcc
if needs_build "$@"; then
  make_build "$build" build -DCMAKE_BUILD_TYPE=Release -- $targets || { no_build everything build; tail -n 30 "$work/logs/build"; exit 1; }
  say "built in $((seconds - $(share 100))) s: $(grep -o -- '-D_FORTIFY_SOURCE=[0-9] -fstack-protector[a-z-]*' "$build/build.ninja" | sort | uniq -c | head -n 1)"
  driver=$(find_driver "$build")
fi
if asked tsan "$@"; then
  tsan_cc=gcc tsan_omp=1
  command -v clang >/dev/null && tsan_cc=clang tsan_omp=2
  make_build "$threads" build-tsan -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=$tsan_cc -DEW_SANITIZE=thread -- all &
  building=$!
fi
for part; do
  case $part in
  memory) sweep memory 30 ;;
  exhausted) sweep exhausted 35 ;;
  full | eio | eintr | short) sweep "$part" 20 ;;
  opencl) sweep opencl 40 ;;
  kills | inputs | words | tsan | suite | sanitize | coverage) "$part" ;;
  *) say "$part: there is no such part" ;;
  esac
done
tar -C "$work" -czf "$out/logs.tar.gz" logs
[ ! -s "$out/failures.txt" ] || { head -n 60 "$out/failures.txt"; exit 1; }
