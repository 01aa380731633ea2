#!/bin/bash
# campaign.sh FOLDER SECONDS JOBS OUT: runs every fuzz target that pack.sh put into FOLDER, JOBS processes at a time, for SECONDS in all. A
# quarter of them are watched by ASan and UBSan, where such a program is there, and learn from what is compared; the others, many times as fast,
# are watched by UBSan and assertions, and choose their seeds evenly: weighing them took a third of the time.
# What a process finds new goes to the next one of its target. Prints a table; inputs that crashed are in OUT/crashes. Exit status: 0, or 1
# where anything crashed or nothing was run.
set -u
[ $# = 4 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
folder=$(cd "$1" && pwd) seconds=$2 jobs=$3
mkdir -p "$4/crashes" "$4/logs"
out=$(cd "$4" && pwd)
tmp=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")/campaign-XXXXXX")
trap 'rm -rf "$tmp"' EXIT
export LD_LIBRARY_PATH=$folder/lib TMPDIR=$tmp
export ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=1024:detect_leaks=1

names=$(cd "$folder/fast" && ls | sed 's/^fuzz_//')
n=$(echo "$names" | wc -w)
# Each process runs for so long that all of them fill the time; at least four of each target, of which one is watched, at least 5 seconds.
processes=$((jobs > 4 * n ? jobs : 4 * n))
share=$((seconds * jobs / processes))
[ "$share" -ge 5 ] || share=5

# one NUMBER TARGET: a process; its log's name says what it was
one() {
  local kind=fast weigh=0 log
  [ $(($1 / n % 4)) = 1 ] && [ -x "$folder/asan/fuzz_$2" ] && kind=asan weigh=1
  log=$out/logs/$2.$kind.$1
  mkdir -p "$out/corpus/$2"
  # slow is an input that takes more than 20 seconds; reading all seeds on a busy machine takes minutes, and is none
  timeout -k 30 $((share + 300)) "$folder/$kind/fuzz_$2" -max_total_time=$share -entropic=$weigh -timeout=20 -rss_limit_mb=4096 -seed=$((1000 + $1)) \
    -print_final_stats=1 -reload=1 -artifact_prefix="$out/crashes/$2.$kind.$1." "$out/corpus/$2" "$folder/seeds/$2" >"$log" 2>&1
  echo $? >"$log.status"
}

i=0
running=0
while [ $i -lt $processes ]; do
  for name in $names; do
    [ $i -lt $processes ] || break
    [ $running -lt "$jobs" ] || { wait -n; running=$((running - 1)); }
    one $i "$name" &
    running=$((running + 1)) i=$((i + 1))
  done
done
wait

awk -v names="$names" '
  function of(path, parts, m) { m = split(path, parts, "/"); split(parts[m], parts, "."); return parts[1] " " parts[2] }
  FNR == 1 && FILENAME !~ /status$/ { key = of(FILENAME, p); processes[key]++; last = 0 }
  FILENAME !~ /status$/ && $1 ~ /^#[0-9]+$/ { last = substr($1, 2); at[FILENAME] = last }
  FILENAME !~ /status$/ && /stat::number_of_executed_units/ { at[FILENAME] = $2 }
  FILENAME !~ /status$/ && / cov: / { for (j = 1; j < NF; j++) if ($j == "cov:" && $(j + 1) > cover[key]) cover[key] = $(j + 1) }
  FILENAME ~ /status$/ && $1 != 0 { crashed[of(FILENAME, p)]++ }
  END {
    printf "%-16s %-5s %9s %14s %9s %8s\n", "target", "watch", "processes", "executions", "edges", "crashes"
    for (f in at) { runs[of(f, p)] += at[f]; all += at[f] }
    count = split(names, name, /[ \n]+/)
    for (i = 1; i <= count; i++) for (k = 0; k < 2; k++) {
      key = name[i] (k ? " asan" : " fast")
      if (!(key in processes)) continue
      printf "%-16s %-5s %9d %14d %9d %8d\n", name[i], k ? "asan" : "ubsan", processes[key], runs[key], cover[key], crashed[key]
      bad += crashed[key]; any++
    }
    printf "%-16s %-5s %9s %14d %9s %8d\n", "all", "", "", all, "", bad
    exit bad > 0 || any == 0
  }' "$out"/logs/*
