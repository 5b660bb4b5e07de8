"""Several processes at once, each with one thread; and a limit on what one call may take."""

import multiprocessing
import os
import resource
import signal
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@contextmanager
def _threads(number):
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, str(number)))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def side_by_side(function, tasks, n_processes, *, n_threads=1):
    """Yield function(*task) in the order in which tasks end, from processes of `n_threads` each."""
    fresh = multiprocessing.get_context("spawn")
    with (
        _threads(n_threads),
        ProcessPoolExecutor(n_processes, mp_context=fresh) as pool,
    ):
        for future in as_completed([pool.submit(function, *task) for task in tasks]):
            yield future.result()


def within(seconds, function, *arguments):
    """Call in a process of its own; return (value or None, processor seconds, what went wrong).

    Processor time is limited, not time on the clock, so that a loaded machine fails nobody. To be called
    from a process with one thread: the child is a copy of it.
    """
    receive, send = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(
        target=_child, args=(send, seconds, function, arguments)
    )
    child.start()
    send.close()
    try:
        answer = receive.recv()
    except EOFError:
        answer = None
    child.join()
    if answer is not None:
        return answer
    over = child.exitcode in (-signal.SIGXCPU, -signal.SIGKILL)
    return None, float(seconds), f"over {seconds} s" if over else f"ended by {child.exitcode}"


def _child(send, seconds, function, arguments):
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    send.send(attempt(function, *arguments, clock=time.process_time))


def attempt(function, *arguments, clock=time.perf_counter):
    """Call; return (value or None, seconds, what went wrong)."""
    start = clock()
    try:
        value, note = function(*arguments), ""
    except Exception as error:  # noqa: BLE001 - whatever it is, it is noted
        value, note = None, f"{type(error).__name__}: {error}".split("\n")[0]
    return value, clock() - start, note
