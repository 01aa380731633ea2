#!/bin/sh
# Multigrid's set-up on a machine with a GPU: right on it, then how long it takes, beside conjugate gradients without it. A minute.
#   tests/device/multigrid.sh BUILD [OUT]
# BUILD: a configured build folder.
set -e
build=$1
out=${2:-out/device}
failed=
mkdir -p "$out"
ninja -C "$build" edgewise test_csr_setup test_csr_multigrid setup_times > "$out/build_multigrid.log" 2>&1 || { tail -30 "$out/build_multigrid.log"; exit 1; }
export EDGEWISE_CACHE_DIR="${EDGEWISE_CACHE_DIR:-$PWD/$build/cache}"
for t in test_csr_setup test_csr_multigrid; do
  EDGEWISE_TEST_DEVICE=gpu "$build/tests/unit/$t" > "$out/$t.txt" 2>&1 && r=ok || r=FAILED
  echo "$t: $r"
  [ $r = ok ] || { failed=1; grep -B2 -A2 ERROR "$out/$t.txt" | head -20; }
done
echo "== set-up, n = 128^3"
"$build/tests/device/setup_times" gpu 128 || failed=1
echo "== set-up and solve, beside Jacobi"
"$build/edgewise" bench linear --device gpu -n 128 || failed=1
[ -z "$failed" ] || { echo "FAILED"; exit 1; }
