-- The exact solutions that cases and tests compare with: do they give the numbers that the literature gives?
local expect = require "expect"
local g = 9.81

-- SWASHES (Delestre et al. 2013) and tests/reference/test_exact.c.
local stoker = require "stoker"(0.005, 0.001, g)
expect.near("Stoker: plateau", stoker.hm, 0.0025393572, 1e-10)
expect.near("Stoker: its velocity", stoker.um, 0.1272797184, 1e-10)
expect.near("Stoker: bore", stoker.shock, 0.2099634001, 1e-10)
local wide = require "stoker"(10, 1, g)
expect.near("Stoker, 10 m on 1 m: plateau", wide.hm, 3.9617481680, 1e-9)
expect.near("Stoker, 10 m on 1 m: bore", wide.shock, 9.8192947753, 1e-9)
expect.near("Stoker: rarefaction and plateau meet", stoker.depth(4.816683 - 5, 0, 6), stoker.hm, 1e-8)

local ritter = require "ritter"(0.005, g)
expect.near("Ritter: at the dam", ritter.depth(0, 0, 6), 0.00222222222, 1e-10)
expect.near("Ritter: tip", ritter.tip(6), 7.657668 - 5, 1e-6)

local basin = require "basin"(1, 0.8, 0.1, g)
expect.near("Thacker: period", basin.period, 2.2428507327, 1e-9)
expect.near("Thacker: shore at t = 0", basin.shore(0), math.sqrt(0.8), 1e-12)
expect.near("Thacker: shore at T/4", basin.shore(basin.period/4), 1.0124228, 1e-6)
expect.near("Thacker: shore at T/2", basin.shore(basin.period/2), 1.1180340, 1e-6)
expect.near("Thacker: centre at t = 0", basin.depth(0, 0, 0), 0.125, 1e-12)
expect.near("Thacker: centre at T/4", basin.depth(0, 0, basin.period/4), 0.0975610, 1e-7)
expect.near("Thacker: centre at T/2", basin.depth(0, 0, basin.period/2), 0.08, 1e-12)
expect.near("Thacker: dry beyond the shore", basin.depth(basin.shore(0.3) + 1e-9, 0, 0.3), 0, 1e-12)

local bump = require "bump"(4.42, 2, g)
expect.near("Bump: depth at 9 m", bump.depth(9), 1.787185, 1e-6)
expect.near("Bump: depth on the crest", bump.depth(10), 1.707347, 1e-6)

local channel = require "channel"(2, 0.033, 1000, g)
expect.near("MacDonald: depth at 0", channel.depth(0), 0.748324, 1e-6)
expect.near("MacDonald: depth at 500", channel.depth(500), 1.112299, 1e-6)
expect.near("MacDonald: bed at 0", channel.bed(0), 6.95225, 1e-5)
expect.near("MacDonald: bed at 500", channel.bed(500), 3.31143, 1e-5)
expect.near("MacDonald: bed at 900", channel.bed(900), 1.10028, 1e-5)

-- A script must run something; the smallest run there is.
run(case {
  scheme = "heat",
  device = "c",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 1, ny = 1 },
  given = { power = 0 },
  initial = { T = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { steps = 1 },
  output = { folder = "exact_out", vtu = false },
})
