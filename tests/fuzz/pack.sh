#!/bin/bash
# pack.sh WATCHED FAST FOLDER: the fuzz targets of two builds (presets `fuzz` and `fuzz-fast`) with their libraries, seeds and words as a folder, and as
# FOLDER.tar.gz (32 MB), which campaign.sh runs anywhere on x86-64 with a libc as new as this one's.
set -eu
[ $# = 3 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
folder=$3
rm -rf "$folder"
mkdir -p "$folder"/{asan,fast,lib,seeds,dictionaries}
for program in "$1"/fuzz_* "$2"/fuzz_*; do
  [ -x "$program" ] || continue
  kind=fast
  [ "$(dirname "$program")" = "${1%/}" ] && kind=asan
  strip -o "$folder/$kind/$(basename "$program")" "$program"
done
ldd "$folder"/*/fuzz_* | awk '$3 ~ "^/" && $1 !~ /^lib(c|m|dl|rt|pthread)\.so/ { print $3 }' | sort -u | xargs -I{} cp -L {} "$folder/lib"
for program in "$folder"/fast/fuzz_*; do
  name=${program##*/fuzz_}
  mkdir -p "$folder/seeds/$name"
  for from in "$here/corpus/$name" "$here/crashes/$name"; do
    [ ! -d "$from" ] || cp "$from"/* "$folder/seeds/$name"
  done
  words=$here/dictionaries/$name.dict
  [ ! -f "$words" ] || cp "$words" "$folder/dictionaries"
  case $name in
  dslc | sema | build)
    cp "$top"/schemes/*.ew "$top"/tests/golden/sema/*.ew "$folder/seeds/$name"
    { cat "$here/dictionaries/scheme.dict" && sed -n 's/^ *{\("[a-z]*"\), TOK_.*/\1/p' "$top/dslc/front/tokens.c"; } >"$folder/dictionaries/$name.dict"
    ;;
  kernels) cp "$top"/generated/gpu/heat.cl "$top"/generated/gpu/poisson.cl "$top"/generated/gpu/gray_scott.cl "$folder/seeds/$name" ;;
  profile) cp "$top"/generated/profiles/*.profile "$folder/seeds/$name" ;;
  esac
done
cp "$here/campaign.sh" "$folder"
tar -C "$(dirname "$folder")" -czf "$folder.tar.gz" "$(basename "$folder")"
du -sh "$folder" "$folder.tar.gz"
