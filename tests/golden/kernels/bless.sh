#!/bin/sh
# bless.sh DSLC [FOLDER]: writes the golden kernels, here or into FOLDER: small schemes, one for each way that a reader should
# know. Schemes are named from the top of the checkout, as in generated/regenerate.sh.
set -eu
dslc=$1
folder=$(cd "${2:-$(dirname "$0")}" && pwd)
cd "$(dirname "$0")/../../.."
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

golden() { # NAME SCHEME EXTENSION OPTION...
  name=$1 scheme=$2 extension=$3
  shift 3
  "$dslc" build "schemes/$scheme.ew" --faces-per-cell 3 -o "$made" "$@" >/dev/null
  mv "$made/$scheme.$extension" "$folder/$name.$extension"
}

golden heat_store heat cl --schedule faces=store --schedule q=store
golden heat_serial heat c --target c
golden acoustics_inline acoustics cl --schedule faces=inline
golden acoustics_patch acoustics cl --schedule faces=patch --schedule group=128
golden acoustics_scatter acoustics cl --schedule faces=scatter --schedule reduce=serial
