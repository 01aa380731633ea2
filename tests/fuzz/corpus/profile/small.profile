-- A profile of the model machine, with the settings of a scheme.

[device]
name     = model
platform = model machine: checks kernels as it runs them, slow
driver   = 1.0
kind     = cpu
units    = 2
local    = 262144
memory   = 25276510208

[roofs]
triad    = 33.3 GB/s
copy     = 32.9 GB/s
fma      = 60.4 Gflop/s
launch   = 5.52 us
measured = 2026-11-23T07:25:00Z

[scheme heat on mesh 2D 3]
@text       = 3f5182b3ea612c1f3cc7be0309f6b38a
@cells      = 59858
@gain       = 1.814
@candidates = 8
@seconds    = 38.5
@measured   = 2026-11-23T08:20:02Z
@driver     = 1.0
@version    = 0.1.0
items = each
select = branch
faces = inline
