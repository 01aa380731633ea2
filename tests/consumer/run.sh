#!/bin/sh
# run.sh BUILD SOURCE WORK: installs BUILD below DESTDIR, moves the tree elsewhere, and builds and runs the consumer against it, by pkg-config and
# by find_package; then the installed programs. Nothing may be found in the source's or the build's folders.
set -eu
build=$1 source=$2 work=$3
fail() { echo "run.sh: $*" >&2; exit 1; }
rm -rf "$work"
mkdir -p "$work/outside"
DESTDIR="$work/dest" cmake --install "$build" --prefix /opt/ew >"$work/install.log" || { tail "$work/install.log"; fail "cmake --install"; }
mv "$work/dest/opt/ew" "$work/moved"
prefix=$work/moved
lib=$(dirname "$(find "$prefix" -name edgewise.pc)")
library=$(dirname "$(find "$prefix" -name 'libedgewise.so')")
# The library finds what it needs where the build's does, in a prefix of dependencies too.
needs() { ldd "$1" | sed -n 's/ (0x[0-9a-f]*)$//p' | grep '=>' | sort; }
needs "$build/libedgewise.so" >"$work/built" && needs "$library/libedgewise.so" >"$work/installed"
diff "$work/built" "$work/installed" || fail "the installed library finds others than the build's"
cp "$source/tests/consumer/consumer.c" "$source/tests/consumer/CMakeLists.txt" "$work/outside"
cd "$work/outside"
expected='t = 0.0 s: 5.500000000 m3 of water, the front is at 4.9 m
t = 1.0 s: 5.500000000 m3 of water, the front is at 8.3 m'
check() { [ "$2" = "$expected" ] || fail "$1 prints: $2"; }

export PKG_CONFIG_PATH="$lib"
${CC_CONSUMER:-cc} -std=c99 -Wall -Wextra -Werror consumer.c $(pkg-config --cflags --libs edgewise) -o by_pkg_config
check pkg-config "$(LD_LIBRARY_PATH=$library ./by_pkg_config 2>log)" || { cat log; exit 1; }
CC=${CC_CONSUMER:-cc} cmake -S . -B by_cmake -DCMAKE_PREFIX_PATH="$prefix" >cmake.log 2>&1 || { cat cmake.log; fail find_package; }
cmake --build by_cmake >cmake.log 2>&1 || { cat cmake.log; fail "cmake --build"; }
check find_package "$(./by_cmake/consumer 2>log)" || { cat log; exit 1; }
# also as C++
if command -v c++ >/dev/null 2>&1; then
  echo '#include <edgewise.h>
int main() { return edgewise_version()[0] == 0; }' >header.cpp
  c++ -Wall -Werror header.cpp $(pkg-config --cflags --libs edgewise) -o header
fi

# The programs find their schemes beside themselves; nothing is left that leads back.
"$prefix/bin/dslc" check heat >log 2>&1 || { cat log; fail "dslc check heat"; }
grep -q "^$prefix/share/edgewise/schemes/heat.ew" log || { cat log; fail "dslc found another heat"; }
"$prefix/bin/edgewise" new -s heat plate >log 2>&1 && "$prefix/bin/edgewise" check plate/case.lua >log 2>&1 || { cat log; fail "edgewise new, check"; }
"$prefix/bin/edgewise" version >log
for page in dslc edgewise; do [ -s "$prefix/share/man/man1/$page.1" ] || fail "no manual page of $page"; done
[ -s "$prefix/share/doc/edgewise/docs/index.md" ] || fail "no documentation"
python3 "$source/tests/consumer/links.py" "$prefix/share/doc/edgewise" >log || { cat log; fail "links that lead nowhere"; }
grep -q "Bitstream" "$prefix/share/doc/edgewise/LICENSE.DejaVu" || fail "no licence of the letters in pictures"
rm -rf "$work"
