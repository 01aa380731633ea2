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
triad    = 4342.9 GB/s
copy     = 3832.1 GB/s
fma      = 29935.5 Gflop/s
launch   = 5.78 us
measured = 2026-11-23T15:20:01Z

[scheme shallow_water friction=cell on mesh 2D 3]
@text       = 3f5182b3ea612c1f3cc7be0309f6b38a
@cells      = 2000000
@default    = 0.0002352 s a step
@best       = 0.0002348 s a step
@gain       = 1.002
@candidates = 9
@seconds    = 42.8
@measured   = 2026-11-23T13:53:16Z
@driver     = 580.159.04
@version    = 0.1.0

[scheme natural_convection on grid 2D]
@text       = 4a5e5fefb44bdc11e356f5c607b9de9a
@cells      = 1000000
@default    = 0.001475 s a step
@best       = 0.001441 s a step
@gain       = 1.024
@candidates = 10
@seconds    = 43.6
@measured   = 2026-11-23T13:58:06Z
@driver     = 580.159.04
@version    = 0.1.0
grid.columns = 64

[scheme euler_hllc on mesh 2D 3]
@text       = 7168c7da9f20cfa69563181ce2163049
@cells      = 999698
@default    = 0.0001437 s a step
@best       = 0.0001433 s a step
@gain       = 1.003
@candidates = 14
@seconds    = 23.2
@measured   = 2026-11-23T14:25:31Z
@driver     = 580.159.04
@version    = 0.1.0

[scheme acoustics on mesh 2D 3]
@text       = 85b4fb9cffd00f753f014b70010073ea
@cells      = 999698
@default    = 0.0001928 s a step
@best       = 0.0001805 s a step
@gain       = 1.068
@candidates = 15
@seconds    = 22.0
@measured   = 2026-11-23T14:25:57Z
@driver     = 580.159.04
@version    = 0.1.0
divide = refined
u.layout = aos

[scheme heat on mesh 2D 3]
@text       = 2f305de3ace44e2458a0d6d814624901
@cells      = 999698
@default    = 5.313e-05 s a step
@best       = 5.281e-05 s a step
@gain       = 1.006
@candidates = 12
@seconds    = 13.9
@measured   = 2026-11-23T14:26:15Z
@driver     = 580.159.04
@version    = 0.1.0

[scheme advection on mesh 2D 3]
@text       = c40d44adc465b2559f375f1b75455308
@cells      = 999698
@default    = 0.0002414 s a step
@best       = 0.0002403 s a step
@gain       = 1.005
@candidates = 14
@seconds    = 22.6
@measured   = 2026-11-23T14:26:42Z
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
