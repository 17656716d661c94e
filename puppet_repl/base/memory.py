"""The memory of the process that runs Puppet code: limit, garbage collection, exhaustion.

Limits concern the whole process, so programs set them and sessions do not. The limit is that of
memory which the process may write (RLIMIT_DATA): address space that is only reserved, as the 4 GB
of each WebAssembly memory, does not count.
"""

from __future__ import annotations

import gc
import sys
from _thread import allocate_lock

from puppet_repl.base.recursion import allow_deep_calls, allow_long_integers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

# Errors of a failed allocation. CPython sometimes raises SystemError and, with addresses of 32 bits
# as in a browser, OverflowError for a text that is too long for them.
NO_ALLOCATION = (
    (MemoryError, SystemError, OverflowError)
    if sys.maxsize < 1 << 32
    else (MemoryError, SystemError)
)
MEMORY_LIMIT = "Memory limit exceeded (see {})"
# Allocations between collections of the youngest generation: Puppet's values hold no cycles.
_COLLECT_AFTER = 50_000
_EXTRA = 64 << 20
# Bytes that are set aside to report that memory has run out.
_RESERVE = 4 << 20


def clear_frames(error: BaseException) -> None:
    """Clear the locals of the dead frames in a MemoryError's traceback, to release their memory.

    If Python had no memory for a traceback, the error's context has the frames.
    """
    context: BaseException | None = error
    while context is not None:
        traceback = context.__traceback__
        while traceback is not None:
            if not _is_running(traceback.tb_frame):
                traceback.tb_frame.clear()
            traceback = traceback.tb_next
        context = context.__context__


def _is_running(frame: FrameType) -> bool:
    running: FrameType | None = sys._getframe()
    while running is not None and running is not frame:
        running = running.f_back
    return running is not None


# The limit that tune_process() has set, None before, and the bytes added to it since.
_limit: int | None = None
_added = 0
# How many contexts without the limit are entered.
_unlimited = 0
_lock = allocate_lock()


def raise_limit(size: int) -> None:
    """Let the process take ``size`` bytes more (less, where it is negative), from any thread.

    Nothing happens where tune_process() has set no limit.
    """
    global _added
    with _lock:
        _added += size
        _apply_limit()


def _apply_limit() -> None:
    if _limit is not None:
        import resource

        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        wanted = _limit + _added
        if _unlimited:
            wanted = hard
        elif hard != resource.RLIM_INFINITY:
            wanted = min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))


class ExtraMemory:
    """A context in which the limit of memory is a little higher, for reporting that it was hit."""

    __slots__ = ()

    def __enter__(self) -> None:
        raise_limit(_EXTRA)

    def __exit__(self, *_: object) -> None:
        raise_limit(-_EXTRA)


class UnlimitedMemory:
    """A context without the limit of memory: programs that are started in it inherit none."""

    __slots__ = ()

    def __enter__(self) -> None:
        self._count(1)

    def __exit__(self, *_: object) -> None:
        self._count(-1)

    @staticmethod
    def _count(change: int) -> None:
        global _unlimited
        with _lock:
            _unlimited += change
            _apply_limit()


_reserve = b""


def keep_reserve() -> None:
    """Set memory aside, once a process, for reporting that memory has run out."""
    global _reserve
    if not _reserve:
        _reserve = bytes(_RESERVE)


def use_reserve() -> None:
    """Release the memory that keep_reserve() set aside; call that again afterwards."""
    global _reserve
    _reserve = b""


def _memory_in_use() -> int:
    """Return how much memory the process has that it may write, in bytes."""
    import resource

    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[5]) * resource.getpagesize()


def _limit_for(max_memory: int) -> int:
    """Return the limit that lets the process take ``max_memory`` bytes more.

    If a hard limit (``ulimit -d``) is lower, a part of it is kept for ExtraMemory.
    """
    import resource

    used = _memory_in_use()
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard != resource.RLIM_INFINITY:
        room = max(0, hard - used)
        max_memory = min(max_memory, max(room - _EXTRA, room // 2))
    return used + max_memory


# Set by tune_process(): in any other process the collector belongs to somebody else.
_is_prepared = False


def pause_collection() -> None:
    """Stop collecting garbage until resume_collection().

    Trees have no cycles, and looking for some takes a third of the time of making a large one. Only
    a process that tune_process() prepared is changed. Pauses are not counted: if an interrupt skips
    a resume_collection(), the next one ends both pauses.
    """
    if _is_prepared:
        gc.disable()


def resume_collection() -> None:
    """Collect garbage again, where pause_collection() may have stopped that."""
    if _is_prepared:
        gc.enable()


def collect_garbage(*, is_all: bool) -> None:
    """Collect garbage now: a session is part of a cycle.

    ``is_all`` tells that only caches are left in use: later collections skip them.
    """
    if _is_prepared:
        gc.collect()
        if is_all:
            gc.freeze()


def tune_process(max_memory: int) -> None:
    """Prepare a process for running Puppet code: memory, garbage collection, limits of Python.

    The process may take ``max_memory`` bytes more than it has now, where the system can limit
    that. Code that wants more ends in a MemoryError, which becomes an error of that code.
    """
    global _is_prepared, _limit
    _is_prepared = True
    allow_deep_calls()
    allow_long_integers()
    gc.freeze()  # modules that are imported stay
    gc.enable()
    gc.set_threshold(_COLLECT_AFTER, 20, 50)
    try:
        _limit = _limit_for(max_memory) - _added
        _apply_limit()
    except (ImportError, OSError, ValueError):
        _limit = None  # not every system counts the memory of a process
