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
triad    = 4340.95 GB/s
copy     = 3835.29 GB/s
fma      = 29945.5 Gflop/s
launch   = 4.33198 us
measured = 2026-11-28T06:40:28Z

[scheme euler_hllc on mesh 2D 3]
@text       = 7168c7da9f20cfa69563181ce2163049
@cells      = 999698
@default    = 0.0001416 s a step
@best       = 0.0001125 s a step
@gain       = 1.259
@candidates = 22
@seconds    = 39.1
@measured   = 2026-11-24T00:14:38Z
@driver     = 580.159.04
@version    = 0.1.0
items = each
select = branch
faces = inline
group = 64
divide = refined

[scheme acoustics on mesh 2D 3]
@text       = 85b4fb9cffd00f753f014b70010073ea
@cells      = 999698
@default    = 0.0001783 s a step
@best       = 0.0001702 s a step
@gain       = 1.047
@candidates = 18
@seconds    = 29.5
@measured   = 2026-11-24T00:15:12Z
@driver     = 580.159.04
@version    = 0.1.0
items = each
select = branch
faces = inline
group = 64
divide = refined
reduce = serial

[scheme heat on mesh 2D 3]
@text       = 2f305de3ace44e2458a0d6d814624901
@cells      = 999698
@default    = 5.392e-05 s a step
@best       = 5.382e-05 s a step
@gain       = 1.002
@candidates = 14
@seconds    = 18.4
@measured   = 2026-11-24T00:15:34Z
@driver     = 580.159.04
@version    = 0.1.0

[scheme simple_ts time=implicit space=upwind slip=wall_form storage=accelerated on grid 2D]
@text       = 8032cb47e6b467fd951bfd51f110406c
@cells      = 2016000
@default    = 0.003362 s a step
@best       = 0.00321 s a step
@gain       = 1.048
@candidates = 9
@seconds    = 55.2
@measured   = 2026-11-23T15:18:58Z
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
@driver     = 580.159.04
@version    = 0.1.0
items = each
select = branch
faces = store
speed = inline
q.layout = aos

[scheme advection on mesh 2D 3]
@text       = e837493ecb96ce6a018264a9171f87b3
@cells      = 2000000
@default    = 0.0004085 s a step
@best       = 0.0004072 s a step
@gain       = 1.003
@candidates = 20
@seconds    = 47.6
@measured   = 2026-11-28T06:40:28Z
@driver     = 580.159.04
@version    = 0.1.0
