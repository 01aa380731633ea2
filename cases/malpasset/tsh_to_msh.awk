# ANUGA's triangles (.tsh) as a mesh for Gmsh's readers, with the group `edge` all round:  awk -f tsh_to_msh.awk mesh.tsh > mesh.msh
/<vertex #>/ && !nodes { nodes = $1; for (i = 0; i < nodes; i++) { getline; place[i] = $2 " " $3 } next }
/<triangle #>/         { cells = $1; for (i = 0; i < cells; i++) { getline; cell[i] = ($2 + 1) " " ($3 + 1) " " ($4 + 1) } next }
/<segment #>/ && !edges { edges = $1; for (i = 0; i < edges; i++) { getline; edge[i] = ($2 + 1) " " ($3 + 1) } next }
END {
  print "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"edge\"\n2 2 \"valley\"\n$EndPhysicalNames\n$Nodes\n" nodes
  for (i = 0; i < nodes; i++) print i + 1, place[i], 0
  print "$EndNodes\n$Elements\n" edges + cells
  for (i = 0; i < edges; i++) print i + 1, 1, 2, 1, 1, edge[i]
  for (i = 0; i < cells; i++) print edges + i + 1, 2, 2, 2, 2, cell[i]
  print "$EndElements"
}
