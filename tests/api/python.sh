#!/bin/sh
# python.sh SOURCE LIBRARY COMMAND...: runs a command with `python3` being the first Python that has numpy, and the package edgewise of this tree
# on top of LIBRARY; 77, skipped, where there is none.
set -eu
source=$1 library=$2
shift 2
for python in ${EW_PYTHON:-} python3 /usr/bin/python3; do
  python=$("$python" -c 'import numpy, sys; print(sys.executable)' 2>/dev/null) || continue
  export EDGEWISE_LIBRARY="$library" PYTHONPATH="$source/runtime/python" PYTHONDONTWRITEBYTECODE=1 PATH="${python%/*}:$PATH"
  exec env ${EW_PRELOAD:+"LD_PRELOAD=$EW_PRELOAD"} "$@"
done
echo "python.sh: no Python with numpy (Debian: python3-numpy)" >&2
exit 77
