"""Threads of Numba's CUDA simulator, one after the other.

The simulator lets all threads of a block compete while it polls them, which costs most of the time, and
it exchanges globals of device functions without a lock. Here one thread runs until it waits or ends.
"""

import threading

import numpy as np
from numba.cuda.simulator.kernel import BlockThread


class TurnThread(BlockThread):
    """A thread that runs only in its turn."""

    def __init__(self, *given):
        super().__init__(*given)
        self.ended = False
        self._go, self._stopped = threading.Semaphore(0), threading.Semaphore(0)

    def run(self):
        """Run the kernel, and say so at its end."""
        super().run()
        self.ended = True
        self._stopped.release()

    def syncthreads(self):
        """Wait for the next turn, which comes when all others are here too."""
        self._stopped.release()
        self._go.acquire()
        if self.abort:
            raise RuntimeError("another thread of the block failed")

    def turn(self):
        """Let the thread run until it waits or ends."""
        if self.is_alive():
            self._go.release()
        else:
            self.start()
        self._stopped.acquire()


def run_block(manager, grid_point, *arguments):
    """Run the threads of one block; takes the place of BlockManager.run."""

    def kernel():
        manager._f(*arguments)

    points = np.ndindex(*manager._block_dim)
    alive = [TurnThread(kernel, manager, grid_point, point, manager._debug) for point in points]
    failed = None
    while alive:
        for thread in alive:
            thread.abort = failed is not None
            thread.turn()
            failed = failed or thread.exception
        alive = [thread for thread in alive if not thread.ended]
    if failed:
        raise failed[0].with_traceback(failed[1])
