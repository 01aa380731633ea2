#!/bin/sh
# coarser.sh FOLDER: from malpasset.tsh in FOLDER makes coarse.tsh and coarse.msh with a quarter of the cells, by Gmsh. Run it beside the awk programs.
set -e
awk -f coarser.awk "$1/malpasset.tsh" > "$1/coarse.geo"
gmsh -2 -v 2 "$1/coarse.geo" -o "$1/outline.msh"
awk -f coarser.awk "$1/malpasset.tsh" "$1/outline.msh" > "$1/coarse.tsh"
awk -f tsh_to_msh.awk "$1/coarse.tsh" > "$1/coarse.msh"
rm "$1/coarse.geo" "$1/outline.msh"
