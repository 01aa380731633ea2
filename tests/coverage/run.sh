#!/bin/bash
# run.sh [JOBS [CMAKE OPTION...]]: builds with gcov's counters in build/cov, runs the tests but the long ones and the fault sweeps - memory and
# OpenCL calls: one of each place in the program, files: a sample -, and prints line and branch coverage by room. For one room's files and the
# lines that nobody ran: summary.py build/cov . ROOM; why they are not run: rest.md. Exit status 1 where a file has more branches that nobody took
# than untaken.md allows.
set -u
cd "$(dirname "$0")/../.."
jobs=${1:-$(nproc)}
[ $# -gt 0 ] && shift
cmake --preset cov "$@" >build/cov.configure.log 2>&1 || { tail build/cov.configure.log >&2; exit 1; }
cmake --build build/cov -j "$jobs" >build/cov.build.log 2>&1 || { tail build/cov.build.log >&2; exit 1; }
find build/cov -name '*.gcda' -delete
# A test that fails is told of, and does not keep the table from being printed.
OMP_WAIT_POLICY=passive ctest --test-dir build/cov -j "$jobs" -LE '^long$' -Q
[ ! -f build/cov/Testing/Temporary/LastTestsFailed.log ] || sed 's/^/failed: /' build/cov/Testing/Temporary/LastTestsFailed.log
OMP_WAIT_POLICY=passive ctest --test-dir build/cov -j "$jobs" -R '^faults\.(inside|readers_.*|commands.*)_long$' -Q
for kind in memory exhausted opencl full eio eintr short; do
  case $kind in memory | exhausted | opencl) which="--sites 1" ;; *) which="-n 400" ;; esac
  build/cov/sweep $kind build/cov/tests/faults/failing.so build/cov/dslc build/cov/edgewise tests/faults/small --jobs "$jobs" $which
done
python3 tests/coverage/summary.py build/cov .
python3 tests/coverage/summary.py build/cov . --limits tests/coverage/untaken.md
