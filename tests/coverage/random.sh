#!/bin/bash
# random.sh [SEEDS [JOBS [ROOM]]]: line coverage by random schemes alone, of the rooms that plan, build and print kernels, or
# the files and unrun lines of one ROOM. Builds with gcov's counters in build/cov; schemes run on the model machine and as plain C,
# a tenth as many with numbers in single precision, and as many near kept ones.
set -u
cd "$(dirname "$0")/../.."
seeds=${1:-1-3000} jobs=${2:-$(nproc)} room=${3:-}
mkdir -p build
cmake --preset cov >build/cov.configure.log 2>&1 || { tail build/cov.configure.log >&2; exit 1; }
cmake --build build/cov -j "$jobs" --target random_schemes >build/cov.build.log 2>&1 || { tail build/cov.build.log >&2; exit 1; }
find build/cov -name '*.gcda' -delete
export CC="$PWD/tests/random/quick_cc.sh" OMP_WAIT_POLICY=passive
first=${seeds%-*} last=${seeds#*-}
campaign() { build/cov/tests/random/random_schemes --schedules 8 --read-back 2 --reference reference --reduce 0 --jobs "$jobs" --keep build/cov/found "$@" | tail -n 20; }
campaign --seeds "$seeds" --devices model,model-gpu,c,c-openmp
campaign --seeds "$first-$((first + (last - first) / 10))" --devices model,model-gpu --single
campaign --seeds "$first-$((first + (last - first) / 10))" --devices model,model-gpu --from tests/random/kept --vary 6
if [ -n "$room" ]; then
  python3 tests/coverage/summary.py build/cov . "$room"
else
  python3 tests/coverage/summary.py build/cov . | grep -E '^(room|dslc/(schedule|lower|kernel|emit|back|pass|sema|reference)) '
fi
