local a = arguments { low = "fine", cap = 5, high = 1 }
return case {
  scheme = "pair.ew",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  initial = {
    low = ({ fine = 0, number = -1, some = function(x, y) return x > 0.5 and -0.25 or 0 end })[a.low],
    high = a.high,
  },
  given = {
    cap = a.cap,
  },
  boundary = { { {"left", "right", "bottom", "top"}, "none" } },
  time = { steps = 1 },
}
