"""libedgewise.so by ctypes: the functions and structures of edgewise.h, which says what they mean."""
import ctypes
import os
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t,
                    c_uint8, c_void_p)

SAY = CFUNCTYPE(None, c_void_p, c_int, c_char_p)


class Options(Structure):
    _fields_ = [("size", c_size_t), ("path", c_char_p), ("text", c_char_p), ("define", POINTER(c_char_p)),
                ("n_defines", c_int), ("device", c_char_p), ("output", c_char_p), ("show", POINTER(c_char_p)),
                ("n_show", c_int), ("say", SAY), ("context", c_void_p)]


class FieldInfo(Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("unit", c_char_p), ("comment", c_char_p), ("role", c_int),
                ("location", c_int), ("components", c_int), ("count", c_int64)]


class View(Structure):
    _fields_ = [("size", c_size_t), ("data", c_void_p), ("type", c_int), ("writable", c_int), ("copied", c_int),
                ("components", c_int), ("component_stride", c_int64), ("count", c_int64), ("n_axes", c_int),
                ("shape", c_int64 * 3), ("stride", c_int64 * 3)]


class Topology(Structure):
    _fields_ = [("size", c_size_t), ("cells", c_int64), ("vertices", c_int64), ("start", POINTER(c_int32)),
                ("vertex", POINTER(c_int32)), ("type", POINTER(c_uint8)), ("node", POINTER(c_int32))]


_RUN = c_void_p
_DOUBLES = POINTER(c_double)
_FUNCTIONS = {  # name: (result, arguments)
    "version": (c_char_p, []),
    "open": (c_int, [POINTER(Options), POINTER(_RUN)]),
    "close": (None, [POINTER(_RUN)]),
    "message": (c_char_p, [_RUN]),
    "go_on": (c_int, [_RUN, c_double, c_int64]),
    "stop": (None, [_RUN]),
    "time": (c_double, [_RUN]),
    "dt": (c_double, [_RUN]),
    "steps": (c_int64, [_RUN]),
    "ended": (c_int, [_RUN]),
    "device": (c_char_p, [_RUN]),
    "platform": (c_char_p, [_RUN]),
    "folder": (c_char_p, [_RUN]),
    "picture": (c_char_p, [_RUN]),
    "field_count": (c_int, [_RUN]),
    "field_at": (c_int, [_RUN, c_int, POINTER(FieldInfo)]),
    "map": (c_int, [_RUN, c_char_p, c_int, POINTER(View)]),
    "unmap": (c_int, [_RUN, c_char_p]),
    "read": (c_int, [_RUN, c_char_p, _DOUBLES, c_int64]),
    "write": (c_int, [_RUN, c_char_p, _DOUBLES, c_int64]),
    "global": (c_int, [_RUN, c_char_p, _DOUBLES]),
    "dimensions": (c_int, [_RUN]),
    "on_grid": (c_int, [_RUN]),
    "coordinates": (c_int, [_RUN, c_int, POINTER(_DOUBLES), POINTER(c_int64)]),
    "volumes": (c_int, [_RUN, POINTER(_DOUBLES), POINTER(c_int64)]),
    "cells": (c_int, [_RUN, POINTER(Topology)]),
    "axis": (c_int, [_RUN, c_int, POINTER(_DOUBLES), POINTER(c_int64)]),
}


def _load():
    """The library that $EDGEWISE_LIBRARY names, else the one in this package, else the system's."""
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib", "libedgewise.so")
    path = os.environ.get("EDGEWISE_LIBRARY") or (beside if os.path.exists(beside) else "libedgewise.so.1")
    try:
        library = ctypes.CDLL(path)
    except OSError as why:
        raise ImportError(f"edgewise: the library cannot be loaded: {why}\n"
                          "hint: `pip install .` in a checkout builds it; $EDGEWISE_LIBRARY names another") from why
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, "edgewise_" + name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _load()


def function(name):
    return getattr(_library, "edgewise_" + name)


def version():
    """Of the library, "0.1.0"."""
    return function("version")().decode()


def sized(structure, **members):
    """A structure whose member `size` is set, as every call wants it."""
    return structure(size=ctypes.sizeof(structure), **members)
