-- a profile with a mistake
group = 128
q = windowed
