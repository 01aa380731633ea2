// Ahmed's body (SAE 840300) in a wind tunnel: the nose at x = 0, the ground at z = 0, the air comes along x. Tetrahedra have
// sides of about `size` on the body, half of that on its stilts, and grow away from body and wake; `slant` is the angle of
// the rear window. Lengths in metres.
DefineConstant[ size = 0.0125, slant = 25 ];
SetFactory("OpenCASCADE");

long = 1.044;
wide = 0.389;
high = 0.288;
clearance = 0.05;   // between ground and body
radius = 0.1;       // of the four edges of the front
window = 0.222;     // length of the slanted surface
stilt = 0.03;       // diameter
roof = clearance + high;
side = wide/2;
along = window*Cos(slant*Pi/180);
down = window*Sin(slant*Pi/180);

// ---- the body: where its profile, seen from the side, and its plan, seen from above, both are ----
Point(1) = {0,            -side, clearance + radius};
Point(2) = {0,            -side, roof - radius};
Point(3) = {radius,       -side, roof - radius};
Point(4) = {radius,       -side, roof};
Point(5) = {long - along, -side, roof};
Point(6) = {long,         -side, roof - down};
Point(7) = {long,         -side, clearance};
Point(8) = {radius,       -side, clearance};
Point(9) = {radius,       -side, clearance + radius};
Line(1) = {1, 2};
Circle(2) = {2, 3, 4};
Line(3) = {4, 5};
If (slant > 0)
  Line(4) = {5, 6};
  Line(5) = {6, 7};
  profile[] = {1 : 7};
Else
  Line(5) = {5, 7};
  profile[] = {1, 2, 3, 5, 6, 7};
EndIf
Line(6) = {7, 8};
Circle(7) = {8, 9, 1};
Curve Loop(1) = {profile[]};
Plane Surface(1) = {1};
seen[] = Extrude {0, wide, 0} { Surface{1}; };

Point(21) = {0,      radius - side, clearance};
Point(22) = {radius, radius - side, clearance};
Point(23) = {radius, -side,         clearance};
Point(24) = {long,   -side,         clearance};
Point(25) = {long,   side,          clearance};
Point(26) = {radius, side,          clearance};
Point(27) = {radius, side - radius, clearance};
Point(28) = {0,      side - radius, clearance};
Circle(41) = {21, 22, 23};
Line(42) = {23, 24};
Line(43) = {24, 25};
Line(44) = {25, 26};
Circle(45) = {26, 27, 28};
Line(46) = {28, 21};
Curve Loop(41) = {41 : 46};
Plane Surface(41) = {41};
above[] = Extrude {0, 0, high} { Surface{41}; };
body[] = BooleanIntersection{ Volume{seen[1]}; Delete; }{ Volume{above[1]}; Delete; };

// ---- on four stilts in the tunnel, whose section is that of Lienhart and Becker's (2003), 1.87 m by 1.4 m ----
stilts[] = {};
For k In {0 : 3}
  v = newv;
  Cylinder(v) = {(k < 2) ? 0.2025 : 0.6725, (k % 2 == 0) ? -0.1635 : 0.1635, 0, 0, 0, clearance + 0.01, stilt/2};
  stilts[] += {v};
EndFor
upstream = -2;
downstream = 6;
v = newv;
Box(v) = {upstream, -0.935, 0, downstream - upstream, 1.87, 1.4};
air[] = BooleanDifference{ Volume{v}; Delete; }{ Volume{body[], stilts[]}; Delete; };

// ---- names, by where a surface lies ----
e = 1e-4;
inlet[]  = Surface In BoundingBox {upstream - e,   -1, -e,     upstream + e,   1, 2};
outlet[] = Surface In BoundingBox {downstream - e, -1, -e,     downstream + e, 1, 2};
ground[] = Surface In BoundingBox {upstream - e,   -1, -e,     downstream + e, 1, e};
top[]    = Surface In BoundingBox {upstream - e,   -1, 1.4 - e, downstream + e, 1, 2};
sides[]  = Surface In BoundingBox {upstream - e,   -1, -e,     downstream + e, -0.935 + e, 2};
sides[] += Surface In BoundingBox {upstream - e, 0.935 - e, -e, downstream + e, 1, 2};
body[]   = Surface In BoundingBox {-e, -side - e, -e, long + e, side + e, 0.4};
Physical Surface("inlet")  = {inlet[]};
Physical Surface("outlet") = {outlet[]};
Physical Surface("ground") = {ground[]};
Physical Surface("top")    = {top[]};
Physical Surface("sides")  = {sides[]};
Physical Surface("body")   = {body[]};
Physical Volume("fluid") = {air[]};

// ---- sizes: layers of boxes around the body, its wake and each stilt ----
far = 12*size;
Field[1] = Box;   // the body
Field[1].VIn = size;
Field[1].VOut = far;
Field[1].XMin = 0;
Field[1].XMax = long;
Field[1].YMin = -side;
Field[1].YMax = side;
Field[1].ZMin = 0;
Field[1].ZMax = roof;
Field[1].Thickness = 1;
Field[2] = Box;   // its wake
Field[2].VIn = 1.5*size;
Field[2].VOut = far;
Field[2].XMin = long;
Field[2].XMax = long + 0.5;
Field[2].YMin = -side;
Field[2].YMax = side;
Field[2].ZMin = 0;
Field[2].ZMax = roof;
Field[2].Thickness = 1.5;
For k In {0 : 3}
  Field[3 + k] = Box;
  Field[3 + k].VIn = size/2;
  Field[3 + k].VOut = far;
  Field[3 + k].XMin = ((k < 2) ? 0.2025 : 0.6725) - 0.02;
  Field[3 + k].XMax = ((k < 2) ? 0.2025 : 0.6725) + 0.02;
  Field[3 + k].YMin = ((k % 2 == 0) ? -0.1635 : 0.1635) - 0.02;
  Field[3 + k].YMax = ((k % 2 == 0) ? -0.1635 : 0.1635) + 0.02;
  Field[3 + k].ZMin = 0;
  Field[3 + k].ZMax = clearance;
  Field[3 + k].Thickness = 1;
EndFor
Field[7] = Min;
Field[7].FieldsList = {1 : 6};
Background Field = 7;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.Algorithm = 6;
Mesh.Algorithm3D = 1;
Mesh.Optimize = 1;
