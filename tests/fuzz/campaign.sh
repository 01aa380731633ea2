#!/bin/bash
# campaign.sh FOLDER SECONDS JOBS OUT: runs every fuzz target that pack.sh put into FOLDER, JOBS processes at a time, for SECONDS in all. A
# quarter of them are watched by ASan and UBSan, where such a program is there, and learn from what is compared; the others, many times as fast,
# are watched by UBSan and assertions, and choose their seeds evenly: weighing them took a third of the time.
# What a process finds new goes to the next one of its target; one that crashed begins again. Prints a table: seconds are those of all processes
# together, new inputs those that reached something new. Inputs that crashed, took too long or too much memory are in OUT/crashes. From the
# environment: SEED, a number (default 1000), so that a second campaign tries other things. Exit status: 0, or 1 where anything crashed, took too
# long or too much memory, or nothing was run.
set -u
[ $# = 4 ] || { sed -n '2,8s/^# //p' "$0" >&2; exit 2; }
folder=$(cd "$1" && pwd) seconds=$2 jobs=$3
mkdir -p "$4/crashes" "$4/logs"
out=$(cd "$4" && pwd)
tmp=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")/campaign-XXXXXX")
trap 'rm -rf "$tmp"' EXIT
export LD_LIBRARY_PATH=$folder/lib TMPDIR=$tmp
export ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=1024:detect_leaks=1

names=$(cd "$folder/fast" && ls | sed 's/^fuzz_//')
n=$(echo "$names" | wc -w)
# Each process runs for so long that all of them fill the time, in whole rounds; at least four of each target, of which one is watched, at least
# 5 seconds.
processes=$(((4 * n + jobs - 1) / jobs * jobs))
share=$((seconds * jobs / processes))
[ "$share" -ge 5 ] || share=5

# once NUMBER TARGET KIND SEED SECONDS LOG: a process; beside its log, its exit status and its seconds.
once() {
  local begun=$SECONDS words=()
  [ ! -f "$folder/dictionaries/$2.dict" ] || words=(-dict="$folder/dictionaries/$2.dict")
  # slow is an input that takes more than 20 seconds; reading all seeds on a busy machine takes minutes, and is none
  timeout -k 30 $(($5 + 300)) "$folder/$3/fuzz_$2" -max_total_time=$5 -entropic=$([ "$3" = asan ] && echo 1 || echo 0) -timeout=20 -report_slow_units=20 \
    -rss_limit_mb=4096 -seed=$4 -print_final_stats=1 -reload=1 "${words[@]}" -artifact_prefix="$out/crashes/$2.$3.$1." "$out/corpus/$2" "$folder/seeds/$2" >"$6" 2>&1
  local status=$?
  echo $status $((SECONDS - begun)) >"$6.status"
  return $status
}

# one NUMBER TARGET: a process, and others in its place while time is left, ten at most, as one that crashed ends.
one() {
  local kind=fast end=$((SECONDS + share)) k=0
  [ $(($1 / n % 4)) = 1 ] && [ -x "$folder/asan/fuzz_$2" ] && kind=asan
  mkdir -p "$out/corpus/$2"
  until once "$1" "$2" $kind $((${SEED:-1000} + $1 + 1000 * k)) $((end - SECONDS)) "$out/logs/$2.$kind.$1.$k"; do
    k=$((k + 1))
    [ $k -lt 10 ] && [ $((end - SECONDS)) -ge 2 ] || break
  done
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
  function row(name, kind, key) {
    printf "%-14s %-5s %9d %12d %8d %9.0f %7d %8d %8d %8d %5d\n", name, kind, processes[key], runs[key], seconds[key],
      seconds[key] ? runs[key] / seconds[key] : runs[key], edges[key], fresh[key], crashes[key], slow[key], large[key]
  }
  function add(key) {
    processes["all"] += processes[key]; runs["all"] += runs[key]; seconds["all"] += seconds[key]; fresh["all"] += fresh[key]
    crashes["all"] += crashes[key]; slow["all"] += slow[key]; large["all"] += large[key]
  }
  FNR == 1 { key = of(FILENAME, p) }
  FILENAME ~ /status$/ { # 70, 71: of libFuzzer; 124, 137: it did not even say so
    seconds[key] += $2
    if ($1 == 70 || $1 == 124 || $1 == 137) slow[key]++
    else if ($1 == 71) large[key]++
    else if ($1 != 0) crashes[key]++
    next
  }
  FNR == 1 { processes[key]++ }
  $1 ~ /^#[0-9]+$/ { at[FILENAME] = substr($1, 2) }
  /stat::number_of_executed_units/ { at[FILENAME] = $2 }
  /stat::new_units_added/ { fresh[key] += $2 }
  / cov: / { for (j = 1; j < NF; j++) if ($j == "cov:" && $(j + 1) > edges[key]) edges[key] = $(j + 1) }
  END {
    printf "%-14s %-5s %9s %12s %8s %9s %7s %8s %8s %8s %5s\n", "target", "watch", "processes", "executions", "seconds", "exec/s", "edges", "new", "crashes", "timeouts", "ooms"
    for (f in at) runs[of(f, p)] += at[f]
    count = split(names, name, /[ \n]+/)
    for (i = 1; i <= count; i++) for (k = 0; k < 2; k++) {
      key = name[i] (k ? " asan" : " fast")
      if (!(key in processes)) continue
      row(name[i], k ? "asan" : "ubsan", key)
      add(key)
    }
    row("all", "", "all")
    exit crashes["all"] + slow["all"] + large["all"] > 0 || processes["all"] == 0
  }' "$out"/logs/*
