#!/bin/sh
# Linear systems on a machine with a GPU: right on it, then how fast, form by form. About five minutes.
#   tests/device/linear.sh BUILD [OUT]
# BUILD: a configured build folder. Tables: us and GB/s of a product, its share of the triad, us of an iteration of Jacobi-CG.
# `columns`: bits of a column's number.
set -e
build=$1
out=${2:-out/device}
mkdir -p "$out"
ninja -C "$build" edgewise test_csr_product test_csr_solve > "$out/build_linear.log" 2>&1 || { tail -30 "$out/build_linear.log"; exit 1; }
export EDGEWISE_CACHE_DIR="${EDGEWISE_CACHE_DIR:-$PWD/$build/cache}"
echo "== products and solves on the GPU against plain C"
for t in test_csr_product test_csr_solve; do
  EDGEWISE_TEST_DEVICE=gpu "$build/tests/unit/$t" > "$out/$t.txt" 2>&1 && r=ok || r=FAILED
  echo "$t: $r"
  [ $r = ok ] || grep -B2 ERROR "$out/$t.txt" | head -10
done
# The middle size first: it builds the kernels that the others take from the cache.
for n in 57 128 30; do
  echo "== n = $n^3"
  seconds=60
  [ $n = 57 ] && seconds=120
  "$build/edgewise" tune --device gpu -n $n --seconds $seconds --again | tee "$out/tune_$n.txt"
done
