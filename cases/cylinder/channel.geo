// The channel with a cylinder of Schäfer and Turek (1996), tests 2D-1 and 2D-2: 2.2 m by 0.41 m, a cylinder of diameter
// 0.1 m a little below the middle, so that its vortices need no push. Triangles have sides of `size` on the cylinder,
// larger in its wake and in the rest of the channel.
DefineConstant[ size = 0.006 ];
length = 2.2;
height = 0.41;
radius = 0.05;
x = 0.2;
y = 0.2;

Point(1) = {0,      0,      0};
Point(2) = {length, 0,      0};
Point(3) = {length, height, 0};
Point(4) = {0,      height, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Point(5) = {x,          y,          0};
Point(6) = {x + radius, y,          0};
Point(7) = {x,          y + radius, 0};
Point(8) = {x - radius, y,          0};
Point(9) = {x,          y - radius, 0};
Circle(5) = {6, 5, 7};
Circle(6) = {7, 5, 8};
Circle(7) = {8, 5, 9};
Circle(8) = {9, 5, 6};
Curve Loop(1) = {1 : 4};
Curve Loop(2) = {5 : 8};
Plane Surface(1) = {1, 2};

// ---- sizes: from the cylinder outwards, and in the strip that its vortices pass ----
Field[1] = Distance;
Field[1].CurvesList = {5 : 8};
Field[1].NumPointsPerCurve = 100;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = size;
Field[2].SizeMax = 4*size;
Field[2].DistMin = 0.01;
Field[2].DistMax = 0.2;
Field[3] = Box;
Field[3].VIn = 2*size;
Field[3].VOut = 4*size;
Field[3].XMin = x;
Field[3].XMax = x + 0.6;
Field[3].YMin = y - 2*radius;
Field[3].YMax = y + 2*radius;
Field[3].Thickness = 0.3;
Field[4] = Min;
Field[4].FieldsList = {2, 3};
Background Field = 4;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.Algorithm = 6;
Mesh.Smoothing = 10;

Physical Curve("inlet")    = {4};
Physical Curve("outlet")   = {2};
Physical Curve("walls")    = {1, 3};
Physical Curve("cylinder") = {5 : 8};
Physical Surface("fluid") = {1};
