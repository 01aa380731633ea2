#!/bin/sh
# build.sh WORK: builds the Debian packages of the checkout into WORK/*.deb. The time in them is that of the last commit.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
work=$(cd "$1" && pwd)
: "${SOURCE_DATE_EPOCH:=$(git -C "$source" log -1 --format=%ct 2>/dev/null || echo 0)}"
export SOURCE_DATE_EPOCH
umask 022
cmake -S "$source" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF -DEW_DEBIAN=ON \
  -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_LIBDIR="lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)" ${CMAKE_OPTIONS:-} >"$work/log" 2>&1 \
  && cmake --build "$work/build" -j "${JOBS:-$(nproc)}" >>"$work/log" 2>&1 \
  && (cd "$work/build" && cpack -B "$work/packages") >>"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; exit 1; }
mv "$work"/packages/*.deb "$work"
rm -rf "$work/packages"
ls "$work"/*.deb
