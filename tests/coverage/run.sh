#!/bin/bash
# run.sh [JOBS [CMAKE OPTION...]]: builds with gcov's counters in build/cov, runs the tests but the long ones and a sample of the fault
# sweeps, and prints line and branch coverage by room. For one room's files and the lines that nobody ran: summary.py build/cov . ROOM
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
build/cov/sweep all build/cov/tests/faults/failing.so build/cov/dslc build/cov/edgewise tests/faults/small --jobs "$jobs" -n 400
python3 tests/coverage/summary.py build/cov .
