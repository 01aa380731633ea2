#!/bin/sh
# syntax.sh DSLC SCHEME.ew: strict compilers read the scheme's kernels, for every way to sum over faces and to choose. A text that
# another choice gave already (on grids most do) is not read again.
# 77: the scheme holds what this version cannot build, or there is no clang to read OpenCL C.
set -u
dslc=$1 scheme=$2
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
clang=$(command -v clang || command -v clang-14)

# build FOLDER OPTION...
build() {
  out="$here/$1"
  shift
  "$dslc" build "$scheme" -o "$out" "$@" >"$here/said" 2>&1 && return
  grep -q 'cannot be built yet' "$here/said" && exit 77
  cat "$here/said"
  exit 1
}

# read_it FILE COMPILER OPTION...
read_it() {
  text=$(basename "$1").$(cksum <"$1" | tr -d ' ')
  file=$1
  shift
  case " $seen " in *" $text "*) return ;; esac
  "$@" "$file" || { echo "complaints about: dslc build $scheme $options"; exit 1; }
  seen="$seen $text"
}
seen=

for faces in store inline scatter patch; do
  for select in ternary branch delta; do
    [ $faces != patch ] || [ $select = branch ] || continue
    for mesh in "" "--faces-per-cell 3" "--faces-per-cell 3 --periodic"; do
      options="--schedule faces=$faces --schedule select=$select $mesh"
      build cl $options
      build c $options --target c
      build openmp $options --target c-openmp
      for file in "$here"/c/*.c; do read_it "$file" gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only; done
      for file in "$here"/openmp/*.c; do read_it "$file" gcc -std=c11 -Wall -Wextra -Werror -fopenmp -fsyntax-only; done
      [ -n "$clang" ] || continue
      for file in "$here"/cl/*.cl; do
        read_it "$file" "$clang" -x cl -cl-std=CL1.2 -target spir64 -Wall -Werror -Xclang -finclude-default-header -fsyntax-only
      done
    done
  done
done
[ -n "$clang" ] || exit 77
