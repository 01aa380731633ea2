au BufRead,BufNewFile *.ew setfiletype edgewise
