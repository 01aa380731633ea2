// A round dish of radius 1.
SetFactory("OpenCASCADE");
DefineConstant[ size = 0.03 ];
Disk(1) = {0, 0, 0, 1};
rim() = Boundary{ Surface{1}; };
Physical Surface("mixture") = {1};
Physical Curve("rim") = {rim(0)};
Mesh.MeshSizeMax = size;
