run { scheme = "plate" }
