#!/bin/sh
# Every fault on a machine with many cores: each allocation, OpenCL call and call that concerns files fails, one at a time; kills; manifests
# changed at random; the tests under ThreadSanitizer; all tests of a build whose compiler fortifies it.
#   tests/device/trust.sh [PREFIX [OUT [SECONDS [PART ...]]]]
# PREFIX: a folder that cmake/unpack_deps.sh made (.deps); used if it is there. SECONDS: for all parts and their builds together (default
# 560); a part may take its share of what those before it have left, and says what it had no time for.
# PART: memory, exhausted, full, eio, eintr, short, opencl, kills, manifests, words, tsan; not asked for by default: suite (all tests),
# sanitize (all tests under AddressSanitizer and UBSan), coverage (all tests and a sample of the sweeps, with gcov's counters).
# From the environment: JOBS, processes (default: one for each core); KILLS and WALLTIMES (1000, 100); OPENCL, the device whose driver's
# calls fail (default: gpu if there is one, else cpu).
# In OUT: table.txt, failures.txt, logs.tar.gz.
set -u
prefix=${1:-.deps} out=${2:-out/trust} seconds=${3:-560}
here=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -gt 3 ] && shift 3 || set -- memory exhausted full eio eintr short opencl kills manifests words tsan
cores=$(env -u OMP_NUM_THREADS nproc)
jobs=${JOBS:-$cores} end=$(($(date +%s) + seconds))
build=$here/build/trust threads=$here/build/trust-tsan
mkdir -p "$out" "$build" "$threads"
out=$(cd "$out" && pwd)
deps=
[ -d "$prefix" ] && prefix=$(cd "$prefix" && pwd) && deps="-DEW_DEPS_PREFIX=$prefix"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
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

make_build() { # FOLDER LOG OPTION... -- TARGET...
  folder=$1 log=$2 options=
  shift 2
  while [ "$1" != -- ]; do options="$options $1" && shift; done
  shift
  { cmake -S "$here" -B "$folder" -G Ninja $deps $options && ninja -C "$folder" -j "$jobs" "$@"; } >"$work/logs/$log" 2>&1
}

# share PERCENT: seconds of what is left.
share() { echo $(((end - $(date +%s)) * $1 / 100)); }

# The last line of the log tells how it ended; lines that say what failed are kept.
ended() { # PART STATUS BEGUN
  say "$(printf '%-10s %4d s  exit %d  %s' "$1" $(($(date +%s) - $3)) "$2" "$(tail -n 1 "$work/logs/$1")")"
  [ "$2" -eq 0 ] || [ "$2" -eq 77 ] || { echo "== $1" && grep -E 'call [0-9]+:|undisturbed|not all|differs|left behind|ended with|FAIL|Failed|WARNING: Thread|SUMMARY' "$work/logs/$1"; } >>"$out/failures.txt"
}

sweep() { # KIND PERCENT
  begun=$(date +%s)
  "$build/sweep" "$1" "$build/tests/faults/failing.so" "$build/dslc" "$build/edgewise" "$here/tests/faults/small" --jobs "$jobs" \
    --seconds "$(share "$2")" --opencl "$driver" >"$work/logs/$1" 2>&1
  code=$?
  grep -E '^[a-z_]+ +'"$1"' ' "$work/logs/$1" | tee -a "$out/table.txt"
  ended "$1" $code "$begun"
}

limited() { # PART PERCENT COMMAND...
  part=$1 limit=$(share "$2") begun=$(date +%s)
  shift 2
  [ "$limit" -gt 2 ] || { say "$part: no time was left"; return; }
  timeout "$limit" "$@" >"$work/logs/$part" 2>&1
  ended "$part" $? "$begun"
}

kills() { limited kills 45 "$build/kills" "$build/edgewise" "$here/tests/faults/cases" -n "${KILLS:-1000}" -w "${WALLTIMES:-100}" --jobs "$jobs"; }

# These programs work alone: one for each core, each with a seed of its own; the last line is of all.
one_each() { # PROGRAM NUMBER
  failed=0 pids=
  for seed in $(seq "$jobs"); do
    "$build/$1" "$build/dslc" "$build/edgewise" "$here/tests/faults/small" -n "$2" -s "$seed" </dev/null &
    pids="$pids $!"
  done
  for pid in $pids; do wait "$pid" || failed=$((failed + 1)); done
  echo "$((jobs * $2)) asked in $jobs jobs, of which $failed failed"
  [ $failed -eq 0 ]
}

