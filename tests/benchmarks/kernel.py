"""How soon a kernel is ready, beside IPython's own kernel: they take turns."""

from __future__ import annotations

import statistics
import time

TIMES = 9


def seconds_until_ready(name: str) -> float:
    """From the start of a kernel's process until it answers."""
    from jupyter_client.manager import KernelManager

    start = time.perf_counter()
    manager = KernelManager(kernel_name=name)
    manager.start_kernel()
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        return time.perf_counter() - start
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def kernel() -> None:
    """Print the median time of both kernels and their ratio."""
    ours, ipython = [], []
    for _ in range(TIMES):
        ours.append(seconds_until_ready("puppet"))
        ipython.append(seconds_until_ready("python3"))
    one, other = statistics.median(ours), statistics.median(ipython)
    print(f"kernel ready    {one * 1000:7.0f} ms, IPython's {other * 1000:.0f} ms", end="")
    print(f"  ({one / other:.2f} times, at most 1.2)")
