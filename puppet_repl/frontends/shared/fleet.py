"""Work for many nodes in other processes: each node has one result, whatever dies.

The nodes are given to an executor in chunks, so that a process reads files once for several nodes.
An executor breaks as a whole if one of its processes dies, without the name of the guilty node. So
the unfinished nodes run again in two steps: the nodes of a chunk singly, then each node alone in
the executor. A node whose process dies then as well has failed.
"""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    ProcessPoolExecutor,
    wait,
)
from functools import partial
from multiprocessing.util import Finalize
from threading import local

from puppet_repl.frontends.shared.worker_processes import WorkerContext, begin_worker
from puppet_repl.language.runtime.shared import Shared

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from concurrent.futures import Executor, Future
    from multiprocessing.synchronize import Event
    from typing import Any, TypeAlias, TypeVar

    Item = TypeVar("Item")
    Made = TypeVar("Made")
    ExecutorSource: TypeAlias = "Executor | Callable[[], Executor]"

MAX_DEATHS = 3
"""How many times the process of a node dies before the node has failed."""
MAX_CHUNK = 8
# Chunks of a run for each process at the least, so that all of them end at about the same time.
_CHUNKS = 4
# Chunks that an executor is given at a time: for each process, and where their number is unknown.
_AHEAD = 2
_WINDOW = 64
# Seconds without a result after which it is asked whether anybody works.
_PATIENCE = 5.0
# The error of distributed, which is not imported here, for a task whose workers have died.
_KILLED = "KilledWorker"


class Lost(Exception):
    """There is no result for an item; the message says why."""


class FleetError(Exception):
    """Nobody can work for nodes, or nobody is left who could; the message says why."""


