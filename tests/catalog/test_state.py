"""The state of a catalog: marks in a tree of versions, and ways between them that are cut off."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from puppet_repl.catalog.state import State


class Cell:
    """Two numbers that are equal, unless one of the next ``interrupts`` comes between them."""

    def __init__(self, interrupts: list[None]) -> None:
        self.epoch = 0
        self.first = self.second = 0
        self.interrupts = interrupts

    def mark(self) -> tuple[int, int]:
        return self.first, self.second

    def return_to(self, mark: tuple[int, int]) -> None:
        self.first = mark[0]
        if self.interrupts:
            self.interrupts.pop()
            raise KeyboardInterrupt
        self.second = mark[1]


STEPS = st.one_of(
    st.tuples(st.just("set"), st.integers(0, 1), st.integers(0, 99)),
    st.tuples(st.just("declare"), st.just(0), st.integers(0, 99)),
    st.tuples(st.just("mark"), st.just(0), st.just(0)),
    st.tuples(st.just("return"), st.integers(0, 20), st.just(0)),
    st.tuples(st.just("interrupted"), st.integers(0, 20), st.integers(0, 2)),
)


@settings(max_examples=500)
@given(st.lists(STEPS, max_size=40))
@example([("set", 0, 5), ("mark", 0, 0), ("return", 0, 0), ("interrupted", 1, 1)])
def test_every_mark_can_be_returned_to_from_anywhere(steps: list[tuple[str, int, int]]) -> None:
    """A way that was cut off, in the middle of a change, need not be gone to its end."""
    state = State()
    interrupts: list[None] = []
    cells = [Cell(interrupts), Cell(interrupts)]
    collectors: list[Any] = list(cells)

    def now() -> tuple[object, ...]:
        numbers = [(cell.first, cell.second) for cell in cells]
        return numbers, dict(state.tables.tags), state.written, state.input

    marks = [(state.mark(), now())]
    for verb, which, number in [*steps, ("return", 0, 0)]:
        if verb == "set":
            state.touch_collector(collectors[which])
            cells[which].first = cells[which].second = number
        elif verb == "declare":
            state.writable().tags[str(number)] = None
        elif verb == "mark":
            marks.append((state.mark(), now()))
            state.begin_input()
        else:
            if verb == "interrupted":
                interrupts.append(None)
                try:
                    state.return_to(marks[which % len(marks)][0])
                except KeyboardInterrupt:
                    which += number
                interrupts.clear()
            mark, before = marks[which % len(marks)]
            state.return_to(mark)
            assert now() == before
