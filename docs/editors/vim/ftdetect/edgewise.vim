" Vim takes .ew for Euphoria: `set`, as `setfiletype` leaves that alone.
au BufRead,BufNewFile *.ew set filetype=edgewise
