"""The calls of WASI about the process: its arguments, variables, clocks, random numbers."""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Callable, Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Memory(Protocol):
        """The linear memory; positions outside of it raise IndexError."""

        def read(self, start: int, size: int) -> bytes: ...
        def write(self, start: int, data: bytes) -> None: ...


SUCCESS = 0


class Exit(Exception):
    """Ruby ended its process; ``status`` is the exit status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class ProcessCalls:
    """The calls, one method each, named as in WASI; they return an error number.

    ``sleep`` waits a number of seconds.
    """

    def __init__(
        self, memory: Memory, sleep: Callable[[float], None], environment: Mapping[str, str]
    ) -> None:
        self._memory = memory
        self._sleep = sleep
        self._environment = [f"{name}={value}\0".encode() for name, value in environment.items()]

    def args_sizes_get(self, count: int, size: int) -> int:
        """Return no arguments."""
        self._memory.write(count, bytes(4))
        self._memory.write(size, bytes(4))
        return SUCCESS

    def args_get(self, pointers: int, texts: int) -> int:
        """Return no arguments."""
        return SUCCESS

    def environ_sizes_get(self, count: int, size: int) -> int:
        """Return how many variables there are, and the size of their texts."""
        self._memory.write(count, struct.pack("<I", len(self._environment)))
        self._memory.write(size, struct.pack("<I", sum(map(len, self._environment))))
        return SUCCESS

    def environ_get(self, pointers: int, texts: int) -> int:
        """Return the variables."""
        for number, variable in enumerate(self._environment):
            self._memory.write(pointers + 4 * number, struct.pack("<I", texts))
            self._memory.write(texts, variable)
            texts += len(variable)
        return SUCCESS

    def proc_exit(self, status: int) -> None:
        """End the process."""
        raise Exit(status)

    def clock_res_get(self, clock: int, result: int) -> int:
        """Return the resolution of a clock, in nanoseconds."""
        self._memory.write(result, struct.pack("<Q", 1))
        return SUCCESS

    def clock_time_get(self, clock: int, precision: int, result: int) -> int:
        """Return the time of a clock (0 is that of the day), in nanoseconds."""
        read = {0: time.time_ns, 1: time.monotonic_ns}.get(clock, time.process_time_ns)
        self._memory.write(result, struct.pack("<Q", read()))
        return SUCCESS

    def random_get(self, start: int, size: int) -> int:
        """Fill a part of the memory with random bytes."""
        size &= 0xFFFFFFFF
        self._memory.read(start, size)
        self._memory.write(start, os.urandom(size))
        return SUCCESS

    def poll_oneoff(self, subscriptions: int, events: int, count: int, result: int) -> int:
        """Wait for the first of some events: a time, or a file, which is always ready."""
        read = []
        waits = []
        for number in range(min(count & 0xFFFFFFFF, 64)):
            record = self._memory.read(subscriptions + 48 * number, 48)
            user, kind = struct.unpack_from("<QB", record)
            if kind == 0:
                clock, timeout, _, flags = struct.unpack_from("<I4xQQH", record, 16)
                now = time.time_ns() if clock == 0 else time.monotonic_ns()
                waits.append((max(0, timeout - now if flags & 1 else timeout), user))
            else:
                read.append(struct.pack("<QHB5xQH6x", user, SUCCESS, kind, 1, 0))
        if waits and not read:
            wait, user = min(waits)
            self._sleep(wait / 1e9)
            read.append(struct.pack("<QHB5xQH6x", user, SUCCESS, 0, 0, 0))
        self._memory.write(events, b"".join(read))
        self._memory.write(result, struct.pack("<I", len(read)))
        return SUCCESS
