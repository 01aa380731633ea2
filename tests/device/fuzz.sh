#!/bin/sh
# All fuzz targets on a machine with many cores: no compiler and no network is needed there, only a libc as new as that of the machine that packed.
#   tests/device/fuzz.sh [PACKED [OUT [SECONDS]]]
# PACKED: what tests/fuzz/pack.sh made, the folder or its .tar.gz (default build/campaign.tar.gz); CONTRIBUTING.md says how.
# SECONDS: for all targets together, which share the cores (default 540).
# From the environment: JOBS, processes (default: one for each core); SEED, a number, so that a second campaign tries other things.
# In OUT: table.txt; crashes.tar.gz, if there are any: inputs that crashed, took too long or too much memory; corpus.tar.gz, inputs that reached
# something new; logs.tar.gz. Exit status: 0, or 1 where anything crashed, took too long or too much memory.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
packed=${1:-$here/build/campaign.tar.gz} out=${2:-out/fuzz} seconds=${3:-540}
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'keep; exit 143' TERM INT

# keep: what there is goes to OUT, also where the campaign was ended.
keep() {
  for part in crashes corpus logs; do
    [ -n "$(find "$work/ran/$part" -type f 2>/dev/null | head -n 1)" ] && tar -C "$work/ran" -czf "$out/$part.tar.gz" $part
  done
}

if [ -d "$packed" ]; then
  folder=$packed
else
  tar -C "$work" -xzf "$packed" || exit 1
  folder=$(dirname "$(find "$work" -name campaign.sh | head -n 1)")
fi
jobs=${JOBS:-$(env -u OMP_NUM_THREADS nproc)}
rm -f "$out/table.txt" "$out/crashes.tar.gz"
echo "$(uname -srm), $jobs processes at a time, $seconds s, $(sed -n 's/^PRETTY_NAME=//p' /etc/os-release)" | tee "$out/table.txt"
bash "$folder/campaign.sh" "$folder" "$seconds" "$jobs" "$work/ran" >"$work/table" 2>&1
code=$?
tee -a "$out/table.txt" <"$work/table"
keep
[ $code -eq 0 ] || find "$work/ran/crashes" -type f -exec basename {} \; | head -n 20
exit $code
