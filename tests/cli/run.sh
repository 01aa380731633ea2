#!/bin/sh
# run.sh TEST_FOLDER EDGEWISE DSLC SOURCE: runs the folder's `cmd` in a copy of it and compares exit status, stdout and
# stderr with `expected`. In both, paths are replaced: @SOURCE@ the checkout, @HERE@ the copy. Times and counts that differ
# from machine to machine are masked by the test's own `mask`, a sed script, if there is one.
# EW_BLESS=1 writes `expected` instead: look at the difference before it is committed.
set -u
test=$1 EDGEWISE=$2 DSLC=$3 source=$4
SOURCE=$source
export EDGEWISE DSLC SOURCE LC_ALL=C NO_COLOR=1
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cp -R "$test/../common/." "$test/." "$here/"
export EDGEWISE_DATA_DIR="$here/data" EDGEWISE_CACHE_DIR="$here/cache" POCL_CACHE_DIR="$here/pocl"

(cd "$here" && sh ./cmd) >"$here.out" 2>"$here.err" </dev/null
status=$?
touch "$here/mask"
normal() { sed -e "s#$here#@HERE@#g" -e "s#$source#@SOURCE@#g" "$1" | sed -f "$here/mask"; }
{
  echo "status $status"
  echo "--- stdout"
  normal "$here.out"
  echo "--- stderr"
  normal "$here.err"
} >"$here/actual"
rm -f "$here.out" "$here.err"

if [ "${EW_BLESS:-0}" = 1 ]; then
  cp "$here/actual" "$test/expected"
else
  diff -u "$test/expected" "$here/actual"
fi
