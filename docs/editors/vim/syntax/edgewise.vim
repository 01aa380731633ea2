" Schemes of Edgewise (.ew). Written by tests/lsp/syntax_files.c: change words there.
if exists("b:current_syntax")
  finish
endif

syn case match
syn keyword ewKeyword across add and at boundary by else exchange extends fix flux fn ghost given if import in integrate let matrix max min most near not of on or over parameter real repeat replace require scheme solve state step sum symmetric then to until update variant where
syn keyword ewType scalar vector tensor bool int
syn keyword ewPlace cells faces nodes edges xfaces yfaces zfaces corners
syn keyword ewFunction abs sign sqrt cbrt exp log sin cos tan asin acos atan atan2 sinh cosh tanh floor dot outer cross trace transpose norm clamp mean jump is_fixed integral table region patch
syn keyword ewGeometry volume centre size area normal tangent distance dx dy dz xc yc zc
syn keyword ewConstant t dt pi inf tiny identity
syn match ewNumber "\<\d\+\(\.\d\+\)\=\([eE][-+]\=\d\+\)\=\>"
syn match ewUnit "\[\s*\(1\|(*\(m\|s\|kg\|K\|A\|mol\|cd\|rad\|N\|Pa\|J\|W\|Hz\|C\|V\|F\|Ohm\|S\|T\|Wb\|H\)\>[A-Za-z0-9*/^() -]*\)\]"
syn match ewEquation "(\u\=\d[0-9A-Za-z.']*)" contained
syn match ewComment "--.*$" contains=ewEquation,@Spell

hi def link ewKeyword Statement
hi def link ewType Type
hi def link ewPlace StorageClass
hi def link ewFunction Function
hi def link ewGeometry Identifier
hi def link ewConstant Constant
hi def link ewNumber Number
hi def link ewUnit Special
hi def link ewEquation SpecialComment
hi def link ewComment Comment

let b:current_syntax = "edgewise"
