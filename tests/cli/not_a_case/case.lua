return { scheme = "heat" }
