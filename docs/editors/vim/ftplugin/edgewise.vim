" Schemes of Edgewise (.ew): comments, indentation of two, `dslc check` as :make.
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=--\ %s comments=:-- formatoptions-=t formatoptions+=croql
setlocal shiftwidth=2 softtabstop=2 expandtab textwidth=0
setlocal makeprg=dslc\ check\ %:S
setlocal errorformat=%E%trror[%*[A-Z0-9]]:\ %m,%W%tarning[%*[A-Z0-9]]:\ %m,%C%*\\s-->\ %f:%l:%c,%-G%.%#

let b:undo_ftplugin = "setlocal commentstring< comments< formatoptions< shiftwidth< softtabstop< expandtab< textwidth< makeprg< errorformat<"
