"""The Python package against the library of this build: views without a copy, writing while a run is paused, failures. Needs numpy.
test_python.py: EDGEWISE_LIBRARY names the library, PYTHONPATH the package."""
import gc
import os
import signal
import sys
import tempfile
import threading
import unittest

try:
    import numpy
except ImportError:
    sys.exit(77)  # skipped

import edgewise

PLATE = """
local arg = arguments { n = 6, hot = 1, name = "x" }
return case {
  scheme = "heat", parameters = { kappa = 0.5 },
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = arg.n, ny = arg.n, pattern = "alternating" },
  given = { power = 0 }, initial = { T = function(x, y) return arg.hot*math.sin(3*x) end },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { stop = 0.05 },
  on_end = function(run) print("the end") end,
}"""
PLATE_ON_A_FILE = """return case {{
  scheme = "heat", parameters = {{ kappa = 0.5 }}, mesh = mesh.gmsh {{ file = "{file}" }},
  given = {{ power = 0 }}, initial = {{ T = 1 }}, boundary = {{ {{ "unnamed", "insulated" }} }}, time = {{ steps = 1 }} }}"""
SPOTS = """return case {
  scheme = "gray_scott", parameters = { F = 0.037, k = 0.06 },
  mesh = mesh.grid { x = {0, 13}, y = {0, 7}, nx = 13, ny = 7, periodic = "xy" },
  initial = { u = function(x, y) return x + 100*y end, v = 0 }, time = { steps = 2 } }"""
LAKE = """return case {
  scheme = "shallow_water", parameters = { g = 9.81 },
  mesh = mesh.rectangle { x = {0, 4}, y = {0, 2}, nx = 8, ny = 4, cells = "quads" },
  given = { z = 0, n = 0 }, initial = { h = function(x) return x < 2 and 1 or 0.4 end, q = {0, 0} },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } }, time = { steps = 6 } }"""

SEAMS = """scheme seams on mesh(2) {
  state T @ cells
  state a @ faces
  state flux uf @ faces
  net = sum(c in cells) sum(f of c) area*uf
  total = sum(c in cells) volume*T
  all_a = sum(f in faces) a
  flux keep @ faces = uf
  dt = 0.1
  step { update { uf = keep  T = T - dt/volume*sum(f of c) area*uf  a = a } }
}"""
PERIODIC = """return case {
  scheme = "seams.ew", mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 3, ny = 2, cells = "quads", periodic = "xy" },
  initial = { T = 1, a = 1, uf = {1, 2} }, boundary = {}, time = { steps = 3 } }"""
UNKNOWNS = """return case {
  scheme = "poisson", mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2 }, given = { s = 1 }, initial = { phi = 0 },
  boundary = { { {"left", "right", "bottom", "top"}, "held", value = 0 } }, time = { steps = 1 } }"""
EDGES = """scheme edges on grid(3) {
  state ex @ xedges
  state ey @ yedges
  state ez @ zedges
  state T @ cells
  boundary open { ghost T = T[mirror] }
  dt = 0.1
  step { update { ex = ex  ey = ey  ez = ez  T = T } }
}"""
ON_EDGES = """return case {
  scheme = "edges.ew", mesh = mesh.grid { x = {0, 4}, y = {0, 3}, z = {0, 2}, nx = 4, ny = 3, nz = 2, periodic = "y" },
  initial = { T = 0, ex = function(x, y, z) return x + 10*y + 100*z end, ey = function(x, y, z) return x + 10*y + 100*z end,
    ez = function(x, y, z) return x + 10*y + 100*z end },
  boundary = { { {"left", "right", "back", "front"}, "open" } }, time = { steps = 1 } }"""


def address(array):
    return array.__array_interface__["data"][0]


class Folder:
    """A folder with one file, and the path of a case that would lie beside it."""

    def __init__(self, name, text):
        self._folder = tempfile.TemporaryDirectory()
        self.case = os.path.join(self._folder.name, "case.lua")
        with open(os.path.join(self._folder.name, name), "w") as out:
            out.write(text)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._folder.cleanup()


