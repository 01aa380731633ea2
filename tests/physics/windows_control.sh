#!/bin/sh
# windows_control.sh WINDOWS SCHEME: where nothing is windowed, the comparison must fail, and say why.
set -u
out=$("$1" "$2") && { echo "a scheme without windows passed"; exit 1; }
echo "$out" | grep 'FAIL.*nothing is windowed' || { echo "it failed for another reason: $out"; exit 1; }