at_random() { # PART PROGRAM NUMBER
  begun=$(date +%s)
  [ "$(share 100)" -gt 30 ] || { say "$1: no time was left"; return; }
  one_each "$2" "$3" >"$work/logs/$1" 2>&1
  ended "$1" $? "$begun"
}
manifests() { at_random manifests hostile 250; }
words() { at_random words words 150; }

# Addresses that move too far are more than gcc's ThreadSanitizer of some years can map; gcc's OpenMP does not tell it of its threads.
tsan() {
  while kill -0 "$building" 2>/dev/null && [ "$(share 100)" -gt 5 ]; do sleep 1; done
  [ -x "$threads/edgewise" ] || { say "tsan: its build is not done; see logs.tar.gz"; return; }
  names=$(sed -n 's/.*"name": "\(.faults[^"]*\)".*/\1/p' "$here/CMakePresets.json")
  fixed=
  setarch -R true 2>/dev/null && fixed="setarch -R"
  CC=$tsan_cc TSAN_OPTIONS="exitcode=66 ignore_noninstrumented_modules=1" OMP_NUM_THREADS=$tsan_omp limited tsan 95 $fixed \
    ctest --test-dir "$threads" -j "$jobs" -R "$names" -E '_(cpu|hard)$|run_without_a_device' --output-on-failure --timeout 300
}

sanitize() {
  make_build "$here/build/trust-asan" build-asan -DCMAKE_BUILD_TYPE=Debug -DEW_SANITIZE=address,undefined -- all ||
    { say "sanitize: no build; see logs.tar.gz"; return; }
  LSAN_OPTIONS="suppressions=$here/cmake/lsan.supp:print_suppressions=0" limited sanitize 95 \
    ctest --test-dir "$here/build/trust-asan" -j "$jobs" -LE '^long$' --output-on-failure --timeout 400
}

# A test that fails here is told of by the parts above.
covered() { # FOLDER
  timeout "$(share 70)" ctest --test-dir "$1" -j "$jobs" -LE '^long$' --output-on-failure --timeout 300
  "$1/sweep" all "$1/tests/faults/failing.so" "$1/dslc" "$1/edgewise" "$here/tests/faults/small" --jobs "$jobs" --seconds "$(share 50)" \
    --opencl "$driver"
  true
}
coverage() {
  folder=$here/build/trust-cov begun=$(date +%s)
  make_build "$folder" build-cov -DCMAKE_BUILD_TYPE=Debug -DEW_COVERAGE=ON -- all || { say "coverage: no build; see logs.tar.gz"; return; }
  covered "$folder" >"$work/logs/coverage" 2>&1
  python3 "$here/tests/coverage/summary.py" "$folder" "$here" | tee "$work/logs/coverage-rooms" | tail -n 1 >>"$work/logs/coverage"
  for room in $(awk '$1 ~ "/" { print $1 }' "$work/logs/coverage-rooms"); do
    python3 "$here/tests/coverage/summary.py" "$folder" "$here" "$room"
  done >"$work/logs/coverage-lines"
  cat "$work/logs/coverage-rooms" >>"$out/table.txt"
  ended coverage 0 "$begun"
}

suite() { limited suite 95 ctest --test-dir "$build" -j "$jobs" -LE '^long$' --output-on-failure --timeout 400; }

say "$(uname -srm), $cores cores, $jobs jobs, $(sed -n 's/^PRETTY_NAME=//p' /etc/os-release), $(cc --version | head -n 1)"
targets="dslc edgewise failing sweep kills hostile words"
asked suite "$@" && targets=all
make_build "$build" build -DCMAKE_BUILD_TYPE=Release -- $targets || { tail -n 30 "$work/logs/build"; exit 1; }
say "built in $((seconds - $(share 100))) s: $(grep -o -- '-D_FORTIFY_SOURCE=[0-9] -fstack-protector[a-z-]*' "$build/build.ninja" | sort | uniq -c | head -n 1)"
driver=${OPENCL:-$("$build/edgewise" devices 2>/dev/null | grep ' GPU ' | grep -qv ' model' && echo gpu || echo cpu)}
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
  kills | manifests | words | tsan | suite | sanitize | coverage) "$part" ;;
  *) say "$part: there is no such part" ;;
  esac
done
tar -C "$work" -czf "$out/logs.tar.gz" logs
[ ! -s "$out/failures.txt" ] || { head -n 60 "$out/failures.txt"; exit 1; }
