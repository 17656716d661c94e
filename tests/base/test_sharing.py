"""Work on values with shared parts is done once for each part, and trees pay nothing for it."""

from __future__ import annotations

import pytest

from puppet_repl.base.sharing import (
    TooManyParts,
    budget,
    in_one_walk,
    once,
    once_alike,
    once_for_both,
)
from puppet_repl.language.values.compare import equals, exact_equals
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.text import to_text

DEPTH = 60
Node = tuple[object, ...]


def shared(depth: int = DEPTH) -> Node:
    """Return an array of two paths at each level to one array."""
    node: Node = (1,)
    for _ in range(depth):
        node = (node, node)
    return node


def paths(node: object) -> int:
    """Return the number of paths to leaves."""
    return once(_sum_of_paths, node, len(node)) if isinstance(node, tuple) else 1


def _sum_of_paths(node: Node) -> int:
    return sum(map(paths, node))


def copied(node: object) -> object:
    """Return a copy that shares what the original shares."""
    return once_alike(_copied_items, node) if isinstance(node, tuple) else node


def _copied_items(node: Node) -> object:
    return list(map(copied, node))


def same(left: object, right: object) -> bool:
    """Tell whether two arrays have equal parts."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and once_for_both(_same_items, left, right)
    return left == right


def _same_items(left: Node, right: Node) -> bool:
    return all(map(same, left, right))


def written(node: object) -> str:
    """Return a text of every leaf on every path."""
    return once(_written_items, node) if isinstance(node, tuple) else str(node)


def _written_items(node: Node) -> str:
    return "".join(map(written, node))


def test_every_path_counts_though_it_is_not_followed() -> None:
    assert paths(shared()) == 2**DEPTH


def test_small_values_are_followed_as_they_are() -> None:
    assert paths(((1, 2), (3, (4, 5)))) == 5


def test_results_of_two_arguments() -> None:
    assert same(shared(), shared())
    assert not same(shared(), (shared(DEPTH - 1), (shared(DEPTH - 2), 1)))


def test_a_copy_shares_what_its_original_shares() -> None:
    node = copied(shared())
    seen: set[int] = set()
    while isinstance(node, list):
        assert all(part is node[0] for part in node) or not isinstance(node[0], list)
        seen.add(id(node))
        node = node[0]
    assert len(seen) == DEPTH + 1


def test_nothing_is_remembered_after_the_outermost_call() -> None:
    answers = iter((1, 2))

    def asked(_node: object) -> int:
        return next(answers)

    node = shared(1)
    assert [once(asked, node), once(asked, node)] == [1, 2]


def test_an_error_ends_the_walk() -> None:
    def failing(node: object) -> object:
        if node == 1:
            raise KeyError("leaf")
        return once(failing, node[0]) if isinstance(node, tuple) else None

    for _ in range(2):
        with pytest.raises(KeyError):
            once(failing, shared())
    assert paths(shared()) == 2**DEPTH


def test_one_walk_remembers_from_its_beginning() -> None:
    calls: list[object] = []

    def asked(node: object) -> int:
        calls.append(node)
        return len(calls)

    node = shared(1)
    assert in_one_walk(lambda: [once(asked, node), once(asked, node)]) == [1, 1]
    assert len(calls) == 1


def test_a_text_that_cannot_fit_is_refused() -> None:
    with pytest.raises(MemoryError):
        written(shared())


def test_a_small_value_that_meets_the_end_of_the_budget_has_the_same_result() -> None:
    node = ((1, "a"), PuppetHash((("k", (2,)),)))
    other = ((1, "A"), PuppetHash((("k", (2,)),)))
    for left in range(4):
        budget.parts = left
        assert equals(node, other)
        budget.parts = left
        assert not exact_equals(node, other)
        budget.parts = left
        assert to_text(node) == "[[1, a], {k => [2]}]"


def test_a_budget_that_ends_says_so_and_begins_again() -> None:
    budget.parts = 1
    budget.spend(1)
    with pytest.raises(TooManyParts):
        budget.spend(1)
    assert budget.parts > 1
