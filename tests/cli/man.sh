#!/bin/sh
# man.sh PROGRAM...: each program's manual page has a section for every command that its help lists, and every option that the command's help
# shows with its words; mandoc and groff, where they are installed, find no fault in it.
set -u
export LC_ALL=C NO_COLOR=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
wrong=0 asked=0
fault() { echo "$*" >&2; wrong=1; }

# As a reader sees it: troff's escapes resolved.
plain() { sed -e 's/\\-/-/g' -e 's/\\&//g' -e 's/\\e/\\/g' "$1"; }

for program; do
  name=$(basename "$program") page=$folder/$(basename "$program").1
  "$program" help --man >"$page" || fault "$name help --man: exit status $?"
  plain "$page" >"$folder/page"
  "$program" help | sed -n 's/^  \([a-z_-]*\)  .*/\1/p' >"$folder/commands"
  [ -s "$folder/commands" ] || fault "$name help lists no command"
  while read -r command; do
    sed -n "/^\.SS $name $command\( \|\$\)/,/^\.S[SH] /{//!p;}" "$folder/page" >"$folder/section"
    [ -s "$folder/section" ] || fault "$name.1 has no section for $command"
    # "  -o, --output FOLDER        words": the words of an option may follow after one blank
    "$program" "$command" --help 2>&1 | sed -n 's/^  \( *-.*\)/\1/p' | sed 's/^ *//' >"$folder/options"
    while IFS= read -r option; do
      asked=$((asked + 1))
      awk -v want="$(echo "$option" | sed 's/  */ /g')" '
        /^\.B / { head = substr($0, 4); getline; line = head " " $0; gsub(/  */, " ", line); if (line == want) found = 1 }
        END { exit !found }' "$folder/section" || fault "$name.1, $command: not there: $option"
    done <"$folder/options"
  done <"$folder/commands"
  if command -v mandoc >/dev/null; then
    mandoc -T lint -W error "$page" || fault "mandoc finds faults in $name.1"
  fi
  if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww -z "$page" 2>"$folder/said" || fault "groff fails on $name.1"
    [ ! -s "$folder/said" ] || fault "groff says of $name.1: $(cat "$folder/said")"
  fi
done
[ "$asked" -gt 60 ] || fault "only $asked options were compared"
echo "$asked options of $# programs"
exit $wrong
