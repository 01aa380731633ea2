# A mesh with a quarter of the cells (coarser.sh).   awk -f coarser.awk fine.tsh            what Gmsh needs: the outline, sizes twice those of the fine mesh
#                                      awk -f coarser.awk fine.tsh coarse.msh > coarse.tsh  its mesh with the bed of the fine one
/<vertex #>/ && !nodes   { nodes = $1; for (i = 0; i < nodes; i++) { getline; x[i] = $2; y[i] = $3; z[i] = $4 } next }
/<triangle #>/           { cells = $1; for (i = 0; i < cells; i++) { getline; a[i] = $2; b[i] = $3; c[i] = $4 } next }
/^\$Nodes/               { getline; made = $1; for (i = 0; i < made; i++) { getline; mine[$1] = i; px[i] = $2; py[i] = $3 } next }
/^\$Elements/            { getline; for (n = $1; n > 0; n--) { getline; if ($2 == 2) triangle[faces++] = mine[$6] " " mine[$7] " " mine[$8]; if ($2 == 1) line[lines++] = mine[$6] " " mine[$7] } next }

function area(i) { return ((x[b[i]] - x[a[i]])*(y[c[i]] - y[a[i]]) - (x[c[i]] - x[a[i]])*(y[b[i]] - y[a[i]]))/2 }
function corner(i, j) { return x[i] "," y[i] ",0" (j == "" ? "" : ",") }

function side(i, j) { if ((j, i) in open) delete open[j, i]; else open[i, j] } # what stays has a triangle on one side only

function outline(    i, first, n, s) {
  for (i = 0; i < cells; i++) { s = sqrt(4*area(i)/sqrt(3)); size[a[i]] += s; size[b[i]] += s; size[c[i]] += s; count[a[i]]++; count[b[i]]++; count[c[i]]++ }
  print "View \"size\" {"
  for (i = 0; i < cells; i++)
    print "ST(" corner(a[i], 1) corner(b[i], 1) corner(c[i]) "){" factor*size[a[i]]/count[a[i]] "," factor*size[b[i]]/count[b[i]] "," factor*size[c[i]]/count[c[i]] "};"
  print "};\nField[1] = PostView;\nBackground Field = 1;\nMesh.MeshSizeExtendFromBoundary = 0;\nMesh.MshFileVersion = 2.2;"
  for (i = 0; i < cells; i++) { side(a[i], b[i]); side(b[i], c[i]); side(c[i], a[i]) }
  for (i in open) { split(i, ends, SUBSEP); first = ends[1]; to[first] = ends[2]; edges++ }
  i = first
  do { if (n % 2 == 0 && n != edges - 1) print "Point(" ++m ") = {" corner(i) "};"; n++; i = to[i] } while (i != first && n <= edges)
  if (n != edges) { print "the outline is not one line: " n " of " edges > "/dev/stderr"; exit 1 }
  for (i = 1; i <= m; i++) print "Line(" i ") = {" i "," i % m + 1 "};"
  print "Line Loop(1) = {1:" m "};\nPlane Surface(1) = {1};\nTransfinite Line {1:" m "} = 2;\nPhysical Line(1) = {1:" m "};\nPhysical Surface(2) = {1};"
}

# the bed of the fine triangle that a point lies in, or of the nearest one: on the outline
function bed(px, py,    k, n, i, best, out, l, m, r, value, list) {
  best = 1e30
  n = split(near[int(px/100) "," int(py/100)], list, " ")
  for (k = 1; k <= n; k++) {
    i = list[k]
    l = ((x[b[i]] - px)*(y[c[i]] - py) - (x[c[i]] - px)*(y[b[i]] - py))/2/area(i)
    m = ((x[c[i]] - px)*(y[a[i]] - py) - (x[a[i]] - px)*(y[c[i]] - py))/2/area(i)
    r = 1 - l - m
    out = (l < 0 ? -l : 0) + (m < 0 ? -m : 0) + (r < 0 ? -r : 0)
    if (out < best) { best = out; value = l*z[a[i]] + m*z[b[i]] + r*z[c[i]] }
  }
  return value
}
# its mean in a triangle, over the centres of 64 equal ones
function mean(corners,    p, i, j, n, sum, l, m) {
  split(corners, p, " ")
  n = 8
  for (i = 0; i < n; i++)
    for (j = 0; j < 2*(n - i) - 1; j++) {
      l = (i + (j % 2 ? 2 : 1)/3)/n; m = (int(j/2) + (j % 2 ? 2 : 1)/3)/n
      sum += bed(l*px[p[1]] + m*px[p[2]] + (1 - l - m)*px[p[3]], l*py[p[1]] + m*py[p[2]] + (1 - l - m)*py[p[3]])
    }
  return sum/n/n
}
function low(p, q, r) { return p < q ? (p < r ? p : r) : (q < r ? q : r) }
function high(p, q, r) { return p > q ? (p > r ? p : r) : (q > r ? q : r) }

END {
  factor = 2.16
  if (!made) { outline(); exit }
  for (i = 0; i < cells; i++)
    for (j = int(low(x[a[i]], x[b[i]], x[c[i]])/100) - 1; j <= int(high(x[a[i]], x[b[i]], x[c[i]])/100) + 1; j++)
      for (k = int(low(y[a[i]], y[b[i]], y[c[i]])/100) - 1; k <= int(high(y[a[i]], y[b[i]], y[c[i]])/100) + 1; k++) near[j "," k] = near[j "," k] " " i
  print made, 1, "# <vertex #> <x> <y> [attributes]"
  for (i = 0; i < made; i++) printf "%d %.9g %.9g %.6g\n", i, px[i], py[i], bed(px[i], py[i])
  print faces, "# <triangle #> [<vertex #>]"
  for (i = 0; i < faces; i++) print i, triangle[i], -1, -1, -1, mean(triangle[i])
  print lines, "# <segment #> <vertex #> <vertex #>"
  for (i = 0; i < lines; i++) print i, line[i]
}
