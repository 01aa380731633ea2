"""Edgewise in Python: run a case, look at its fields as numpy arrays, change them, go on.

    import edgewise
    run = edgewise.open("case.lua", n=50)       # n: an argument that the case declares
    run.advance(2.5)                            # until t = 2.5 s
    depth = run["h"]                            # a copy
    with run.view("h", write=True) as h:        # no copy: what kernels compute with
        h += 0.1
    run.finish()

Failures are exceptions: edgewise.Error with `status`, whose numbers are the exit codes of the program `edgewise`.
Units are SI as far as the case keeps to it.
"""
from ._library import version
from ._run import (Busy, DeviceError, Diverged, Error, Field, InputError, NotConverged, Run, Stopped, UsageError,
                   from_text, open)

__version__ = version()
__all__ = ["Busy", "DeviceError", "Diverged", "Error", "Field", "InputError", "NotConverged", "Run", "Stopped",
           "UsageError", "from_text", "open", "version"]
