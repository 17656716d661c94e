"""Work for many items on executors: each has one result, whatever dies.

The processes that are killed are those of the fleet; only these get signals.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import wait
from pathlib import Path

import pytest

from puppet_repl.frontends.shared.fleet import MAX_DEATHS, Fleet, FleetError, Lost

pytestmark = pytest.mark.untraced


MEMORY = 1 << 30


def squares(numbers: Sequence[int]) -> list[int]:
    return [number * number for number in numbers]


def squares_dying(victims: dict[int, int], notes: str, numbers: Sequence[int]) -> list[int]:
    """Return squares; each of the victims kills its process so many times.

    A file for each call of a number is below ``notes``: how often it was worked for.
    """
    for number in numbers:
        done = len(list(Path(notes).glob(f"{number}-*")))
        Path(notes, f"{number}-{time.monotonic_ns()}").touch()
        if done < victims.get(number, 0):
            os.kill(os.getpid(), signal.SIGKILL)
    return squares(numbers)


def calls(notes: Path, number: int) -> int:
    return len(list(notes.glob(f"{number}-*")))


def no_result(numbers: Sequence[int]) -> list[object]:
    return [(lambda: 1) if number == 5 else number for number in numbers]


def spawning() -> Executor:
    return ProcessPoolExecutor(2, mp_context=get_context("spawn"))


def test_every_item_has_its_result_in_other_processes() -> None:
    numbers = list(range(50))
    with Fleet(2, MEMORY) as fleet:
        made = list(fleet.run(squares, numbers))
        assert sorted(made) == [(number, number * number) for number in numbers]
        assert list(fleet.run(squares, [])) == []
        assert list(fleet.run(squares, [3])) == [(3, 9)]


def test_an_executor_stays_open() -> None:
    with ThreadPoolExecutor(3) as executor:
        with Fleet(2, MEMORY, executor=executor) as fleet:
            assert dict(fleet.run(squares, range(30))) == {n: n * n for n in range(30)}
        assert executor.submit(squares, [2]).result() == [4]


@pytest.mark.parametrize(("victim", "deaths"), [(7, 1), (60, 2)])
def test_what_a_dead_process_had_is_done_again(tmp_path: Path, victim: int, deaths: int) -> None:
    work = partial(squares_dying, {victim: deaths}, str(tmp_path))
    with Fleet(2, MEMORY) as fleet:
        made = list(fleet.run(work, range(64)))
    assert sorted(made) == [(n, n * n) for n in range(64)]
    assert calls(tmp_path, victim) == deaths + 1


def test_what_kills_its_process_again_and_again_has_failed(tmp_path: Path) -> None:
    work = partial(squares_dying, {7: 99, 40: 99}, str(tmp_path))
    with Fleet(2, MEMORY) as fleet:
        made = list(fleet.run(work, range(64)))
    assert sorted(number for number, _ in made) == list(range(64))
    failed = {number: result for number, result in made if isinstance(result, Lost)}
    assert set(failed) == {7, 40}
    assert "was killed, 3 times" in str(failed[7])
    # One is under way, and not begun perhaps, when the other kills a process.
    assert all(1 <= calls(tmp_path, number) <= MAX_DEATHS for number in failed)
    assert all(result == n * n for n, result in made if n not in failed)


@pytest.mark.parametrize("kind", ["function", "executor"])
def test_an_executor_that_breaks_is_replaced(tmp_path: Path, kind: str) -> None:
    work = partial(squares_dying, {7: 1}, str(tmp_path))
    made: list[Executor] = []

    def source() -> Executor:
        made.append(spawning())
        return made[-1]

    given = source if kind == "function" else spawning()
    with Fleet(2, MEMORY, executor=given, window=4) as fleet:
        assert dict(fleet.run(work, range(32))) == {n: n * n for n in range(32)}
    if kind == "function":
        assert len(made) == 2
    for executor in made:
        with pytest.raises(RuntimeError):  # it is shut down
            executor.submit(squares, [1])


def test_what_cannot_be_sent_is_an_error_of_its_item() -> None:
    with Fleet(2, MEMORY) as fleet:
        made = dict(fleet.run(no_result, range(20)))
    lost = made.pop(5)
    assert isinstance(lost, Lost) and "no result came back" in str(lost)
    assert made == {n: n for n in range(20) if n != 5}


def test_few_chunks_are_given_at_a_time() -> None:
    given = []

    class Counting(ThreadPoolExecutor):
        def submit(self, *args, **named):  # type: ignore[no-untyped-def]
            future = super().submit(*args, **named)
            given.append(future)
            assert sum(not each.done() for each in given) <= 3
            return future

    with Counting(1) as executor, Fleet(1, MEMORY, executor=executor, window=3) as fleet:
        assert len(list(fleet.run(squares, range(200)))) == 200


def test_an_executor_that_takes_nothing() -> None:
    class Broken(Executor):
        def submit(self, *args, **named):  # type: ignore[no-untyped-def]
            raise BrokenExecutor

    with (
        Fleet(1, MEMORY, executor=Broken) as fleet,
        pytest.raises(FleetError, match="no process can be started"),
    ):
        list(fleet.run(squares, [1]))


@pytest.mark.parametrize("kind", ["function", "executor"])
def test_an_executor_that_is_shut_down(kind: str) -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    given = executor if kind == "executor" else lambda: executor
    with (
        Fleet(1, MEMORY, executor=given) as fleet,
        pytest.raises(FleetError, match="the executor takes no work: cannot schedule"),
    ):
        list(fleet.run(squares, [1]))


def test_processes_end_with_a_run_that_is_left() -> None:
    with pytest.raises(KeyboardInterrupt), Fleet(2, MEMORY) as fleet:
        for _ in fleet.run(partial(slowly, 0.0), range(100)):
            context = fleet._context
            assert context is not None
            raise KeyboardInterrupt
    # Not is_alive(): it is wrong for a moment where another thread has waited for the process, too.
    for process in context.started:
        assert wait([process.sentinel], timeout=10)


def slowly(seconds: float, numbers: Sequence[int]) -> list[int]:
    time.sleep(seconds)
    return squares(numbers)
