"""Runs as Python objects."""
import contextlib
import ctypes
import math
import os
import signal
import threading
import time
import weakref
from dataclasses import dataclass

import numpy

from . import _library as lib

LOCATIONS = ("nowhere", "cells", "faces", "nodes", "xfaces", "yfaces", "zfaces", "corners", "vertices",
             "xedges", "yedges", "zedges")
ROLES = ("state", "given", "quantity")
LOOK_SECONDS = 0.1  # between two looks of Python: Ctrl-C works in long runs
MOST_STEPS = 4096  # between them


class Error(RuntimeError):
    """What the runtime refuses or fails at; `status` is the exit code that the program `edgewise` would end with."""
    status = 1

    def __init__(self, text, status=None):
        super().__init__(text)
        self.status = self.status if status is None else status


class UsageError(Error):
    status = 2


class InputError(Error):
    """Scheme, case or mesh."""
    status = 3


class Diverged(Error):
    """The solution is not finite, or a bound that the scheme declares is violated. The run can be looked at."""
    status = 4


class DeviceError(Error):
    status = 5


class Stopped(Error):
    """A hook of the case stopped the run; it may go on."""
    status = 8


class NotConverged(Error):
    status = 9


class Busy(Error):
    """Another run writes into the output folder."""
    status = 10


_ERRORS = {e.status: e for e in (UsageError, InputError, Diverged, DeviceError, Stopped, NotConverged, Busy)}


@dataclass(frozen=True)
class Field:
    """What there is to look at: `location` is "cells", "nodes", ..., `role` "state", "given" or "quantity"."""
    name: str
    unit: str
    comment: str
    role: str
    location: str
    components: int
    count: int


class _Memory:
    """Memory of a run for numpy: arrays hold it, and it holds the run, so that no array outlives what it shows."""

    def __init__(self, run, interface):
        self.run = run
        self.__array_interface__ = interface


def _bytes(text):
    """For C, where a text ends at its first zero byte. None stays None; ValueError for one within."""
    encoded = os.fsencode(text) if text is not None else None
    if encoded is not None and b"\0" in encoded:
        raise ValueError("embedded null byte")
    return encoded


def _name(text):
    """Of a field or global; None would be NULL."""
    if not isinstance(text, str):
        raise TypeError(f"a name is a str, found {text!r}")
    return _bytes(text)


def _texts(texts):
    encoded = [_name(t) for t in texts]
    return (ctypes.c_char_p * len(encoded))(*encoded), len(encoded)


def _lua_value(value):
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _print_line(kind, line):
    """What the case prints goes to stdout; notes are left out."""
    if kind == "print":
        print(line)


def _listener(run, say):
    """The callback, which must not keep the run alive, nor let exceptions into C. While it is opened, the run stops."""
    reference = weakref.ref(run)

    def callback(_, kind, line):
        try:
            say("print" if kind else "note", line.decode(errors="replace"))
        except BaseException as why:  # raised again when the call is over
            owner = reference()
            if owner is not None and owner._raised is None:
                owner._raised = why
                owner._stop_opening()

    return lib.SAY(callback)


class _Signals:
    """Python's own handlers wait until a call into C is over: what they raise within a callback would be lost, even before its first line."""
    HELD = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)

    def __init__(self, heard):
        self._heard, self._old, self._caught = heard, {}, []

    def __enter__(self):
        if threading.current_thread() is threading.main_thread():
            for number in self.HELD:
                handler = signal.getsignal(number)
                if callable(handler):
                    self._old[number] = handler
                    signal.signal(number, self._note)

    def _note(self, *caught):
        self._caught.append(caught)
        self._heard()

    def __exit__(self, *_):
        for number, handler in self._old.items():
            signal.signal(number, handler)
        for number, frame in self._caught:
            self._old[number](number, frame)


