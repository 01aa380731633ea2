// Triangles on the left, quadrangles on the right: cells with different numbers of faces.
Point(1) = {0, 0, 0, 0.12}; Point(2) = {1, 0, 0, 0.12}; Point(3) = {2, 0, 0, 0.12};
Point(4) = {2, 1, 0, 0.12}; Point(5) = {1, 1, 0, 0.12}; Point(6) = {0, 1, 0, 0.12};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 5}; Line(5) = {5, 6}; Line(6) = {6, 1}; Line(7) = {2, 5};
Line Loop(1) = {1, 7, 5, 6}; Plane Surface(1) = {1};
Line Loop(2) = {2, 3, 4, -7}; Plane Surface(2) = {2};
Recombine Surface{2};
Physical Line("bottom") = {1, 2}; Physical Line("right") = {3}; Physical Line("top") = {4, 5}; Physical Line("left") = {6};
Physical Surface("domain") = {1, 2};
