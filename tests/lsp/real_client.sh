#!/bin/sh
# real_client.sh DSLC WORK: real_client.py with pygls (PyPI), which is brought into an environment below WORK once. 77, skipped, where PyPI cannot be
# reached; one that python3 has already is taken.
set -eu
dslc=$1 venv=$2/pygls_venv here=$(cd "$(dirname "$0")" && pwd)
python=python3
has() { "$1" -c "import lsprotocol.types, pygls.lsp.client" 2>/dev/null; }
if ! has python3; then
  python=$venv/bin/python
  if ! has "$python"; then
    rm -rf "$venv"
    mkdir -p "$2"
    { python3 -m venv "$venv" && "$venv/bin/pip" install -q "pygls>=1.3,<3"; } >"$2/pygls.log" 2>&1 || {
      tail -n 3 "$2/pygls.log" >&2
      echo "real_client.sh: skipped: no pygls, and PyPI does not bring it (Debian: python3-venv)" >&2
      exit 77
    }
  fi
fi
exec "$python" "$here/real_client.py" "$dslc"
