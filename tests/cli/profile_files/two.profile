-- A profile by hand: of a device that has not been measured, with entries of several kinds.
[device]
name     = nobody
platform = nowhere
driver   = 1.0
kind     = gpu
units    = 2
local    = 262144
memory   = 25276510208

[scheme no_such_scheme on mesh 2D 3]
@text       = 00000000000000000000000000000000
@cells      = 100
@gain       = 1.5
@candidates = 8
@seconds    = 38.5
@measured   = 2026-11-23T08:20:02Z
@driver     = 1.0
@version    = 0.1.0
items = each
select = branch

[scheme heat on mesh 3D 4]
@text       = 00000000000000000000000000000000
@cells      = 100
@gain       = 1
@candidates = 8
@seconds    = 38.5
@measured   = 2026-11-23T08:20:02Z
@driver     = 1.0
@version    = 0.1.0
