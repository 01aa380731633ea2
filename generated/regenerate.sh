#!/bin/sh
# regenerate.sh DSLC [FOLDER [PROFILE]]: kernels and manifests of every scheme that can be built, for meshes of triangles, below FOLDER
# (default: here): gpu/ and cpu/ hold what `dslc` chooses by default for such a device. `make generated` calls this; a test
# compares. With a PROFILE, a file, only those of that profile's settings are made, in a folder named like it. Schemes are named from the top of the checkout, so that the result does not depend on where it lies.
set -eu
dslc=$1
mkdir -p "${2:-$(dirname "$0")}"
folder=$(cd "${2:-$(dirname "$0")}" && pwd)
settings=${3:+$(realpath "$3")}
cd "$(dirname "$0")/.."
said=$(mktemp)
trap 'rm -f "$said"' EXIT

build() { # PROFILE [OPTION]
  profile=$1
  shift
  rm -rf "${folder:?}/$profile"
  for scheme in schemes/*.ew; do
    grep -q '^ *scheme ' "$scheme" || continue # a file to import
    "$dslc" build "$scheme" --faces-per-cell 3 "$@" -o "$folder/$profile" >"$said" 2>&1 && {
      sed -n "/no section .*the scheme was changed/s|^|$scheme: |p" "$said" >&2
      continue
    }
    grep -q 'cannot be built yet' "$said" || { cat "$said" >&2; exit 1; }
  done
}

if [ -z "$settings" ]; then
  build gpu
  build cpu --cpu
else # of its own kind of device: [device] says which
  cpu=--cpu
  if grep -q '^kind *= *gpu' "$settings"; then cpu=; fi
  if grep -q '^kind *= *host' "$settings"; then cpu='--target c'; fi
  build "$(basename "$settings" .profile)" $cpu --profile "$settings"
fi
