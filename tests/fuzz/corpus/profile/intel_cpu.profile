-- A profile of Edgewise: `edgewise probe` and `edgewise tune` write it. Settings may be edited; lines with @ say how
-- they were measured. docs/tuning.md tells more.
-- Gains are by processor time: the machine was busy. All else that was tuned there is best with its default.

[device]
name     = any CPU with Intel's runtime (measured on AMD EPYC, Zen 4, 2 cores)
platform = Intel(R) OpenCL
driver   = 2026.22.10.0.01_160000
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

[scheme shallow_water friction=mixed on mesh 2D 3]
@text       = c0a2fb5d7b3fa2cee7fcbb0209dc8d49
@cells      = 59858
@gain       = 1.814
@candidates = 8
@seconds    = 38.5
@measured   = 2026-11-23T08:20:02Z
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = each
select = branch
faces = inline

[scheme euler_hllc on mesh 2D 3]
@text       = 7168c7da9f20cfa69563181ce2163049
@cells      = 59858
@gain       = 1.745
@candidates = 6
@seconds    = 39.8
@measured   = 2026-11-23T08:20:56Z
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = each
select = branch
faces = inline

[scheme tracer friction=mixed on mesh 2D 3]
@text       = 64575ee8b4b3b413849b2eeb3beac8dc
@cells      = 59858
@gain       = 1.591
@candidates = 7
@seconds    = 53.8
@measured   = 2026-11-23T08:26:46Z
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = each
select = branch
faces = inline

[scheme rain friction=mixed on mesh 2D 3]
@text       = 8dd9cb3ebb8294fe8fa9c6c6a6010ba5
@cells      = 59858
@gain       = 1.428
@candidates = 5
@seconds    = 53.4
@measured   = 2026-11-23T08:28:17Z
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = each
select = branch
faces = inline

[scheme shallow_water friction=cell on mesh 2D 3]
@text       = c0a2fb5d7b3fa2cee7fcbb0209dc8d49
@cells      = 59858
@gain       = 1.71
@candidates = 3
@seconds    = 7.4
@measured   = 2026-11-23T08:31:29Z
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = each
select = branch
faces = inline

[scheme shallow_water friction=edge on mesh 2D 3]
@text       = c0a2fb5d7b3fa2cee7fcbb0209dc8d49
@cells      = 59858
@gain       = 1.45
@candidates = 3
@seconds    = 7.7
@measured   = 2026-11-23T08:31:49Z
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = each
select = branch
faces = inline
