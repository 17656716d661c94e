"""Large values are told from small ones without looking at all of them."""

from __future__ import annotations

import pytest

from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.extent import MAX_PARTS
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.size import is_large


def nested(depth: int) -> object:
    value: object = ()
    for _ in range(depth):
        value = (value,)
    return value


@pytest.mark.parametrize(
    ("value", "large"),
    [
        (1, False),
        ("x" * 1000, False),
        ((), False),
        ((1,) * 20, False),
        ((1,) * 21, True),
        (((1,) * 10, (1,) * 8), False),
        (((1,) * 10, (1,) * 9), True),
        (PuppetHash((f"k{i}", i) for i in range(10)), False),
        (PuppetHash((f"k{i}", i) for i in range(11)), True),
        (PuppetHash([("a", (1,) * 19)]), True),
        (nested(10), False),
        (nested(5000), True),
    ],
)
def test_sizes(value: object, large: bool) -> None:
    assert is_large(value, 20) is large


def test_depth_counts_whatever_the_number() -> None:
    assert not is_large(nested(40), 10_000)
    assert is_large(nested(5000), 10_000)


@pytest.mark.slow
def test_an_array_that_is_too_large_is_not_flattened() -> None:
    part = (1,) * (MAX_PARTS // 4)
    assert len(flatten((part,) * 3)) == 3 * len(part)
    with pytest.raises(MemoryError):
        flatten((part,) * 5)