class Run:
    """A case that is advanced by steps or to a time. Make it with edgewise.open or edgewise.from_text.

    A run belongs to one thread at a time; several runs may work in several threads. Use it in a `with`, or call close(): until then an
    output folder is its own.
    """

    def __init__(self, path=None, text=None, *, device=None, output=None, show=(), say=_print_line, define=None):
        self._handle = ctypes.c_void_p()
        self._raised = None
        self._memory = weakref.WeakSet()
        self._say = _listener(self, say) if say else lib.SAY(0)
        define, n_defines = _texts(f"{name}={_lua_value(value)}" for name, value in (define or {}).items())
        show, n_show = _texts([show] if isinstance(show, str) else show)
        options = lib.sized(lib.Options, define=define, n_defines=n_defines, show=show, n_show=n_show, say=self._say,
                            path=_bytes(path), text=_bytes(text), device=_bytes(device or None),
                            output=_bytes(output))
        self._opening = True
        try:
            with _Signals(self._stop_opening):
                status = lib.function("open")(ctypes.byref(options), ctypes.byref(self._handle))
            self._opening = False
            self._check(status)
            self._fields = {f.name: f for f in self._list_fields()}
        except BaseException:
            lib.function("close")(ctypes.byref(self._handle))
            raise

    # ---- life ----

    def close(self):
        """Frees the run. Arrays that were viewed must be gone: their memory is the run's."""
        if not self._handle:
            return
        if len(self._memory):
            raise UsageError("arrays still look into this run: delete them, or take copies, before it is closed")
        with _Signals(lambda: None):
            lib.function("close")(ctypes.byref(self._handle))
        self._raise()

    def __enter__(self):
        return self

    def __exit__(self, error, *_):
        if error is None or not len(self._memory):  # tracebacks hold arrays: then the last of them frees the run
            self.close()

    def __del__(self):
        if getattr(self, "_handle", None):
            lib.function("close")(ctypes.byref(self._handle))

    def _message(self):
        return lib.function("message")(self._handle).decode(errors="replace")

    def _call(self, name, *arguments):
        if not self._handle:
            raise UsageError("the run is closed")
        self._raised = None
        with _Signals(lambda: None):
            status = lib.function(name)(self._handle, *arguments)
        self._check(status)

    def _stop_opening(self):
        if self._opening and self._handle:
            lib.function("stop")(self._handle)

    def _raise(self):
        """What `say` raised during a call."""
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised

    def _check(self, status):
        self._raise()
        if status != 0:
            raise _ERRORS.get(status, Error)(self._message(), status)

    def _get(self, name):
        if not self._handle:
            raise UsageError("the run is closed")
        return lib.function(name)(self._handle)

    # ---- going on ----

    def step(self, steps=1):
        """So many more steps, or fewer to the case's end."""
        if steps < 0:
            raise UsageError(f"step: fewer than 0 steps: {steps}")
        self._go_on(math.inf, self.steps + steps)

    def advance(self, t):
        """Until t [s], which is met exactly; with `time.shorten = false` until the end of the first step that reaches it. Of a time that has passed
        nothing is done."""
        self._go_on(float(t), math.inf)

    def finish(self):
        """To the case's end."""
        self._go_on(math.inf, math.inf)

    def _go_on(self, t, end):
        """Until t, step number `end` or the case's end, in pieces of about LOOK_SECONDS."""
        piece = 1
        while not self.ended and self.steps < end:
            before, began, wanted = self.steps, time.monotonic(), int(min(piece, end - self.steps))
            self._call("go_on", t, wanted)
            if self.steps - before < wanted:
                return
            piece = _next_piece(piece, time.monotonic() - began)

    time = property(lambda self: self._get("time"), doc="s")
    dt = property(lambda self: self._get("dt"), doc="s, of the last step")
    steps = property(lambda self: self._get("steps"), doc="made so far")
    ended = property(lambda self: bool(self._get("ended")), doc="whether the case's end is met")
    device = property(lambda self: self._get("device").decode())
    platform = property(lambda self: self._get("platform").decode())
    dimensions = property(lambda self: self._get("dimensions"))
    on_grid = property(lambda self: bool(self._get("on_grid")))

    @property
    def folder(self):
        """The folder of the files, None if none are written."""
        return os.fsdecode(self._get("folder")) or None

    @property
    def picture(self):
        """The path of the last picture, None if there is none."""
        return os.fsdecode(self._get("picture")) or None

    # ---- fields ----

    def _list_fields(self):
        for i in range(self._get("field_count")):
            f = lib.sized(lib.FieldInfo)
            self._call("field_at", i, ctypes.byref(f))
            yield Field(f.name.decode(), f.unit.decode(), f.comment.decode(errors="replace"), ROLES[f.role],
                        LOCATIONS[f.location], f.components, f.count)

    @property
    def fields(self):
        """Field by name."""
        return dict(self._fields)

    def _map(self, name, write):
        view = lib.sized(lib.View)
        self._call("map", _name(name), int(write), ctypes.byref(view))
        shape, strides = list(view.shape[:view.n_axes]), list(view.stride[:view.n_axes])
        if view.components > 1:
            shape.append(view.components)
            strides.append(view.component_stride)
        memory = _Memory(self, {"version": 3, "typestr": "<f4" if view.type else "<f8",
                                "data": (view.data, not view.writable), "shape": tuple(shape),
                                "strides": tuple(strides)})
        return memory, bool(view.copied)

    @contextlib.contextmanager
    def view(self, name, write=False):
        """The field where it lies, as a numpy array: [cells], [nodes], [ny, nx] on grids, with components last. With `write` a state may be
        changed; the change counts once the `with` is left, where the array becomes read-only. Until then the run does not go on. Devices with a
        memory of their own give a copy, which is written back."""
        memory, copied = self._map(name, write)
        if not copied:
            self._memory.add(memory)
        mapped = numpy.asarray(memory)
        array = mapped.copy() if copied else mapped  # the library's copy ends with the map, an array may live on
        if not write:
            array.flags.writeable = False
        del memory
        try:
            yield array
        finally:
            array.flags.writeable = False
            if copied and write:
                mapped[...] = array
            del mapped, array
            self._call("unmap", _name(name))

    def __getitem__(self, name):
        """A copy of a field as doubles, or the value of a global."""
        f = self._fields.get(name)
        if f is None:
            value = ctypes.c_double()
            try:
                self._call("global", _name(name), ctypes.byref(value))
            except InputError as why:
                raise InputError(f"there is neither a field nor a global '{name}'; fields: {', '.join(self._fields)}") from why
            return value.value
        memory, _ = self._map(name, False)
        try:
            return numpy.array(memory, dtype=float)
        finally:
            self._call("unmap", _name(name))

    def __setitem__(self, name, values):
        """Gives a state new values: of its shape, or what numpy spreads to it."""
        with self.view(name, write=True) as array:
            array[...] = values

    # ---- where they lie ----

    def _array(self, name, *arguments):
        data, n = lib._DOUBLES(), ctypes.c_int64()
        self._call(name, *arguments, ctypes.byref(data), ctypes.byref(n))
        return data, n.value

    def _own(self, pointer, shape, typestr="<f8"):
        memory = _Memory(self, {"version": 3, "typestr": typestr, "shape": shape,
                                "data": (ctypes.cast(pointer, ctypes.c_void_p).value, True)})
        self._memory.add(memory)
        return numpy.asarray(memory)

    def coordinates(self, location="cells"):
        """[entities, dimensions] in metres, in the order of views; read-only, of "cells", "nodes", "vertices", "xfaces", ..."""
        if location not in LOCATIONS:
            raise UsageError(f"there is no location '{location}': {', '.join(LOCATIONS[1:])}")
        data, n = self._array("coordinates", LOCATIONS.index(location))
        return self._own(data, (n, self.dimensions))

    def volumes(self):
        """m^dimensions of every cell, read-only."""
        data, n = self._array("volumes")
        return self._own(data, (n,))

    def axis(self, number):
        """Coordinates of the faces along axis 0 (x), 1 or 2 of a grid."""
        data, n = self._array("axis", number)
        return self._own(data, (n,))

    def cells(self):
        """Of a mesh: (start, vertex, type, node), as edgewise.h tells; node is None without unknowns at nodes."""
        t = lib.sized(lib.Topology)
        self._call("cells", ctypes.byref(t))
        start = self._own(t.start, (t.cells + 1,), "<i4")
        return (start, self._own(t.vertex, (int(start[-1]),), "<i4"), self._own(t.type, (t.cells,), "|u1"),
                self._own(t.node, (t.vertices,), "<i4") if t.node else None)

    def _quadrilaterals(self):
        start, vertex, kind, _ = self.cells()
        if self.dimensions != 2:
            raise UsageError("triangles: the mesh has three dimensions")
        return start[:-1], vertex, numpy.flatnonzero(kind == 9)

    def triangles(self):
        """[triangles, 3] vertices, quadrilaterals cut in two: what matplotlib's tripcolor and tricontour take."""
        first, vertex, quad = self._quadrilaterals()
        corners = vertex[first[quad, None] + numpy.arange(4)]
        x = self.coordinates("vertices")[corners]
        a, b, c = x[:, 1] - x[:, 0], x[:, 2] - x[:, 0], x[:, 3] - x[:, 0]
        outer = (_cross(a, b) <= 0) | (_cross(b, c) <= 0)  # the diagonal 0-2 of one that is not convex
        corners[outer] = numpy.roll(corners[outer], -1, axis=1)
        whole = vertex[first[:, None] + numpy.arange(3)]
        whole[quad] = corners[:, :3]
        return numpy.concatenate([whole, corners[:, [0, 2, 3]]])

    def triangle_cells(self):
        """[triangles] The cell of which each of triangles() is a part: run["h"][run.triangle_cells()] are the triangles' values."""
        first, _, quad = self._quadrilaterals()
        return numpy.concatenate([numpy.arange(len(first)), quad])


def _next_piece(steps, seconds):
    """How many steps to make next, if those took so long."""
    if seconds < LOOK_SECONDS/2:
        return min(2*steps, MOST_STEPS)
    return max(steps//2, 1) if seconds > LOOK_SECONDS else steps


def _cross(a, b):
    return a[:, 0]*b[:, 1] - a[:, 1]*b[:, 0]


def open(path, *, device=None, output=None, show=(), say=_print_line, define=None, **arguments):
    """Opens the case in a file. Keywords that are none of these are arguments of the case: open("case.lua", n=200).

    device   "gpu", "cpu", "c", ...; None: the case's, or the first GPU, else the processor
    output   folder for files; "": the case's own; None: no file is written
    show     names of quantities to look at, besides those that the case names for its output
    say      called with ("print" or "note", line); None: nobody listens
    define   arguments of the case whose names are taken here
    """
    return Run(path, device=device, output=output, show=show, say=say, define={**(define or {}), **arguments})


def from_text(text, path=None, *, device=None, output=None, show=(), say=_print_line, define=None, **arguments):
    """The same for a case that is given as text; `path` names it in messages, and the folder that it is taken to lie in."""
    return Run(path, text, device=device, output=output, show=show, say=say, define={**(define or {}), **arguments})
