#!/bin/sh
# Linear systems on a machine with a GPU: right on it, then how fast, form by form. About five minutes.
#   tests/device/linear.sh BUILD [OUT]
# BUILD: a configured build folder. Tables: us and GB/s of a product, its share of the triad, us of an iteration of Jacobi-CG.
# `columns`: bits of a column's number. Of each table the fastest rows and the default's; all of it in OUT/tune_N.txt.
set -e
failed=
build=$1
out=${2:-out/device}
mkdir -p "$out"
ninja -C "$build" edgewise test_csr_product test_csr_solve > "$out/build_linear.log" 2>&1 || { tail -30 "$out/build_linear.log"; exit 1; }
export EDGEWISE_CACHE_DIR="${EDGEWISE_CACHE_DIR:-$PWD/$build/cache}"
echo "== products and solves on the GPU against plain C"
for t in test_csr_product test_csr_solve; do
  EDGEWISE_TEST_DEVICE=gpu "$build/tests/unit/$t" > "$out/$t.txt" 2>&1 && r=ok || r=FAILED
  echo "$t: $r"
  [ $r = ok ] || { failed=1; grep -B2 ERROR "$out/$t.txt" | head -10; }
done
# What a device run sends back is short: of a table in FILE its head and end, the default and the eight fastest rows.
shorten() { # FILE
  sed '/^form  /q' "$1"
  awk '/^form  /{ rows = 1; next } rows && !NF { exit } rows && $12 + 0 > 0 { print $12 "\t" $0 }' "$1" | sort -n |
    awk 'NR <= 8 || /the default/' | cut -f2-
  for verdict in refused skipped WRONG; do echo "$verdict: $(grep -c " $verdict" "$1")"; done
  awk '/^form  /{ rows = 1 } rows && !NF { end = 1 } end' "$1"
}
# The middle size first: it builds the kernels that the others take from the cache.
for n in 57 128 30; do
  echo "== n = $n^3"
  seconds=60
  [ $n = 57 ] && seconds=120
  if "$build/edgewise" tune --device gpu -n $n --seconds $seconds --again > "$out/tune_$n.txt" 2>&1; then
    shorten "$out/tune_$n.txt"
  else
    failed=1
    cat "$out/tune_$n.txt"
  fi
done
[ -z "$failed" ] || { echo "FAILED"; exit 1; }
