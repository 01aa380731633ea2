#!/bin/sh
# vim.sh VIM FOLDER: what Vim makes of a scheme with the folder in its runtime path.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'scheme a on mesh(2) { }' > "$work/a.ew"
"$1" -es -u NONE --cmd "set rtp+=$2" -c 'filetype plugin on' -c 'syntax on' -c "e $work/a.ew" -c "redir! > $work/said" \
  -c 'echo &ft synIDattr(synID(1,1,0),"name") &makeprg' -c 'redir END' -c 'qa!' </dev/null >/dev/null 2>&1 || true
[ "$(tr -d '\n' < "$work/said")" = 'edgewise ewKeyword dslc check %:S' ] || { cat "$work/said" 2>/dev/null; exit 1; }
echo good
