"""Order and sorting as Ruby has them."""

from __future__ import annotations

from functools import cmp_to_key
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.ruby_library.ordering import (
    merge_sort,
    natural_sort,
    required_order,
    ruby_order,
)


@pytest.mark.parametrize(
    ("left", "right", "order"),
    [
        (1, 2, -1),
        (2, 1.5, 1),
        (1, 1.0, 0),
        ("a", "B", 1),
        ("a", 1, None),
        (True, False, None),
        (True, True, 0),
        (None, None, 0),
        ((1, 2), (1, 3), -1),
        ((1,), (1, 0), -1),
        ((1, "a"), (1, 2), None),
        (float("nan"), 1.0, None),
    ],
)
def test_ruby_order(left: Any, right: Any, order: int | None) -> None:
    assert ruby_order(left, right) == order


@given(st.lists(st.integers() | st.floats(allow_nan=False)))
def test_merge_sort_is_a_stable_sort(values: list[Any]) -> None:
    expected = sorted(values, key=cmp_to_key(required_order))
    assert merge_sort(values, required_order) == expected
    assert [type(one) for one in merge_sort(values, required_order)] == [
        type(one) for one in expected
    ]


@given(st.lists(st.text()))
def test_texts_sort_by_code_points(values: list[str]) -> None:
    assert natural_sort(values) == sorted(values)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((3, "a"), "comparison of Integer with String failed"),
        (("a", 3), "comparison of String with 3 failed"),
        ((True, False), "comparison of TrueClass with false failed"),
        ((None, 1), "comparison of NilClass with 1 failed"),
    ],
)
def test_no_order(values: tuple[Any, ...], message: str) -> None:
    with pytest.raises(RuntimeFailure) as caught:
        natural_sort(values)
    assert caught.value.message == message
