# A parallelogram of nx by ny by 2 triangles, for Gmsh's readers, with sides left, right, bottom, top:
#   awk -v nx=8 -v ny=6 -v height=0.1 -v shear=3 -v seed=1 -f sheared.awk > sheared.msh
# The upper side lies `shear` times the height to the right; lines are at random distances.
BEGIN {
  srand(seed); lines(nx, 1, x); lines(ny, height, y)
  print "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n1 1 \"left\"\n1 2 \"right\"\n1 3 \"bottom\"\n1 4 \"top\"\n2 5 \"all\"\n$EndPhysicalNames"
  print "$Nodes\n" (nx + 1)*(ny + 1)
  for (j = 0; j <= ny; j++) for (i = 0; i <= nx; i++) print at(i, j), x[i] + shear*y[j], y[j], 0
  print "$EndNodes\n$Elements\n" 2*(nx + ny) + 2*nx*ny
  for (i = 0; i < nx; i++) { side(3, at(i, 0), at(i + 1, 0)); side(4, at(i, ny), at(i + 1, ny)) }
  for (j = 0; j < ny; j++) { side(1, at(0, j), at(0, j + 1)); side(2, at(nx, j), at(nx, j + 1)) }
  for (j = 0; j < ny; j++) for (i = 0; i < nx; i++) {
    print ++n, 2, 2, 5, 5, at(i, j), at(i + 1, j), at(i + 1, j + 1)
    print ++n, 2, 2, 5, 5, at(i, j), at(i + 1, j + 1), at(i, j + 1)
  }
  print "$EndElements"
}
function at(i, j) { return j*(nx + 1) + i + 1 }
function side(tag, a, b) { print ++n, 1, 2, tag, tag, a, b }
function lines(n, length_, to,   i, sum) {
  for (i = 1; i <= n; i++) to[i] = to[i - 1] + 10^rand()
  sum = to[n]
  for (i = 0; i <= n; i++) to[i] = to[i]/sum*length_
}
