# A straight valley of 13 km in ANUGA's format, so that cases/malpasset runs without the public data:  awk -f valley.awk > data/malpasset.tsh
BEGIN {
  nx = 60; ny = 8; n = (nx + 1)*(ny + 1)
  print n " 1 # <vertex #> <x> <y> [attributes] ...Triangulation Vertices..."
  for (j = 0; j <= ny; j++) for (i = 0; i <= nx; i++) { x = 500 + i*220; y = 2000 + j*350; print at(i, j), x, y, 105 - x/100 + ((y - 3400)/200)^2 }
  print "# attribute column titles ...Triangulation Vertex Titles...\nelevation"
  print 2*nx*ny " # <triangle #> [<vertex #>] [<neigbouring triangle #>] [attribute of region] ...Triangulation Triangles..."
  for (j = 0; j < ny; j++) for (i = 0; i < nx; i++) {
    print t++, at(i, j), at(i + 1, j), at(i + 1, j + 1), -1, -1, -1
    print t++, at(i, j), at(i + 1, j + 1), at(i, j + 1), -1, -1, -1
  }
  print 2*(nx + ny) " # <segment #> <vertex #>  <vertex #> [boundary marker] ...Triangulation Segments..."
  for (i = 0; i < nx; i++) { print s++, at(i, 0), at(i + 1, 0), "external"; print s++, at(i, ny), at(i + 1, ny), "external" }
  for (j = 0; j < ny; j++) { print s++, at(0, j), at(0, j + 1), "external"; print s++, at(nx, j), at(nx, j + 1), "external" }
}
function at(i, j) { return j*(nx + 1) + i }
