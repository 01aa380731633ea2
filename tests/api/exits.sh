#!/bin/sh
# exits.sh ARCHIVE...: the libraries end no process that is not theirs. What calls exit, _exit or abort is named here, with the reason:
#   options.c, check.c, spawn.c, process.c: _exit, where a program's streams cannot be opened at all, and in processes that were forked for a purpose;
#   arena.c, quote_expr.c: abort, as assertions do, where a handler returns against its contract, or a template in our own source is no C (and emit.c in debug builds).
set -eu
calls=$(for archive; do nm -A "$archive" 2>/dev/null; done |
  sed -nE 's/^.*:([a-z_]+\.c)\.o: +U (exit|_exit|_Exit|quick_exit|abort)(@.*)?$/\1 \2/p' | grep -vx 'emit.c abort' | LC_ALL=C sort)
expected='arena.c abort
check.c _exit
options.c _exit
process.c _exit
quote_expr.c abort
spawn.c _exit'
[ "$calls" = "$expected" ] || { printf 'exits.sh: the libraries end processes in other places than are known:\n%s\n' "$calls" >&2; exit 1; }
