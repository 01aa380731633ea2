#!/bin/sh
# tcc for the devices `c` and `c-openmp` ($CC): compiles a small scheme in hundredths of a second. It does not know _Pragma. Where one of its reads (8192 bytes)
# ends between the name of a macro with arguments and a `/` behind it, or just behind that `/`, tcc 0.9.27 loses the `/`: "function pointer expected"
# for one scheme in some ten thousands, or none, depending on the length of the folder's name (random scheme 251000072).
[ "$1" = --version ] && exec tcc --version
exec tcc '-D_Pragma(x)=' "$@"
