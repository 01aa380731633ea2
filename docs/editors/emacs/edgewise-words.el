;;; edgewise-words.el --- words of schemes of Edgewise  -*- lexical-binding: t -*-
;; Written by tests/lsp/syntax_files.c: change words there.

(defconst edgewise-keywords
  '("across" "add" "and" "at" "boundary" "by" "else" "exchange" "extends" "fix" "flux" "fn" "ghost" "given" "if" "import" "in" "integrate" "let" "matrix" "max" "min" "most" "near" "not" "of" "on" "or" "over" "parameter" "real" "repeat" "replace" "require" "scheme" "solve" "state" "step" "sum" "symmetric" "then" "to" "until" "update" "variant" "where"))
(defconst edgewise-types
  '("scalar" "vector" "tensor" "bool" "int"))
(defconst edgewise-places
  '("cells" "faces" "nodes" "edges" "xfaces" "yfaces" "zfaces" "corners"))
(defconst edgewise-functions
  '("abs" "sign" "sqrt" "cbrt" "exp" "log" "sin" "cos" "tan" "asin" "acos" "atan" "atan2" "sinh" "cosh" "tanh" "floor" "dot" "outer" "cross" "trace" "transpose" "norm" "clamp" "mean" "jump" "is_fixed" "integral" "table" "region" "patch"))
(defconst edgewise-geometry
  '("volume" "centre" "size" "area" "normal" "tangent" "distance" "dx" "dy" "dz" "xc" "yc" "zc"))
(defconst edgewise-constants
  '("t" "dt" "pi" "inf" "tiny" "identity"))

(provide 'edgewise-words)
;;; edgewise-words.el ends here