class Fleet:
    """The processes that work for nodes; a context manager, which ends those that it has started.

    ``executor`` is an executor, which stays open, or a function that makes one, which is called
    again when that breaks; without it ``processes`` of this machine work, within a limit of memory.
    They also take over from an executor that breaks. ``window`` is how many chunks such an executor
    is given at a time. ``check`` is called when there was no result for some seconds; it raises
    FleetError where nobody works any more.
    """

    def __init__(
        self,
        processes: int,
        max_memory: int,
        *,
        executor: ExecutorSource | None = None,
        window: int | None = None,
        check: Callable[[], None] | None = None,
    ) -> None:
        self._processes = processes
        self._max_memory = max_memory
        self._source = executor
        self._check = check
        self.window = processes * _AHEAD if executor is None else window or _WINDOW
        self._context: WorkerContext | None = None
        self._executor: Executor | None = None
        self._is_ours = False
        self._refusals = 0
        self._has_begun: Event | None = None
        self._flying: Collection[Future[Any]] = ()

    def __enter__(self) -> Fleet:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._end(is_done=kind is None)

    def run(
        self, work: Callable[[Sequence[Item]], Sequence[Made]], items: Sequence[Item]
    ) -> Iterator[tuple[Item, Made | Lost]]:
        """Yield each item with what ``work`` makes of it, in the order of completion.

        ``work`` is called with some of the items, in another process: it returns a result for each.
        """
        tasks = _Tasks(items, self._chunk_size(len(items)))
        flying: dict[Future[Sequence[Made]], _Task] = {}
        self._flying = flying
        try:
            while tasks or flying:
                is_broken = self._submit(work, tasks, flying)
                done = wait(flying, _PATIENCE, FIRST_COMPLETED).done
                if not done and self._check is not None:
                    self._check()
                for future in done:
                    task = flying.pop(future)
                    try:
                        made = future.result()
                    except (BrokenExecutor, CancelledError) as error:
                        is_broken = True
                        self._check_start()
                        yield from tasks.take_back(task, error)
                    except Exception as error:
                        yield from tasks.take_back(task, error)
                    else:
                        yield from zip(task.items, made, strict=True)
                if is_broken and not flying:
                    self._end(is_done=False)
        finally:
            if self._context is None:
                self._cancel()

    def _chunk_size(self, count: int) -> int:
        return max(1, min(MAX_CHUNK, count // (max(self._processes, 1) * _CHUNKS)))

    def _submit(
        self,
        work: Callable[[Sequence[Item]], Sequence[Made]],
        tasks: _Tasks,
        flying: dict[Future[Sequence[Made]], _Task],
    ) -> bool:
        """Give the executor the tasks that it may have; return whether it is broken."""
        while len(flying) < self.window:
            task = tasks.next(is_idle=not flying)
            if task is None:
                return False
            try:
                future = self._ready().submit(work, task.items)
            except BrokenExecutor:
                tasks.put_back(task)
                self._refuse(is_idle=not flying)
                return True
            except RuntimeError as error:
                if self._source is None:
                    raise
                raise FleetError(f"the executor takes no work: {error}") from error
            self._refusals = 0
            flying[future] = task
            if task.is_alone:
                return False
        return False

    def _check_start(self) -> None:
        """Raise FleetError where no process of this machine gets as far as to work."""
        if self._has_begun is not None and not self._has_begun.is_set():
            raise FleetError(
                "the processes that are to work end while they start; a program that uses them "
                "needs 'if __name__ == \"__main__\":' around what it does"
            )

    def _refuse(self, *, is_idle: bool) -> None:
        """Replace an executor that takes nothing any more, where nothing is under way in it."""
        if is_idle:
            self._refusals += 1
            if self._refusals == MAX_DEATHS:
                raise FleetError("no process can be started that works")
            self._end(is_done=False)

    def _ready(self) -> Executor:
        """Return the executor, a new one where the last one has broken."""
        if self._executor is not None:
            return self._executor
        source = self._source
        if source is None:
            self._context = WorkerContext()
            self._has_begun = self._context.Event()
            self._executor = ProcessPoolExecutor(
                self._processes,
                mp_context=self._context,
                initializer=_begin_worker,
                initargs=(self._max_memory, self._has_begun),
            )
            self._is_ours = True
        elif callable(source):
            made = source()
            if not hasattr(made, "submit"):
                raise TypeError(f"executor is a function that has made no executor, but {made!r}")
            self._executor, self._is_ours = made, True
        else:
            self._executor, self._is_ours = source, False
        return self._executor

    def _end(self, *, is_done: bool) -> None:
        """Leave the executor, which is at work still unless all is done."""
        executor, self._executor = self._executor, None
        if executor is None:
            return
        if is_done or self._context is None:
            self._cancel()
        if self._is_ours:
            executor.shutdown(wait=is_done)
        elif not is_done:
            self._source = None  # somebody else's, which cannot be made again
            self.window = self._processes * _AHEAD
        if self._context is not None and not is_done:
            self._context.terminate()
        self._context = None

    def _cancel(self) -> None:
        """Cancel the tasks under way.

        Not for killed processes: their executor sets errors on its futures, does not expect
        cancelled ones, and its thread prints a traceback.
        """
        for future in self._flying:
            future.cancel()


class _Task:
    """Items that are given to an executor together, and how many processes died over them."""

    __slots__ = ("deaths", "items")

    def __init__(self, items: Sequence[Any], deaths: int = 0) -> None:
        self.items = items
        self.deaths = deaths

    @property
    def is_alone(self) -> bool:
        """Whether nothing else may be under way meanwhile."""
        return self.deaths == MAX_DEATHS - 1


class _Tasks:
    """Tasks that wait for an executor; those suspected of killing processes are last."""

    def __init__(self, items: Sequence[Any], size: int) -> None:
        self._by_deaths: list[deque[_Task]] = [deque() for _ in range(MAX_DEATHS)]
        for start in range(0, len(items), size):
            self._by_deaths[0].append(_Task(items[start : start + size]))

    def __bool__(self) -> bool:
        return any(self._by_deaths)

    def next(self, *, is_idle: bool) -> _Task | None:
        """Return the next task; None if it has to wait until the executor ``is_idle``."""
        for tasks in self._by_deaths:
            if tasks:
                return tasks.popleft() if is_idle or not tasks[0].is_alone else None
        return None

    def put_back(self, task: _Task) -> None:
        """Let a task be the next one of its kind again."""
        self._by_deaths[task.deaths].appendleft(task)

    def take_back(self, task: _Task, error: BaseException) -> Iterator[tuple[Any, Lost]]:
        """Plan an unfinished task again after an error; yield the items that have failed.

        An error that is not a death belongs to one node of a chunk, so the chunk runs again, too.
        """
        is_death = _is_death(error)
        # A cluster has tried several workers before it says so: one step is enough.
        deaths = task.deaths + 1 if type(error).__name__ != _KILLED else task.deaths + 2
        if deaths >= MAX_DEATHS or (not is_death and len(task.items) == 1):
            reason = f"no result came back ({type(error).__name__}: {error})"
            if is_death:
                times = f"{MAX_DEATHS} times or more"
                reason = f"the process that compiles was killed, {times} (out of memory?)"
            yield from ((item, Lost(reason)) for item in task.items)
        else:
            self._by_deaths[deaths].extend(_Task([item], deaths) for item in task.items)


def _is_death(error: BaseException) -> bool:
    """Tell whether an error says that a process has died."""
    return isinstance(error, (BrokenExecutor, CancelledError)) or type(error).__name__ == _KILLED


def new_run() -> str:
    """Return what tells a run from all others, in all processes."""
    return os.urandom(8).hex()


def work_for(
    items: Sequence[Item], work: Callable[[Item, Shared], Made], fleet: Fleet | None, run: str
) -> Iterator[tuple[Item, Made | Lost]]:
    """Yield each item with what ``work`` makes of it, in the order of completion.

    ``work`` is given what the sessions of a ``run`` have in common. Without a ``fleet`` this
    process works.
    """
    if fleet is not None:
        yield from fleet.run(partial(_work_for_some, work, run), items)
        return
    shared = Shared(is_lasting=True)
    try:
        for item in items:
            yield item, work(item, shared)
    finally:
        shared.close()


def _work_for_some(
    work: Callable[[Item, Shared], Made], run: str, items: Sequence[Item]
) -> list[Made]:
    return [work(item, shared_here(run)) for item in items]


def shared_here(run: str) -> Shared:
    """Return what the sessions of this thread have in common; a process cannot keep it otherwise.

    Those of one ``run`` see the same modules: workers of a cluster take another look for the next.
    If an executor has several threads in a process, each thread has its own Ruby.
    """
    shared = _of_thread.shared
    if shared is None:
        shared = _of_thread.shared = Shared(is_lasting=True)
    if _of_thread.run != run:
        _of_thread.run = run
        shared.look_anew()
    return shared


def _begin_worker(max_memory: int, has_begun: Event) -> None:
    """Prepare a process of this machine that works, and say so."""
    has_begun.set()
    begin_worker(max_memory)
    # While all of Python is there still.
    Finalize(None, _close_shared, exitpriority=0)


def _close_shared() -> None:
    if _of_thread.shared is not None:
        _of_thread.shared.close()


class _OfThread(local):
    shared: Shared | None = None
    run = ""


_of_thread = _OfThread()
