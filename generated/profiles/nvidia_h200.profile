-- A profile of Edgewise: `edgewise probe` and `edgewise tune` write it. Settings may be edited; lines with @ say how
-- they were measured. docs/tuning.md tells more.

[device]
name     = NVIDIA H200
platform = NVIDIA CUDA
driver   = 580.159.04
kind     = gpu
units    = 132
local    = 49152
memory   = 150109880320

[roofs]
triad    = 4355.12 GB/s
copy     = 3895.5 GB/s
fma      = 29916 Gflop/s
launch   = 5.4446 us
measured = 2026-11-30T00:15:49Z

[scheme acoustics on mesh 2D 3]
@text       = 85b4fb9cffd00f753f014b70010073ea
@cells      = 999698
@default    = 0.0001783 s a step
@best       = 0.0001702 s a step
@gain       = 1.047
@candidates = 18
@seconds    = 29.5
@measured   = 2026-11-24T00:15:12Z
@units      = 132
@driver     = 580.159.04
@version    = 0.1.0
items = each
select = branch
faces = inline
group = 64
divide = refined
reduce = serial

[scheme simple_ts time=implicit space=upwind slip=wall_form storage=accelerated on grid 2D]
@text       = 8032cb47e6b467fd951bfd51f110406c
@cells      = 2016000
@default    = 0.003362 s a step
@best       = 0.00321 s a step
@gain       = 1.048
@candidates = 9
@seconds    = 55.2
@measured   = 2026-11-23T15:18:58Z
@units      = 132
@driver     = 580.159.04
@version    = 0.1.0
grid.window = auto
items = each
grid.walls = tables

[scheme simple_ts time=implicit space=tvd slip=wall_form storage=accelerated on grid 2D]
@text       = 8032cb47e6b467fd951bfd51f110406c
@cells      = 2016000
@default    = 0.005354 s a step
@best       = 0.005386 s a step
@gain       = 0.9939
@candidates = 6
@seconds    = 42.4
@measured   = 2026-11-23T15:20:01Z
@units      = 132
@driver     = 580.159.04
@version    = 0.1.0

[scheme convection_diffusion stabilisation=none on mesh 2D 3]
@text       = 536b5e181b3e77c50ecb1a81a303e54a
@cells      = 999698
@default    = 0.0001467 s a step
@best       = 0.0001429 s a step
@gain       = 1.027
@candidates = 19
@seconds    = 44.9
@measured   = 2026-11-24T00:17:07Z
@units      = 132
@driver     = 580.159.04
@version    = 0.1.0
items = each
lanes = 1
edges = sliced
reads = as_used

[scheme convection_diffusion stabilisation=conservative on mesh 2D 3]
@text       = 536b5e181b3e77c50ecb1a81a303e54a
@cells      = 980000
@default    = 0.0004021 s a step
@best       = 0.0002749 s a step
@gain       = 1.463
@candidates = 15
@seconds    = 45.6
@measured   = 2026-11-24T00:18:00Z
@units      = 132
@driver     = 580.159.04
@version    = 0.1.0
items = each
select = branch
group = 64
divide = refined
lanes = 1
tau = store

[scheme shallow_water friction=mixed on mesh 2D 3]
@text       = 3a2c87c71517d38730d89a471d7c5ac4
@cells      = 2000000
@default    = 0.0003586 s a step
@best       = 0.0003313 s a step
@gain       = 1.082
@candidates = 25
@seconds    = 69.9
@measured   = 2026-11-28T06:39:32Z
@units      = 132
@driver     = 580.159.04
@version    = 0.1.0
items = each
select = branch
faces = store
speed = inline
q.layout = aos

[scheme advection on mesh 2D 3]
@text       = 6941810e359d63338c19e91bd52a4e12
@cells      = 2000000
@default    = 0.0004044 s a step
@best       = 0.000404 s a step
@gain       = 1.001
@candidates = 12
@seconds    = 38.9
@measured   = 2026-11-30T00:11:43Z
@units      = 132
@driver     = 580.159.04
@version    = 0.1.0

[scheme heat on mesh 2D 3]
@text       = 6e185eec14bc7bb0b4db0990eedf760b
@cells      = 2000000
@default    = 7.635e-05 s a step
@best       = 7.657e-05 s a step
@gain       = 0.9971
@candidates = 9
@seconds    = 17.6
@measured   = 2026-11-30T00:10:57Z
@units      = 132
@driver     = 580.159.04
@version    = 0.1.0

[scheme euler_hllc on mesh 2D 3]
@text       = e8ffc0e36f54d3ac09b1bcbdcced5f97
@cells      = 2000000
@default    = 0.000197 s a step
@best       = 0.0001975 s a step
@gain       = 0.9976
@candidates = 13
@seconds    = 35.7
@measured   = 2026-11-30T00:12:27Z
@units      = 132
@driver     = 580.159.04
@version    = 0.1.0

[scheme mac on grid 2D]
@text       = 66f99ba4792eb0ee96d8ae70ddf42d4f
@cells      = 1999396
@default    = 0.001789 s a step
@best       = 0.001448 s a step
@gain       = 1.235
@candidates = 8
@seconds    = 42.4
@measured   = 2026-11-30T00:13:16Z
@units      = 132
@driver     = 580.159.04
@version    = 0.1.0
grid.window = off
items = each
select = branch
force.x = window

[scheme shallow_water_2 on mesh 2D 3]
@text       = 2a7fa5d55331b0d525e0aa05593d5c54
@cells      = 2000000
@default    = 0.0009305 s a step
@best       = 0.0009032 s a step
@gain       = 1.03
@candidates = 9
@seconds    = 40.2
@measured   = 2026-11-30T00:14:05Z
@units      = 132
@driver     = 580.159.04
@version    = 0.1.0
select = ternary

[scheme rain friction=mixed on mesh 2D 3]
@text       = 9fb62ce7d0c8fa9a90d885393ba30e2f
@cells      = 2000000
@default    = 0.0003963 s a step
@best       = 0.0003846 s a step
@gain       = 1.031
@candidates = 9
@seconds    = 43.4
@measured   = 2026-11-30T00:14:58Z
@units      = 132
@driver     = 580.159.04
@version    = 0.1.0
select = ternary

[scheme tracer friction=mixed on mesh 2D 3]
@text       = a25216113aaf54bee3f191ee71e0ad7d
@cells      = 2000000
@default    = 0.0005625 s a step
@best       = 0.0003675 s a step
@gain       = 1.531
@candidates = 9
@seconds    = 41.1
@measured   = 2026-11-30T00:15:49Z
@units      = 132
@driver     = 580.159.04
@version    = 0.1.0
items = each
select = branch
faces = store
speed = inline
