#!/bin/sh
# tcc for the devices `c` and `c-openmp` ($CC): compiles a small scheme in hundredths of a second. It does not know _Pragma. Where one of its reads (8192 bytes)
# ends between the name of a macro with arguments and a `/` behind it, or just behind that `/`, tcc 0.9.27 loses the `/` ("function pointer expected" for one
# scheme in some ten thousands): it is given a file in which blanks let every read end where a line does.
[ "$1" = --version ] && exec tcc --version
case " $* " in *" - "*) ;; *) exec tcc '-D_Pragma(x)=' "$@" ;; esac
source=${TMPDIR:-/tmp}/quick_cc.$$.c
trap 'rm -f "$source"' EXIT
LC_ALL=C awk '{ left = 8192 - at % 8192; n = length($0) + 1
  if (n > left) { printf "%*s", left, ""; at += left }
  print; at += n }' >"$source"
n=$#
while [ $n -gt 0 ]; do
  [ "$1" = - ] && set -- "$@" "$source" || set -- "$@" "$1"
  shift
  n=$((n - 1))
done
tcc '-D_Pragma(x)=' "$@"
