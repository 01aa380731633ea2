#!/bin/sh
# malpasset.sh EDGEWISE CASE VALLEY: the case of Malpasset on a made-up valley in the format of the public data.
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$2"/*.lua "$2"/*.awk "$2"/*.sh "$folder"
mkdir "$folder/data"
awk -f "$3" > "$folder/data/malpasset.tsh"
awk -f "$folder/tsh_to_msh.awk" "$folder/data/malpasset.tsh" > "$folder/data/malpasset.msh"
cd "$folder"
"$1" run -q case.lua --device c -D stop=600 | tee seen
grep -q 'S6: highest level 8[34]\.[0-9]* m (84.20), water from [5-9] s' seen # the lake of 100 m falls to some 8/9 of its depth at the dam
grep -q 'S12: highest level [0-9.]* m (21.50), water from 3[0-9][0-9] s' seen
# A mesh with a quarter of the cells, for the second order.
command -v gmsh >/dev/null || exit 0
sh coarser.sh data
fine=$(grep -c . data/malpasset.msh) coarse=$(grep -c . data/coarse.msh)
echo "lines of the meshes: $fine, coarse $coarse"
[ $((coarse * 2)) -lt "$fine" ]
"$1" run -q case.lua --device c -D stop=60 -D mesh=coarse -D scheme=shallow_water_2 | tee seen
grep -q 'S6: highest level 8[0-9]\.[0-9]* m (84.20), water from [0-9]* s' seen
