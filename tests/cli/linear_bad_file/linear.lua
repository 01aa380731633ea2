local a = edgewise.linear.read "a.mtx"
