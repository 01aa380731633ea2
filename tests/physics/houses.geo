// A basin of 20 m by 10 m with twelve houses: gmsh -2 -format msh41 houses.geo && gzip -9n houses.msh
SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 20, 10};
houses[] = {};
For i In {0 : 3}
  For j In {0 : 2}
    s = news;
    Rectangle(s) = {7 + 3*i + 0.3*j, 1.2 + 2.9*j - 0.2*i, 0, 1.4, 1.1 + 0.2*i};
    Rotate {{0, 0, 1}, {8 + 3*i, 2 + 2.9*j, 0}, 0.2*(i - j)} { Surface{s}; }
    houses[] += s;
  EndFor
EndFor
BooleanDifference(100) = { Surface{1}; Delete; }{ Surface{houses[]}; Delete; };
sides[] = {};
For k In {0 : 3}
  x0 = (k == 1) ? 20 : 0; x1 = (k == 0) ? 0 : 20;
  y0 = (k == 3) ? 10 : 0; y1 = (k == 2) ? 0 : 10;
  sides[] += Curve In BoundingBox {x0 - 1e-3, y0 - 1e-3, -1, x1 + 1e-3, y1 + 1e-3, 1};
EndFor
all[] = Boundary{ Surface{100}; };
walls[] = {};
For k In {0 : #all[] - 1}
  walls[] += Fabs(all[k]);
EndFor
walls[] -= sides[];
Mesh.MeshSizeMin = 0.35;
Mesh.MeshSizeMax = 0.35;
Physical Curve("sides") = sides[];
Physical Curve("houses") = walls[];
Physical Surface("basin") = {100};
