#!/bin/sh
# defects.sh RANDOM_SCHEMES [SEEDS]: how soon random schemes find each defect that was mended once, put back one at a time (-DEW_DEFECTS=ON, see
# dslc/base/defects.h). Prints the defect, the seconds until it was found, the seconds with its reduction, and the size of the reduced case.
# Seeds that fail without any defect are left out.
set -u
program=$1 seeds=${2:-1-2000} work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ask="--seeds $seeds --schedules 2 --reference reference --keep $work/found"
EW_DEFECT=none "$program" $ask --reduce 0 --seconds 60 >"$work/none"
sed -n 's/^FAIL seed \([0-9]*\).*/\1 fails without a defect/p' "$work/none" >"$work/known"
for defect in long_lists frozen_equations corners inner_fix windows_beside_solids sampled_symmetry; do
  start=$(date +%s) found=
  mkfifo "$work/said"
  EW_DEFECT=$defect timeout 600 "$program" $ask --reduce 20 --known "$work/known" >"$work/said" &
  while read -r line; do
    case $line in
    FAIL*) found=$(($(date +%s) - start)) what=$line ;;
    reduced*) echo "$defect: found after $found s, $line ($what)"; kill $!; break ;;
    esac
  done <"$work/said"
  [ -n "$found" ] || echo "$defect: NOT FOUND in $(($(date +%s) - start)) s"
  rm "$work/said"
done