class Views(unittest.TestCase):
    def test_an_array_is_the_memory_itself(self):
        with edgewise.from_text(PLATE, device="c", n=5) as run:
            with run.view("T", write=True) as T:
                self.assertEqual(T.shape, (50,))
                self.assertFalse(T.flags.owndata)
                where = address(T)
                T[7] = 0.125
            with self.assertRaises(ValueError):
                T[7] = 1  # the map is over
            with run.view("T") as again:
                self.assertEqual(address(again), where)
                self.assertEqual(again[7], 0.125)
                with self.assertRaises(ValueError):
                    again[7] = 1
                with self.assertRaisesRegex(edgewise.UsageError, "'T' is mapped"):
                    run.step()
            del T, again

    def test_what_is_changed_while_a_run_is_paused_counts(self):
        with edgewise.from_text(PLATE, device="c") as run, edgewise.from_text(PLATE, device="c", hot=2) as other:
            run.step(3)
            other.step(3)
            with run.view("T", write=True) as T:
                T *= 2  # heat conduction is linear
            del T
            run.finish()
            other.finish()
            self.assertTrue(numpy.array_equal(run["T"], other["T"]))
            self.assertEqual(run.steps, other.steps)

    def test_a_device_with_its_own_memory_gives_a_copy_that_is_written_back(self):
        with edgewise.from_text(SPOTS, device="model") as run:
            with run.view("v", write=True) as v:
                v[2, 3] = 0.25
            kept = v
            self.assertEqual(run["v"][2, 3], 0.25)
            run.step()
            self.assertEqual(kept[2, 3], 0.25)
            gc.collect()

    def test_grids_have_their_axes(self):
        with edgewise.from_text(SPOTS, device="c") as run:
            u, x = run["u"], run.coordinates().reshape(7, 13, 2)
            self.assertEqual(u.shape, (7, 13))
            self.assertTrue(numpy.array_equal(u, x[..., 0] + 100*x[..., 1]))
            self.assertEqual(list(run.axis(1)), list(range(8)))
            del x

    def test_edges_of_grids_are_places(self):
        with Folder("edges.ew", EDGES) as folder, edgewise.from_text(ON_EDGES, folder.case, device="c") as run:
            for name, shape in (("x", (3, 3, 4)), ("y", (3, 3, 5)), ("z", (2, 3, 5))):
                self.assertEqual(run.fields["e" + name].location, name + "edges")
                at, value = run.coordinates(name + "edges"), run["e" + name]
                self.assertEqual(value.shape, shape)
                self.assertTrue(numpy.array_equal(value.ravel(), at @ [1, 10, 100]))
                del at
        with edgewise.from_text(SPOTS, device="c") as run:
            with self.assertRaisesRegex(edgewise.InputError, "no such location"):
                run.coordinates("xedges")

    def test_faces_of_periodic_sides_have_one_value(self):
        for device in ("c", "reference", "model"):
            with Folder("seams.ew", SEAMS) as folder, edgewise.from_text(PERIODIC, folder.case, device=device,
                                                                         show=("net", "total", "all_a")) as run:
                x = run.coordinates("faces")
                written = numpy.sin(3*x[:, 0]) + x[:, 1] + 1
                run["uf"] = written
                run["a"] = written
                inner, upper = (x < 1 - 1e-9).all(axis=1), (x > 1 - 1e-9).any(axis=1)
                uf, a = run["uf"], run["a"]
                self.assertEqual((upper.sum(), len(x)), (5, 17))
                self.assertTrue(numpy.array_equal(uf[inner], written[inner]))  # the lower one decides
                self.assertTrue(numpy.array_equal(a[inner], written[inner]))
                for i in numpy.flatnonzero(upper):
                    lower = numpy.flatnonzero(abs(x - numpy.where(x[i] > 1 - 1e-9, 0, x[i])).max(axis=1) < 1e-9)[0]
                    self.assertEqual(a[i], a[lower])
                    self.assertEqual(uf[i], -uf[lower])  # either points out of the mesh
                self.assertLess(abs(run["net"]), 1e-13)
                self.assertAlmostEqual(run["all_a"], written[inner].sum(), 12)
                run.step()
                self.assertAlmostEqual(run["total"], 1, 13)
                del x

    def test_vectors_have_components_last(self):
        with edgewise.from_text(LAKE, device="c", show="velocity") as run:
            run.step(3)
            q, h, velocity = run["q"], run["h"], run["velocity"]
            self.assertEqual(q.shape, (run.fields["q"].count, 2))
            self.assertGreater(abs(velocity[:, 0]).max(), 0.1)
            self.assertTrue(numpy.allclose(velocity, q/h[:, None], atol=1e-12))
            self.assertEqual((run.fields["velocity"].unit, run.fields["velocity"].role), ("m/s", "quantity"))
            x, triangles = run.coordinates("vertices"), run.triangles()
            a, b, c = (x[triangles[:, i]] for i in range(3))
            self.assertAlmostEqual(0.5*abs((b - a)[:, 0]*(c - a)[:, 1] - (b - a)[:, 1]*(c - a)[:, 0]).sum(), 8)
            self.assertAlmostEqual(run.volumes().sum(), 8)
            del x

    def test_triangles_cover_each_cell(self):
        """Non-convex quadrilaterals too, whichever corner comes first."""
        for turn in range(4):
            with tempfile.TemporaryDirectory() as folder:
                with open(os.path.join(folder, "darts.msh"), "w") as out:
                    cells = [" ".join(map(str, c[turn:] + c[:turn])) for c in ([1, 2, 3, 5], [5, 3, 4, 1])]
                    out.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n7\n1 0 0 0\n2 2 0 0\n3 2 2 0\n4 0 2 0\n"
                              "5 1.6 0.4 0\n6 3 0 0\n7 3 2 0\n$EndNodes\n$Elements\n4\n"
                              + "".join(f"{i + 1} 3 2 1 1 {c}\n" for i, c in enumerate(cells))
                              + "3 2 2 1 1 2 6 3\n4 2 2 1 1 6 7 3\n$EndElements\n")
                case = PLATE_ON_A_FILE.format(file=os.path.join(folder, "darts.msh"))
                with edgewise.from_text(case, device="c") as run:
                    x, triangles, cells = run.coordinates("vertices"), run.triangles(), run.triangle_cells()
                    a, b, c = (x[triangles[:, i]] for i in range(3))
                    areas = 0.5*((b - a)[:, 0]*(c - a)[:, 1] - (b - a)[:, 1]*(c - a)[:, 0])
                    self.assertEqual(sorted(numpy.bincount(cells)), [1, 1, 2, 2])
                    self.assertTrue((areas > 0).all(), areas)
                    self.assertTrue(numpy.allclose(numpy.bincount(cells, areas), run.volumes()))
                    del x

    def test_states_are_set_by_name(self):
        with edgewise.from_text(PLATE, device="c") as run:
            run["T"] = 3
            self.assertTrue((run["T"] == 3).all())
            with self.assertRaises(edgewise.InputError):
                run["power"] = 1
            with self.assertRaisesRegex(edgewise.InputError, "neither a field nor a global .S.; fields: .*T"):
                run["S"]
            self.assertGreater(run["dt"], -1)

    def test_a_name_is_a_text(self):
        with edgewise.from_text(PLATE, device="c") as run:
            for name in (None, 3, b"T"):
                for look in (lambda: run[name], lambda: run.__setitem__(name, 1), lambda: run.view(name).__enter__()):
                    with self.assertRaisesRegex(TypeError, "a name is a str, found"):
                        look()
        with self.assertRaisesRegex(TypeError, "a name is a str, found None"):
            edgewise.from_text(PLATE, device="c", show=[None])

    def test_memory_outlives_whoever_looks_at_it(self):
        run = edgewise.from_text(PLATE, device="c")
        with run.view("T") as T:
            first = T[0]
        with self.assertRaisesRegex(edgewise.UsageError, "arrays still look"):
            run.close()
        del run
        gc.collect()
        self.assertEqual(T[0], first)  # the array keeps the run
        del T


