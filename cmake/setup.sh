#!/bin/sh
# Installs what building, running and testing need; does nothing when all of it is there.
# Debian and Ubuntu only: elsewhere it names what to install and leaves the rest to CMake.
# EW_SKIP_SETUP=1 switches it off (for machines with libraries in places of their own).
set -eu
cd "$(dirname "$0")/.."

. cmake/packages.sh

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
  else
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

# The package manager's own report is long; it is shown only where it explains a failure.
install_packages() {
  if as_root apt-get install -qy --no-install-recommends -o DPkg::Lock::Timeout=300 \
    -o Acquire::Retries=3 "$@" </dev/null >"$log" 2>&1; then
    return 0
  fi
  grep '^E: ' "$log" | tail -n 5 >&2
  return 1
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

if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
  say "packages are missing, and there is neither root nor sudo here; as root, run:"
  say "apt-get update && apt-get install -y --no-install-recommends $missing_needed$missing_useful"
  exit 1
fi

mkdir -p build
log=build/setup.log
say "installing (a minute or two, details in $log): $missing_needed$missing_useful"
as_root apt-get update -q </dev/null >"$log" 2>&1 || say "apt-get update failed; trying with the lists at hand"

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
