group = 128
[device]
name = any
platform = host C
kind = host

[scheme shallow_water friction=edge on mesh 2D 3]
@cells = 1000
faces = store
select = branch

[scheme heat on mesh 3D 4]
@cells = 1000
group = 64
