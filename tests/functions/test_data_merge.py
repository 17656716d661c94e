"""Deep merges, as the library deep_merge 1.2.2 made them of the same values."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pytest

from puppet_repl.functions.data_merge import Merge
from puppet_repl.values.data import from_data

CASES: list[tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]] = [
    (
        {"knockout_prefix": "--"},
        [{"w": {"a": ["--a", "c"]}}, {"s": {"p": 1}}, {"w": {"r": "/x", "a": ["a", "b"]}}],
        {"w": {"r": "/x", "a": ["a", "b"]}, "s": {"p": 1}},
    ),
    (
        {"knockout_prefix": "--"},
        [{"w": {"a": ["--a", "c"]}}, {"w": {"r": "/x", "a": ["a", "b"]}}],
        {"w": {"r": "/x", "a": ["b", "c"]}},
    ),
    (
        {"knockout_prefix": "--"},
        [{"w": ["--a", "c"]}, {"s": 1}, {"w": ["a", "b"]}],
        {"w": ["a", "b", "c"], "s": 1},
    ),
    (
        {"knockout_prefix": "--"},
        [{"w": {"a": ["b", "--", "c"]}}, {"s": 1}, {"w": {"a": ["a"]}}],
        {"w": {"a": ["a"]}, "s": 1},
    ),
    (
        {"knockout_prefix": "--"},
        [{"w": {"a": ["c", "--a", "d", "a", "e"]}}, {"s": 1}],
        {"s": 1, "w": {"a": ["c", "e"]}},
    ),
    ({"knockout_prefix": "--"}, [{"w": ["--a", "c"]}, {"w": "text"}], {"w": ["c"]}),
    (
        {"knockout_prefix": "--"},
        [{"w": {"x": "1", "y": "--2", "z": ["--1", "2"]}}, {"w": "text"}],
        {"w": {"x": "1", "y": "", "z": []}},
    ),
    (
        {"knockout_prefix": "--", "merge_hash_arrays": True},
        [{"w": [{"a": ["--a", "c"]}]}, {"s": 1}],
        {"s": 1, "w": [{"a": []}]},
    ),
    ({}, [{"w": {}}, {"w": [1]}], {"w": [1]}),
]


@pytest.mark.parametrize(("options", "values", "merged"), CASES)
def test_deep_merges(
    options: dict[str, Any], values: list[dict[str, Any]], merged: dict[str, Any]
) -> None:
    merge = Merge("deep", from_data(options))
    assert reduce(merge.two, map(from_data, values)) == from_data(merged)
