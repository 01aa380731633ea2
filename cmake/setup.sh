#!/bin/sh
# Installs what building, running and testing need; does nothing when all of it is there.
# Debian and Ubuntu only: elsewhere it names what to install and leaves the rest to CMake.
# EW_SKIP_SETUP=1 switches it off (for machines with libraries in places of their own).
set -eu

# Without these nothing can be built or run.
needed="gcc libc6-dev cmake ninja-build pkg-config flex bison
ocl-icd-opencl-dev opencl-headers pocl-opencl-icd
libpng-dev zlib1g-dev libcjson-dev liblua5.4-dev libxxhash-dev libcmocka-dev"

# Meshes from .geo files (gmsh) and two groups of tests (oclgrind, clang); those are skipped without.
useful="gmsh oclgrind clang"

say() { printf 'setup: %s\n' "$*" >&2; }

missing_of() {
  for package in "$@"; do
    state=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null || true)
    case $state in ii*) ;; *) printf '%s ' "$package" ;; esac
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  else
    say "neither root nor sudo here; as root, run: $*"
    return 1
  fi
}

install_packages() {
  as_root apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@" </dev/null >&2
}

[ "${EW_SKIP_SETUP:-0}" = 1 ] && exit 0

if ! command -v dpkg-query >/dev/null 2>&1; then
  say "not a Debian system: if CMake stops, install the counterparts of: $(echo $needed $useful)"
  exit 0
fi

# Word splitting of the lists is meant.
missing_needed=$(missing_of $needed)
missing_useful=$(missing_of $useful)
[ -n "$missing_needed$missing_useful" ] || exit 0

say "installing: $missing_needed$missing_useful"
as_root apt-get update -q </dev/null >&2 || say "apt-get update failed; trying with the lists at hand"

if [ -n "$missing_useful" ] && install_packages $missing_needed $missing_useful; then
  exit 0
fi
if [ -n "$missing_needed" ] && ! install_packages $missing_needed; then
  say "could not install: $missing_needed"
  say "install them by hand, or set EW_SKIP_SETUP=1 if they are there in another form"
  exit 1
fi
for package in $missing_useful; do
  install_packages "$package" || say "going on without $package: what needs it is skipped"
done
