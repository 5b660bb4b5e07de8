"""Where the time of a fit on the GPU goes: kernels, copies and Python, verb by verb."""

import time
from collections import defaultdict
from contextlib import contextmanager

from consilience._kernels import _device
from consilience.incidence import _cuda

# Functions on label vectors, which are no verbs of H.
VECTORS = (
    "sizes_on_device",
    "n_different_on_device",
    "digest_on_device",
    "relabelled_on_device",
    "first_rows_on_device",
    "values_at",
)


class DeviceClock:
    """Adds up seconds while it is installed; kernels are waited for, so that fits take a little longer.

    For every verb: how often it ran, its seconds, and how many of them kernels ran and arrays were
    copied. The rest of a verb is Python: preparing tables, launching, making arrays.
    """

    def __init__(self):
        self.seconds = defaultdict(lambda: {"calls": 0, "all": 0.0, "kernels": 0.0, "copies": 0.0})
        self.verb = None
        self.total = 0.0

    def waited(self):
        """Wait for kernels, on account of the current verb."""
        start = time.perf_counter()
        _device.wait()
        self.seconds[self.verb]["kernels"] += time.perf_counter() - start

    def copying(self, copy):
        """Return a copy function that is timed."""

        def timed(*given):
            self.waited()
            start = time.perf_counter()
            found = copy(*given)
            self.seconds[self.verb]["copies"] += time.perf_counter() - start
            return found

        return timed

    @contextmanager
    def inside(self, verb):
        """Time a verb; one inside another counts for the outer one."""
        if self.verb is not None:
            yield
            return
        self.verb = verb
        start = time.perf_counter()
        try:
            yield
            self.waited()
        finally:
            self.seconds[verb]["calls"] += 1
            self.seconds[verb]["all"] += time.perf_counter() - start
            self.verb = None

    @contextmanager
    def installed(self):
        """Time everything that happens meanwhile."""
        kept = {(_device, name): getattr(_device, name) for name in ("upload", "download")}
        kept |= {(_cuda, name): getattr(_cuda, name) for name in VECTORS}
        run = _cuda.CudaExecutor.run

        def timed_run(executor, job, source, vectors, collector):
            with self.inside(job.task.__name__):
                parts = list(run(executor, job, source, vectors, collector))
            yield from parts

        def timed_vector(name, function):
            def timed(*given):
                with self.inside(name):
                    return function(*given)

            return timed

        for name in ("upload", "download"):
            setattr(_device, name, self.copying(kept[_device, name]))
        for name in VECTORS:
            setattr(_cuda, name, timed_vector(name, kept[_cuda, name]))
        _cuda.CudaExecutor.run = timed_run
        start = time.perf_counter()
        try:
            yield self
        finally:
            self.total = time.perf_counter() - start
            _cuda.CudaExecutor.run = run
            for (module, name), function in kept.items():
                setattr(module, name, function)

    def lines(self):
        """Return the rows of a table, the most expensive first, and what is not inside a verb."""
        yield "| verb | calls | ms | kernels, ms | copies, ms | Python, ms |"
        yield "| --- | --- | --- | --- | --- | --- |"
        outside = self.seconds.pop(None, {"kernels": 0.0, "copies": 0.0})
        ordered = sorted(self.seconds.items(), key=lambda item: -item[1]["all"])
        left = self.total - sum(entry["all"] for _, entry in ordered)
        rest = {"calls": "", "all": left, **{key: outside[key] for key in ("kernels", "copies")}}
        for verb, entry in [*ordered, ("outside the verbs", rest)]:
            python = entry["all"] - entry["kernels"] - entry["copies"]
            figures = [1e3 * number for number in (entry["all"], entry["kernels"])]
            figures += [1e3 * entry["copies"], 1e3 * python]
            yield f"| {verb} | {entry['calls']} | " + " | ".join(f"{f:.1f}" for f in figures) + " |"
        yield f"| whole fit | | {1e3 * self.total:.1f} | | | |"
