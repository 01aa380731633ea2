#!/bin/sh
# hard_steps.sh EDGEWISE FOLDER [ARGUMENTS]: hard_steps.lua of FOLDER with 40 sheared meshes: from right angles to edges 30 times as long as high.
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
edgewise=$1
cp "$2"/hard_*.lua "$2"/expect.lua "$folder"
for i in $(seq 40); do
  awk -v i="$i" 'BEGIN { srand(i); print int(6 + 8*rand()), int(6 + 8*rand()), 10^(2*rand() - 2), 30*rand()^2, i }' |
    { read -r nx ny height shear seed; awk -v nx="$nx" -v ny="$ny" -v height="$height" -v shear="$shear" -v seed="$seed" -f "$2/sheared.awk" > "$folder/sheared_$i.msh"; }
done
shift 2
cd "$folder"
"$edgewise" run -q hard_steps.lua -D sheared=40 "$@"
