#!/bin/bash
# run_tests.sh BUILD_DIR [ctest options]: runs the tests and closes with
# "N passed, N failed[, N skipped]". Fails when a test fails or none was executed.
set -u
export LC_ALL=C
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}" # tests run side by side: a thread that waits leaves its core to others
build=$1
shift
export EDGEWISE_DATA_DIR="$build/data" # what somebody tuned on this machine is not what is tested
log="$build/Testing/run.log"
mkdir -p "$build/Testing"

# The long ones begin first; after the first run ctest keeps its own figures.
costs="$build/Testing/Temporary/CTestCostData.txt"
[ -e "$costs" ] || { mkdir -p "${costs%/*}" && sed '/^#/d' "$(dirname "$0")/../tests/costs.txt" >"$costs"; }

ctest --test-dir "$build" --output-on-failure --no-tests=error -j "${TEST_JOBS:-2}" "$@" 2>&1 </dev/null | tee "$log"
status=${PIPESTATUS[0]}

# ctest counts skipped tests among the passed ones.
totals=$(sed -n 's/^[0-9]*% tests passed, \([0-9]*\) tests* failed out of \([0-9]*\)$/\1 \2/p' "$log" | tail -n 1)
read -r failed total <<<"${totals:-0 0}"
skipped=$(grep -c '^ *[0-9]*/[0-9]* Test .*\*\*\*Skipped' "$log")
passed=$((total - failed - skipped))

if [ $((passed + failed)) -eq 0 ]; then
  echo "no test was executed" >&2
  status=1
fi
if [ "$skipped" -gt 0 ]; then
  echo "$passed passed, $failed failed, $skipped skipped"
else
  echo "$passed passed, $failed failed"
fi
exit "$status"
