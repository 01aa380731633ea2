#!/bin/sh
# wheel.sh SOURCE WORK: what a user does: `pip install .` in a new environment, in the unpacked source distribution; then the ten lines of
# docs/python.md, the package's tests and the notebook, from a folder that holds nothing of the source. 77, skipped, where PyPI cannot be reached.
set -eu
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work/elsewhere"
python3 -m venv "$work/venv" || { echo "wheel.sh: no venv (Debian: python3-venv)" >&2; exit 77; }
pip="$work/venv/bin/pip"
"$pip" install -q numpy >"$work/log" 2>&1 || { tail -n 3 "$work/log" >&2; exit 77; }
# a copy: pip and CMake leave the checkout as it is
mkdir "$work/checkout"
git -C "$source" ls-files -z --cached --others --exclude-standard | (cd "$source" && xargs -0 cp --parents -t "$work/checkout")
"$pip" install -q build >"$work/log" 2>&1 || { tail -n 3 "$work/log" >&2; exit 77; }
"$work/venv/bin/python" -m build --sdist -o "$work" "$work/checkout" >"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; exit 1; }
rm -rf "$work/checkout"
# the sources are all there: the wheel is made of them
mkdir "$work/sdist"
tar -xzf "$work"/edgewise-*.tar.gz -C "$work/sdist" --strip-components=1
(cd "$work/sdist" && "$pip" install . >"$work/log" 2>&1) || { tail -n 30 "$work/log" >&2; exit 1; }
for licence in LICENSE LICENSE.DejaVu; do
  cmp "$source/$licence" "$work/sdist/$licence"
  cmp "$source/$licence" "$work"/venv/lib/python3*/site-packages/edgewise-*.dist-info/licenses/$licence
done
rm -rf "$work/sdist"
# the ten lines of the page
sed -n '/^```python file=dam.py$/,/^```$/{/^```/!p}' "$source/docs/python.md" >"$work/elsewhere/dam.py"
[ "$(wc -l <"$work/elsewhere/dam.py")" -eq 10 ] || { echo "wheel.sh: the example of docs/python.md is no longer ten lines" >&2; exit 1; }
cp "$source/tests/api/test_python.py" "$source/tests/api/notebook.py" "$source/cases/dam_break/notebook.ipynb" "$work/elsewhere"
cd "$work/elsewhere"
unset EDGEWISE_LIBRARY PYTHONPATH || true
"$work/venv/bin/python" dam.py && [ -s dam/h_0002.png ]
"$work/venv/bin/python" test_python.py
"$work/venv/bin/python" notebook.py notebook.ipynb
"$work/venv/bin/python" -c "import edgewise; print(edgewise.__file__, edgewise.__version__)"
rm -rf "$work"
