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
triad    = 43.346 GB/s
copy     = 42.7058 GB/s
fma      = 253.368 Gflop/s
launch   = 1.872 us
measured = 2026-11-30T17:39:38Z

[scheme shallow_water friction=mixed on mesh 2D 3]
@text       = 3a2c87c71517d38730d89a471d7c5ac4
@cells      = 500000
@default    = 0.02835 s a step
@best       = 0.01873 s a step
@gain       = 1.513
@candidates = 20
@seconds    = 31.4
@measured   = 2026-11-30T17:24:02Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = each
select = branch
faces = inline
unroll = no

[scheme simple_ts time=implicit space=upwind slip=wall_form storage=accelerated on grid 2D]
@text       = 8032cb47e6b467fd951bfd51f110406c
@cells      = 50400
@default    = 0.02208 s a step
@best       = 0.02062 s a step
@gain       = 1.07
@candidates = 11
@seconds    = 47.8
@measured   = 2026-11-30T17:25:27Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
grid.columns = 256
group = 128

[scheme simple_ts time=implicit space=tvd slip=wall_form storage=accelerated on grid 2D]
@text       = 8032cb47e6b467fd951bfd51f110406c
@cells      = 50400
@default    = 0.03361 s a step
@best       = 0.02809 s a step
@gain       = 1.196
@candidates = 8
@seconds    = 40.5
@measured   = 2026-11-30T17:26:28Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
grid.columns = 256
group = 128

[scheme simple_ts time=explicit space=upwind slip=wall_form storage=accelerated on grid 2D]
@text       = 8032cb47e6b467fd951bfd51f110406c
@cells      = 50400
@default    = 0.01929 s a step
@best       = 0.016 s a step
@gain       = 1.205
@candidates = 10
@seconds    = 44.4
@measured   = 2026-11-30T17:27:25Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
grid.columns = 256
group = 128
grid.rows = 32

[scheme simple_ts time=explicit space=tvd slip=wall_form storage=accelerated on grid 2D]
@text       = 8032cb47e6b467fd951bfd51f110406c
@cells      = 50400
@default    = 0.02488 s a step
@best       = 0.02105 s a step
@gain       = 1.182
@candidates = 8
@seconds    = 40.0
@measured   = 2026-11-30T17:28:19Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
grid.columns = 256
group = 128
grid.rows = 128

[scheme shallow_water friction=cell on mesh 2D 3]
@text       = 3a2c87c71517d38730d89a471d7c5ac4
@cells      = 59858
@default    = 0.002126 s a step
@best       = 0.001026 s a step
@gain       = 2.072
@candidates = 20
@seconds    = 18.3
@measured   = 2026-11-30T17:28:39Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = each
select = branch
faces = store
group = 1024

[scheme shallow_water friction=edge on mesh 2D 3]
@text       = 3a2c87c71517d38730d89a471d7c5ac4
@cells      = 59858
@default    = 0.0033 s a step
@best       = 0.001425 s a step
@gain       = 2.316
@candidates = 20
@seconds    = 20.1
@measured   = 2026-11-30T17:29:02Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = each
select = branch
faces = store
unroll = no
group = 128

[scheme euler_hllc on mesh 2D 3]
@text       = e8ffc0e36f54d3ac09b1bcbdcced5f97
@cells      = 500000
@default    = 0.01164 s a step
@best       = 0.006849 s a step
@gain       = 1.7
@candidates = 20
@seconds    = 25.3
@measured   = 2026-11-30T17:29:30Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = each
select = branch
faces = inline
unroll = no
group = 256

[scheme tracer friction=mixed on mesh 2D 3]
@text       = a25216113aaf54bee3f191ee71e0ad7d
@cells      = 500000
@default    = 0.03063 s a step
@best       = 0.0218 s a step
@gain       = 1.405
@candidates = 20
@seconds    = 34.4
@measured   = 2026-11-30T17:30:08Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = each
select = branch
faces = store
group = 1024

[scheme rain friction=mixed on mesh 2D 3]
@text       = 9fb62ce7d0c8fa9a90d885393ba30e2f
@cells      = 500000
@default    = 0.03152 s a step
@best       = 0.02175 s a step
@gain       = 1.45
@candidates = 20
@seconds    = 34.4
@measured   = 2026-11-30T17:30:45Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = each
select = branch
faces = inline
unroll = no
group = 256

[scheme shallow_water_2 on mesh 2D 3]
@text       = 2a7fa5d55331b0d525e0aa05593d5c54
@cells      = 500000
@default    = 0.05544 s a step
@best       = 0.04908 s a step
@gain       = 1.13
@candidates = 16
@seconds    = 42.3
@measured   = 2026-11-30T17:31:32Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = each
around = inline

[scheme coriolis friction=mixed on mesh 2D 3]
@text       = 818a7be38ea67713ca5b351cc7f77e7a
@cells      = 500000
@default    = 0.02929 s a step
@best       = 0.01999 s a step
@gain       = 1.465
@candidates = 20
@seconds    = 30.8
@measured   = 2026-11-30T17:32:06Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = each
select = branch
faces = inline
unroll = no

