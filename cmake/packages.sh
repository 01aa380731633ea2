# Debian's packages that building, running and testing need; read by setup.sh and unpack_deps.sh.

compilers="gcc libc6-dev cmake ninja-build pkg-config"
opencl="ocl-icd-opencl-dev opencl-headers pocl-opencl-icd"
libraries="flex bison libpng-dev zlib1g-dev libcjson-dev liblua5.4-dev libxxhash-dev libcmocka-dev"

# Without these nothing can be built or run.
needed="$compilers $opencl $libraries"

# Meshes from .geo files (gmsh); two groups of tests (oclgrind, clang), skipped without; tests that change manifests and read VTU files
# (python3), and those of the Python package (numpy); a compiler for random schemes (tcc), which take longer without.
useful="gmsh oclgrind clang python3 python3-numpy tcc"
