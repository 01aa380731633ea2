#!/bin/sh
# operators.sh LUA_SCRIPT FOLDER [SEED [COUNT]]: random operators on grids against the same schemes written out (operators.lua), on the interpreter.
# Exit status 1 if one differs or is refused, or if fewer than half as many were tried as were asked for.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
SEED=${3:-1} COUNT=${4:-40}
export SEED COUNT
rm -rf "$2"
mkdir -p "$2"
cd "$2"
FOLDER=$PWD
export FOLDER
"$1" "$here/operators.lua"
tried=0 failed=0
for scheme in called_*.ew; do
  name=${scheme#called_} SEED=${scheme##*_}
  DIMS=${name%%_*} SEED=${SEED%.ew} edgewise run -q "$here/operators_agree.lua" >said 2>&1 || { failed=$((failed + 1)); echo "$scheme:"; head -n 8 said; }
  tried=$((tried + 1))
done
echo "$tried schemes tried, $failed failed"
[ $failed = 0 ] && [ $((2 * tried)) -ge "$COUNT" ]
