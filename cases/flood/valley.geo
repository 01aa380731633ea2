// A valley of 1000 m by 600 m with a town: houses are holes in the mesh. Triangles are small (`size`) in the streets and
// along the river, large on the hills.
DefineConstant[ size = 2.5 ];
length = 1000;
width = 600;
hills = 5*size;

// ---- the valley; the river comes in between two points of its left side ----
Point(1) = {0,      0,     0, hills};
Point(2) = {length, 0,     0, hills};
Point(3) = {length, width, 0, hills};
Point(4) = {0,      width, 0, hills};
Point(5) = {0,      322,   0, 2*size};
Point(6) = {0,      270,   0, 2*size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 1};
Curve Loop(1) = {1 : 6};

// ---- the town: blocks in rows along the river, turned, with a market place and no two houses alike ----
turn = -0.12;
loops[] = {1};
walls[] = {};
For row In {0 : 4}
  For column In {0 : 8}
    market = (row == 2 && (column == 3 || column == 4));
    empty = (Fmod(7*row + 5*column, 11) == 3);
    If (!market && !empty)
      along = 480 + 36*column + 4*Sin(3*row);
      away = 330 + 29*row + 3*Cos(2*column);
      deep = 8 + 2.5*Sin(5*row + 2*column);
      wide = 11 + 3*Cos(3*row - column);
      p = newp;
      For k In {0 : 3}
        sx = wide*((k == 0 || k == 3) ? -1 : 1);
        sy = deep*((k < 2) ? -1 : 1);
        Point(p + k) = {along + sx*Cos(turn) - sy*Sin(turn), away - 0.12*(along - 480) + sx*Sin(turn) + sy*Cos(turn), 0, size};
      EndFor
      c = newc;
      Line(c) = {p, p + 1};
      Line(c + 1) = {p + 1, p + 2};
      Line(c + 2) = {p + 2, p + 3};
      Line(c + 3) = {p + 3, p};
      loop = newll;
      Curve Loop(loop) = {c : c + 3};
      loops[] += {loop};
      walls[] += {c : c + 3};
    EndIf
  EndFor
EndFor
Plane Surface(1) = {loops[]};

// ---- the river's course, only to grade the mesh ----
course[] = {};
For k In {0 : 40}
  x = length*k/40;
  p = newp;
  Point(p) = {x, 250 + 55*Sin(x/130 + 1) + 18*Sin(x/47), 0};
  course[] += {p};
EndFor
river = newc;
Spline(river) = {course[]};

Field[1] = Distance;
Field[1].CurvesList = {walls[]};
Field[1].NumPointsPerCurve = 10;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = size;
Field[2].SizeMax = hills;
Field[2].DistMin = 15;
Field[2].DistMax = 160;
Field[3] = Distance;
Field[3].CurvesList = {river};
Field[3].NumPointsPerCurve = 400;
Field[4] = Threshold;
Field[4].InField = 3;
Field[4].SizeMin = 1.5*size;
Field[4].SizeMax = hills;
Field[4].DistMin = 25;
Field[4].DistMax = 180;
Field[5] = Min;
Field[5].FieldsList = {2, 4};
Background Field = 5;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.Algorithm = 6;

Physical Curve("inlet")  = {5};
Physical Curve("outlet") = {2};
Physical Curve("sides")  = {1, 3, 4, 6};
Physical Curve("houses") = {walls[]};
Physical Surface("valley") = {1};