[scheme exner friction=mixed on mesh 2D 3]
@text       = 0a214bdacd4548f61a889dce2413acd5
@cells      = 500000
@default    = 0.03014 s a step
@best       = 0.02315 s a step
@gain       = 1.302
@candidates = 20
@seconds    = 31.7
@measured   = 2026-11-30T17:32:41Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
select = branch
faces = inline
unroll = no
group = 256
items = loop

[scheme wind friction=mixed on mesh 2D 3]
@text       = a8aa09625e7d83a728025b51d426bc68
@cells      = 500000
@default    = 0.02941 s a step
@best       = 0.02189 s a step
@gain       = 1.344
@candidates = 20
@seconds    = 32.7
@measured   = 2026-11-30T17:33:17Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = each
select = branch
faces = inline
unroll = no
group = 128

[scheme river friction=mixed on mesh 2D 3]
@text       = bac0ff4737afd060f32274098ebcb321
@cells      = 500000
@default    = 0.02888 s a step
@best       = 0.01973 s a step
@gain       = 1.464
@candidates = 20
@seconds    = 31.4
@measured   = 2026-11-30T17:33:52Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = each
select = branch
faces = inline
unroll = no
group = 128

[scheme green_ampt friction=mixed on mesh 2D 3]
@text       = 1950ed664df32e59d97c03f57d733c56
@cells      = 500000
@default    = 0.03228 s a step
@best       = 0.02251 s a step
@gain       = 1.434
@candidates = 20
@seconds    = 38.4
@measured   = 2026-11-30T17:34:34Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = each
select = branch
faces = inline
unroll = no
group = 256

[scheme acoustics on mesh 2D 3]
@text       = 85b4fb9cffd00f753f014b70010073ea
@cells      = 500000
@default    = 0.009811 s a step
@best       = 0.008888 s a step
@gain       = 1.104
@candidates = 15
@seconds    = 19.9
@measured   = 2026-11-30T17:34:57Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
items = loop
select = branch
faces = inline

[scheme advection on mesh 2D 3]
@text       = 6941810e359d63338c19e91bd52a4e12
@cells      = 500000
@default    = 0.01224 s a step
@best       = 0.01193 s a step
@gain       = 1.026
@candidates = 20
@seconds    = 25.6
@measured   = 2026-11-30T17:35:26Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
unroll = no

[scheme heat on mesh 2D 3]
@text       = 6e185eec14bc7bb0b4db0990eedf760b
@cells      = 500000
@default    = 0.00131 s a step
@best       = 0.001266 s a step
@gain       = 1.035
@candidates = 11
@seconds    = 10.5
@measured   = 2026-11-30T17:35:38Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
unroll = no
group = 1024

[scheme burgers on grid 1D]
@text       = f72fc60e2dcbef8537f5596c46c5ea38
@cells      = 20000
@default    = 9.325e-05 s a step
@best       = 6.234e-05 s a step
@gain       = 1.496
@candidates = 12
@seconds    = 10.3
@measured   = 2026-11-30T17:35:50Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
grid.window = off
items = each
group = 1024

[scheme mac on grid 2D]
@text       = 66f99ba4792eb0ee96d8ae70ddf42d4f
@cells      = 499849
@default    = 0.035 s a step
@best       = 0.029 s a step
@gain       = 1.207
@candidates = 17
@seconds    = 40.5
@measured   = 2026-11-30T17:36:35Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
grid.window = off
items = loop
select = branch
group = 1024

[scheme natural_convection on grid 2D]
@text       = 8980d8fbfc83ccf6d1ea26e0d1e1a2a1
@cells      = 499849
@default    = 0.0807 s a step
@best       = 0.07359 s a step
@gain       = 1.097
@candidates = 11
@seconds    = 43.4
@measured   = 2026-11-30T17:37:26Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
grid.window = off
items = loop
select = branch
group = 64

[scheme convection_diffusion stabilisation=none on mesh 2D 3]
@text       = 536b5e181b3e77c50ecb1a81a303e54a
@cells      = 500000
@default    = 0.004133 s a step
@best       = 0.003951 s a step
@gain       = 1.046
@candidates = 20
@seconds    = 34.6
@measured   = 2026-11-30T17:38:04Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
group = 64
along = inline

[scheme anisotropic_diffusion form=nodal on mesh 2D 3]
@text       = 90c1d0a0bb1959723fd3f72edd9fc181
@cells      = 500000
@default    = 0.003109 s a step
@best       = 0.002928 s a step
@gain       = 1.062
@candidates = 17
@seconds    = 32.1
@measured   = 2026-11-30T17:38:40Z
@units      = 2
@driver     = 2026.22.10.0.01_160000
@version    = 0.1.0
group = 1024
decay = inline
