#!/bin/sh
# unpack_deps.sh [FOLDER [PACKAGE...]]: unpacks the libraries that a build needs, and what they need themselves, into a folder (.deps)
# instead of installing them. For machines where nothing can be installed, but which have compilers and OpenCL: make the
# folder on a Debian of the same architecture, take it there, and configure with -DEW_DEPS_PREFIX=FOLDER.
# PACKAGE...: further packages, such as ocl-icd-opencl-dev.
set -eu
folder=${1:-.deps}
[ $# -gt 0 ] && shift
. "$(dirname "$0")/packages.sh"

# What every system has that compiles C, and what Lua's prompt, not its library, needs.
on_every_system() {
  case $1 in
  libc6* | libc-dev* | libgcc-s1 | gcc-*-base | libstdc++6 | *debconf* | libreadline*) return 0 ;;
  esac
  return 1
}

# Prints the packages and all that they depend on.
with_dependencies() {
  seen=" "
  while [ $# -gt 0 ]; do
    package=$1
    shift
    case $seen in *" $package "*) continue ;; esac
    on_every_system "$package" && continue
    seen="$seen$package "
    set -- "$@" $(LC_ALL=C apt-cache depends --important "$package" | sed -n 's/^  \(Pre\)\{0,1\}Depends: \([a-z0-9][^ ]*\).*/\2/p')
  done
  echo $seen
}

# Links to places of the system, such as zlib's, would lead out of the folder; the new ones are relative, so that it can be moved.
turn_links_inwards() {
  find "$1" -type l -lname '/*' | while read -r link; do
    target=$1$(readlink "$link")
    if [ -e "$target" ]; then ln -sfr "$target" "$link"; fi
  done
}

command -v apt-get >/dev/null && command -v dpkg >/dev/null || { echo "unpack_deps: not a Debian system" >&2; exit 1; }
archives=$(mktemp -d)
trap 'rm -rf "$archives"' EXIT
packages=$(with_dependencies $libraries "$@")
(cd "$archives" && apt-get download -q $packages >log 2>&1) || {
  grep '^[EW]:' "$archives/log" >&2
  echo "unpack_deps: could not download the packages; 'apt-get update' may help" >&2
  exit 1
}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
for archive in "$archives"/*.deb; do dpkg -x "$archive" "$folder"; done
turn_links_inwards "$folder"
rm -rf "$folder/usr/share/doc" "$folder/usr/share/man" "$folder/usr/share/info" "$folder/usr/share/locale"
echo "unpack_deps: in $folder: $packages"
