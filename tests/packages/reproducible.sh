#!/bin/sh
# reproducible.sh SOURCE WORK: builds the packages twice, in two folders of different length with copies of the source in two places, and compares
# the bytes. What differs is named file by file.
set -eu
source=$1 work=$2
rm -rf "$work"
export SOURCE_DATE_EPOCH=1700000000
mkdir -p "$work/one/checkout" "$work/another/place"
git -C "$source" ls-files -z --cached --others --exclude-standard | (cd "$source" && xargs -0 cp --parents -t "$work/one/checkout")
cp -r "$work/one/checkout" "$work/another/place" # now: somebody may be working in the source
for folder in one another/place; do
  sh "$work/$folder/checkout/tests/packages/build.sh" "$work/$folder/built" >/dev/null
done
status=0
for package in "$work"/one/built/*.deb; do
  other=$work/another/place/built/${package##*/}
  cmp -s "$package" "$other" && continue
  status=1
  echo "differs: ${package##*/}" >&2
  rm -rf "$work/x" "$work/y"
  dpkg-deb -x "$package" "$work/x" && dpkg-deb -x "$other" "$work/y"
  diff -rq "$work/x" "$work/y" >&2 || true
done
if grep -al "$work" "$work"/one/built/build/edgewise "$work"/one/built/build/libedgewise.so; then
  echo "the folder of the build is named in these" >&2
  status=1
fi
[ $status -eq 0 ] && rm -rf "$work"
exit $status
