return { T = function(x, y) return x + y end }
