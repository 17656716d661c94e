"""What a program sets for its process, and what a test that runs one has to set back."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from puppet_repl.base import memory

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]


@contextmanager
def restored_process() -> Iterator[None]:
    """Restore what tune_process() sets: limits of memory and Python, garbage collection.

    What raise_limit() has added stays: whoever added it, as Ruby in a thread, takes it away again.
    """
    limit = memory._limit
    is_prepared = memory._is_prepared
    is_collecting = gc.isenabled()
    thresholds = gc.get_threshold()
    depth = sys.getrecursionlimit()
    digits = sys.get_int_max_str_digits()
    of_data = resource.getrlimit(resource.RLIMIT_DATA) if resource else None
    try:
        yield
    finally:
        memory._limit = limit
        memory._is_prepared = is_prepared
        if is_collecting:
            gc.enable()
        else:
            gc.disable()
        gc.set_threshold(*thresholds)
        sys.setrecursionlimit(depth)
        sys.set_int_max_str_digits(digits)
        if of_data is not None:
            resource.setrlimit(resource.RLIMIT_DATA, of_data)
