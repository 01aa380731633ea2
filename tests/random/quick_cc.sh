#!/bin/sh
# tcc for the devices `c` and `c-openmp` ($CC): compiles a small scheme in hundredths of a second. It does not know _Pragma.
[ "$1" = --version ] && exec tcc --version
exec tcc '-D_Pragma(x)=' "$@"
