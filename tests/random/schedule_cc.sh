#!/bin/sh
# The compiler ($CC) of tests that build one scheme in many schedules and run each for an instant: tcc for the device `c` (SIMPLE-TS
# in hundredths of a second; gcc -O3 takes twelve), gcc without optimisation for `c-openmp`, and for all where there is no tcc.
if ! command -v tcc >/dev/null; then case "$1" in --version) exec gcc --version ;; esac; exec gcc "$@" -O0; fi
case " $* " in
  *" --version "*) tcc --version && exec gcc --version ;;
  *" -fopenmp "*) exec gcc "$@" -O0 ;;
esac
exec sh "$(dirname "$0")/quick_cc.sh" "$@"
