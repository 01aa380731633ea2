#!/bin/sh
# defects.sh [-j JOBS] [-t SECONDS] [-s SEED] RANDOM_SCHEMES [DEFECT...]: how soon random schemes find each defect that was mended once, put back one at a
# time (a build with -DEW_DEFECTS=ON, see dslc/base/defects.h). As many as there are JOBS (default: one for each core) are searched for side by side, all
# of them if there are enough, by JOBS processes together; seven times as many, as there are seven searches for each; each for at most SECONDS (600), from SEED (1) on. Prints a table: the defect, the seconds until a scheme showed it and until that was
# reduced, the seed, the characters of the reduced scheme. What fails without the defect too is neither counted nor reduced to. Exit status 1 if one was not found.
# Without $CC it compiles with schedule_cc.sh: most of the time would be the C compiler's otherwise.
# Seven searches, side by side, for each defect: all schemes, those that are changed (--vary), and three kinds of short ones, on the model machine, which takes no
# compiler of C and looks at three times as many; names, which only a compiler of C can take for others; and changed cases of kept, less those that show
# this very defect as they are: for what half a minute has not found.
# What random schemes cannot show, as it is refused or warned of now, is asked by tests/bad and tests/physics.
set -u
CC=${CC:-$(cd "$(dirname "$0")" && pwd)/schedule_cc.sh}
export CC
jobs=$(nproc) seconds=600 first=1
while getopts j:t:s: option; do
  case $option in j) jobs=$OPTARG ;; t) seconds=$OPTARG ;; s) first=$OPTARG ;; *) exit 2 ;; esac
done
shift $((OPTIND - 1))
program=$1 kept=$(cd "$(dirname "$0")" && pwd)/kept
shift
[ $# -gt 0 ] || set -- $(cat "$(dirname "$0")/defects.txt")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
side=$# each=$((jobs / $#))
[ $each -gt 0 ] || each=1 side=$jobs

# shows FOLDER: the reduced case is right or refused without the defect, and wrong with it.
again() { EW_DEFECT=$1 "$program" --reference reference --replay "$2" 2>&1; }
shows() { again none "$1" | grep -qE ': (agrees|differs as|is refused)' && again "$defect" "$1" | grep -qE ': (differs|fails): '; }

# look: the first case that shows the defect, in $found; empty if the search ended without one.
look() {
  found=
  while [ -z "$found" ]; do
    running=0
    for one in $search; do kill -0 "$one" 2>/dev/null && running=1; done
    for folder in $(sed -n 's/^  kept in //p' "$here/said"); do
      grep -qx "$folder" "$here/tried" && continue
      echo "$folder" >>"$here/tried"
      if shows "$folder"; then found=$folder; return; fi
    done
    [ $running = 1 ] || return
    sleep 0.5
  done
}

# near: changed cases of kept that are right with the defect. The first half minute is the others'.
near() {
  sleep 30
  mkdir "$here/near"
  for case in "$kept"/*/; do
    again "$defect" "$case" | grep -qE ': (differs|fails): ' || ln -s "$case" "$here/near/"
  done
  left=$((seconds + start - $(date +%s)))
  [ $left -gt 0 ] || return
  EW_DEFECT=$defect exec timeout $left "$program" --seeds "$first-$((first + 999999))" --schedules 1 --reference reference --seconds $left \
    --jobs $each --reduce 20 --keep "$here/keptnear" --devices model --from "$here/near" --vary 6
}

find_one() { # DEFECT
  defect=$1 here=$work/$1 start=$(date +%s)
  : >"$here/said"
  : >"$here/tried"
  search=
  for of in '--devices model' '--devices model --vary 6' '--devices model --kind corners' '--devices model --kind chains' '--devices model --kind values' \
    '--devices c --kind named'; do
    EW_DEFECT=$defect timeout "$seconds" "$program" --seeds "$first-$((first + 999999))" --schedules 1 --reference reference --seconds "$seconds" \
      --jobs $each --reduce 20 --keep "$here/kept$(echo $of | tr -d ' ')" $of >>"$here/said" 2>&1 &
    search="$search $!"
  done
  near >>"$here/said" 2>&1 &
  search="$search $!"
  look
  kill $search 2>/dev/null
  wait $search 2>/dev/null
  took=$(($(date +%s) - start))
  if [ -z "$found" ]; then
    printf '%-24s NOT FOUND in %s s\n' "$defect" $took
    return
  fi
  seed=${found##*/}
  reduced=$(awk -v s="FAIL seed $seed:" 'index($0, s) == 1 { on = 1 } on && /^  reduced in/ { print $3; exit }' "$here/said")
  printf '%-24s %7.0f %8s %8s %11s\n' "$defect" "$(awk "BEGIN { d = $took - ${reduced:-0}; print d < 0 ? 0 : d }")" $took "$seed" "$(wc -c <"$found/scheme.ew")"
}

# What others have begun is theirs: the first to make its folder takes a defect.
find_some() {
  for one; do
    mkdir "$work/$one" 2>/dev/null && find_one "$one" | tee "$work/row.$one"
  done
}

printf '%-24s %7s %8s %8s %11s\n' defect found reduced seed characters
for k in $(seq "$side"); do find_some "$@" & done
wait
! grep -q 'NOT FOUND' "$work"/row.*
