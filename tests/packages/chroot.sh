#!/bin/sh
# chroot.sh bookworm|noble [PACKAGES]: installs the Debian packages (*.deb in the folder PACKAGES; else built here first) on a bare Debian 12 or Ubuntu
# 24.04 and uses them as a stranger would: programs on PoCL and on plain C, the library from C by pkg-config and CMake, removal. As root,
# with debootstrap and a mirror. EW_CHROOT: a folder with bare systems NAME to copy from instead.
set -eu
suite=${1:?bookworm or noble}
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/edgewise-$suite-XXXXXX")
root=$work/root
fail() { echo "chroot.sh $suite: $*" >&2; exit 1; }
leave() {
  for at in dev/pts dev/shm dev sys proc; do mountpoint -q "$root/$at" && umount -l "$root/$at"; done
  mountpoint -q "$root/proc" || mountpoint -q "$root/dev" || mountpoint -q "$root/sys" || rm -rf --one-file-system "$work"
}
trap leave EXIT INT TERM

# ---- a bare system ----
[ "$(id -u)" -eq 0 ] || { echo "chroot.sh: skipped: needs root, for debootstrap and chroot" >&2; exit 77; }
mirror=http://deb.debian.org/debian components=main script= check=
if [ "$suite" = noble ]; then
  mirror=http://archive.ubuntu.com/ubuntu components=main,universe
  keys=/usr/share/keyrings/ubuntu-archive-keyring.gpg
  if [ -e $keys ]; then check=--keyring=$keys; else check=--no-check-gpg; fi # Debian 12 has no package of Ubuntu's keys
  [ -e /usr/share/debootstrap/scripts/noble ] || script=/usr/share/debootstrap/scripts/gutsy
fi
if [ -d "${EW_CHROOT:-}/$suite" ]; then cp -a "$EW_CHROOT/$suite" "$root"
else
  command -v debootstrap >/dev/null || fail "needs debootstrap"
  debootstrap --variant=minbase --components=$components $check "$suite" "$root" $mirror $script >"$work/log" 2>&1 || { tail "$work/log" >&2; fail debootstrap; }
fi
mkdir -p "$root/packages"
if [ $# -gt 1 ]; then cp "$2"/*.deb "$root/packages"
else
  sh "$here/build.sh" "$work/built" >/dev/null || fail "the packages are not built"
  cp "$work/built"/*.deb "$root/packages"
fi
cp "$source/tests/consumer/consumer.c" "$source/tests/consumer/CMakeLists.txt" "$root/packages"
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys" && mount --make-rslave "$root/sys"
mount --rbind /dev "$root/dev" && mount --make-rslave "$root/dev"

# ---- inside ----
cat >"$root/packages/inside.sh" <<'INSIDE'
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root
say() { echo "== $*"; }
cd /packages
apt-get update -q >log 2>&1 || { tail log; exit 1; }
say "programs, with what they recommend"
apt-get install -qy ./edgewise_*.deb ./edgewise-data_*.deb >log 2>&1 || { tail -n 30 log; exit 1; }
dslc check shallow_water
edgewise doctor
edgewise run /usr/share/edgewise/cases/dam_break/case.lua -D size=0.5 -D mesh=generated -o /tmp/pocl -q --json --device cpu
edgewise run /usr/share/edgewise/cases/dam_break/case.lua -D size=0.5 -D mesh=generated -o /tmp/plain -q --json --device c
[ -s /tmp/pocl/depth_0005.png ] && [ -s /tmp/plain/depth_0005.png ]
cd /tmp && edgewise new -s heat plate && edgewise check plate/case.lua && cd /packages
[ -s /usr/share/man/man1/edgewise.1.gz ] || grep -rqs 'path-exclude.*man' /etc/dpkg/dpkg.cfg.d

say "the library from C"
apt-get install -qy ./libedgewise*.deb pkg-config cmake make >log 2>&1 || { tail -n 30 log; exit 1; }
cc -Wall -Werror consumer.c $(pkg-config --cflags --libs edgewise) -o consumer
./consumer c
cmake -S . -B by_cmake >log 2>&1 && cmake --build by_cmake >>log 2>&1 || { tail log; exit 1; }
./by_cmake/consumer cpu

say "removal"
apt-get purge -qy edgewise edgewise-data libedgewise1 libedgewise-dev >log 2>&1 || { tail log; exit 1; }
left=$(find /usr -ipath '*edgewise*' -o -name 'dslc*' | grep -v '^/usr/share/doc' || true)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
INSIDE
chroot "$root" sh /packages/inside.sh || fail "see above"
echo "$suite: ok"
