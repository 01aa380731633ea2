-- A profile of Edgewise: `edgewise probe` and `edgewise tune` write it. Settings may be edited; lines with @ say how
-- they were measured. docs/tuning.md tells more.

[device]
name     = NVIDIA H100 80GB HBM3
platform = NVIDIA CUDA
driver   = 580.159.04
kind     = gpu
units    = 132
local    = 49152
memory   = 85017493504

[roofs]
triad    = 3056.6 GB/s
copy     = 2908.57 GB/s
fma      = 30178.4 Gflop/s
launch   = 5.09764 us
measured = 2026-11-28T00:20:26Z

[scheme shallow_water friction=mixed on mesh 2D 3]
@text       = 3a2c87c71517d38730d89a471d7c5ac4
@cells      = 2000000
@default    = 0.0004283 s a step
@best       = 0.0003642 s a step
@gain       = 1.176
@candidates = 24
@seconds    = 78.7
@measured   = 2026-11-28T00:14:29Z
@driver     = 580.159.04
@version    = 0.1.0
items = each
faces = inline
group = 128
divide = refined
select = ternary
layout = aos

[scheme shallow_water_2 on mesh 2D 3]
@text       = 2a7fa5d55331b0d525e0aa05593d5c54
@cells      = 2000000
@default    = 0.001229 s a step
@best       = 0.00114 s a step
@gain       = 1.078
@candidates = 27
@seconds    = 105.7
@measured   = 2026-11-28T00:15:12Z
@driver     = 580.159.04
@version    = 0.1.0
items = each
faces = inline
group = 128
divide = refined
select = delta
q.layout = aos

[scheme rain friction=mixed on mesh 2D 3]
@text       = 9fb62ce7d0c8fa9a90d885393ba30e2f
@cells      = 2000000
@default    = 0.0004805 s a step
@best       = 0.0004193 s a step
@gain       = 1.146
@candidates = 26
@seconds    = 97.7
@measured   = 2026-11-28T00:18:51Z
@driver     = 580.159.04
@version    = 0.1.0
items = each
faces = inline
group = 128
divide = refined
select = delta
q.layout = aos
width = inline

[scheme wind friction=mixed on mesh 2D 3]
@text       = a8aa09625e7d83a728025b51d426bc68
@cells      = 2000000
@default    = 0.0004772 s a step
@best       = 0.0004131 s a step
@gain       = 1.155
@candidates = 25
@seconds    = 85.0
@measured   = 2026-11-28T00:20:26Z
@driver     = 580.159.04
@version    = 0.1.0
items = each
faces = inline
group = 128
divide = refined
q.layout = aos
select = ternary