class Lives(unittest.TestCase):
    def test_lines_go_to_python_and_its_exceptions_come_back(self):
        heard = []
        with edgewise.from_text(PLATE, device="c", say=lambda *line: heard.append(line)) as run:
            run.finish()
            self.assertIn(("print", "the end"), heard)
            self.assertTrue(run.ended)
            self.assertEqual(run.time, 0.05)

        def fail(kind, line):
            raise KeyError(line)
        run = edgewise.from_text(PLATE, device="c", say=fail)
        for call in (run.finish, run.close):
            with self.assertRaises(KeyError):
                call()
        for error in (KeyError, KeyboardInterrupt):
            def fail_at_once(kind, line):
                raise error(line)
            with self.assertRaises(error):
                edgewise.from_text("print('mine') " + PLATE, device="c", say=fail_at_once)

    def test_an_interrupt_comes_out_of_the_call_at_work(self):
        def interrupt(kind, line):
            os.kill(os.getpid(), signal.SIGINT)

        def hear(kind, line):
            return len(line)  # called for progress: where an interrupt may fall on its first line
        calls = (lambda run: run.advance(1e9), lambda run: run.step(10**9), lambda run: run.finish())
        for call in calls:
            for say in (hear, None):
                with edgewise.from_text(PLATE.replace("stop = 0.05", "stop = 1e9"), device="c", say=say) as run:
                    timer = threading.Timer(1.2, os.kill, (os.getpid(), signal.SIGINT))
                    timer.start()
                    with self.assertRaises(KeyboardInterrupt):
                        call(run)
                    timer.join()
                    run.step(3)
        run = edgewise.from_text(PLATE, device="c", say=interrupt)
        for call in (run.finish, run.close, lambda: edgewise.from_text("print('mine') " + PLATE, device="c", say=interrupt)):
            with self.assertRaises(KeyboardInterrupt):
                call()

    def test_a_time_is_met_in_pieces_as_in_one(self):
        with edgewise.from_text(PLATE, device="c", n=40) as run, edgewise.from_text(PLATE, device="c", n=40) as other:
            run.advance(0.03)
            while other.time < 0.03:
                other._call("go_on", 0.03, 3)
            self.assertEqual((run.time, run.steps), (0.03, other.steps))
            self.assertTrue(numpy.array_equal(run["T"], other["T"]))
            run.advance(0.02)
            self.assertEqual((run.time, run.steps), (0.03, other.steps))
            with self.assertRaisesRegex(edgewise.UsageError, "not a number"):
                run.advance(float("nan"))

    def test_failures_are_exceptions(self):
        for text, error, part in (("return case {", edgewise.InputError, "case.lua:1"),
                                  (PLATE, edgewise.UsageError, "no 'm'|m=3")):
            with self.assertRaisesRegex(error, part):
                edgewise.from_text(text, device="c", **({"m": 3} if text == PLATE else {}))
        for make, text in ((edgewise.open, "case.lua\0"), (edgewise.from_text, PLATE + "\0 more")):
            with self.assertRaisesRegex(ValueError, "null byte"):
                make(text)
        with self.assertRaises(edgewise.Error) as caught:
            edgewise.open("/nowhere/case.lua")
        self.assertEqual(caught.exception.status, 6)
        with edgewise.from_text(PLATE, device="c") as run:
            run["T"] = float("nan")
            with self.assertRaisesRegex(edgewise.Diverged, "finite"):
                run.finish()
            self.assertTrue(numpy.isnan(run["T"]).any())
        with self.assertRaisesRegex(edgewise.UsageError, "closed"):
            run.step()

    def test_what_cannot_be_shown_is_told_why(self):
        for text, show, why in ((UNKNOWNS, "M", "no quantity or global 'M' to be shown; integrals, .* are none"),
                                (PERIODIC, "keep", "'keep' lives at faces")):
            with Folder("seams.ew", SEAMS) as folder, self.assertRaisesRegex(edgewise.InputError, why):
                edgewise.from_text(text, folder.case, device="c", show=show)

    def test_threads_run_side_by_side(self):
        results = {}

        def work(hot):
            with edgewise.from_text(PLATE, device="c", hot=hot) as run:
                run.finish()
                results[hot] = run["T"]
        threads = [threading.Thread(target=work, args=(hot,)) for hot in (1, 2, 4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertTrue(numpy.array_equal(4*results[1], results[4]) and numpy.array_equal(2*results[1], results[2]))


if __name__ == "__main__":
    unittest.main()
