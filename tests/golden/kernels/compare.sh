#!/bin/sh
# compare.sh DSLC: the golden kernels against what the compiler emits now.
set -u
folder=$(dirname "$0")
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
sh "$folder/bless.sh" "$1" "$here" || exit 1
for kernel in "$folder"/*.cl "$folder"/*.c "$here"/*; do
  diff -u "$folder/${kernel##*/}" "$here/${kernel##*/}" || failed=1
done
[ -z "${failed:-}" ] || { echo "the kernels have changed; if that is wanted: make generated"; exit 1; }
