#!/bin/sh
# compare_generated.sh DSLC: what generated/ ships against what the compiler emits now.
set -u
shipped=$(dirname "$0")/../../../generated
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
sh "$shipped/regenerate.sh" "$1" "$here" || exit 1
for profile in gpu cpu; do diff -ru "$shipped/$profile" "$here/$profile" || failed=1; done
[ -z "${failed:-}" ] || { echo "the compiler emits other kernels than generated/ ships: make generated"; exit 1; }
