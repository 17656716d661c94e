"""Merges: deep ones as the library deep_merge 1.2.2 makes them, all as Puppet's lookup() does."""

from __future__ import annotations

from functools import partial, reduce
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.base.errors import PuppetError
from puppet_repl.environment.hiera.search import merged
from puppet_repl.language.data.merge import FIRST, HASH, HIERA_HASH, Merge, merge_of
from puppet_repl.language.types.text.format import program_text
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash, from_data
from tests.recorded import read

HERE = Path(__file__).parent
CALL = "Evaluation Error: Error while evaluating a Function Call, "

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


@pytest.mark.parametrize("case", read(HERE / "deep_merges.jsonl"))
def test_deep_merges_of_the_library(case: dict[str, Any]) -> None:
    merge = Merge("deep", from_data(case["options"]))
    assert reduce(merge.two, map(from_data, case["values"])) == from_data(case["merged"])


@pytest.mark.parametrize("case", read(HERE / "merges.jsonl"), ids=lambda case: str(case["merge"]))
def test_merges_of_lookup(case: dict[str, Any]) -> None:
    """What Puppet's lookup() answers where the levels have these values."""
    called = []

    def variant(value: Any) -> Any:
        called.append(value)
        return from_data(value)

    def found() -> Any:
        """The levels are those of one layer; those around it have no value."""
        merge = merge_of(from_data(case["merge"]))
        layer = partial(merged, merge, levels)
        return merged(merge, [lambda: UNSET, layer, lambda: UNSET])

    levels = [partial(variant, value) for value in case["values"]]
    if "error" in case:
        with pytest.raises(PuppetError) as caught:
            found()
        assert case["error"].removeprefix(CALL) == caught.value.message
        return
    assert program_text(found()) == case["value"]
    merge = merge_of(from_data(case["merge"]))
    assert len(called) == (1 if merge.takes_first else len(levels))


def test_levels_without_a_value_do_not_count() -> None:
    def none() -> Any:
        return UNSET

    for name in ("first", "unique", "hash", "deep"):
        assert merged(merge_of(name), [none, none]) is UNSET
        assert merged(merge_of(name), []) is UNSET
    assert merged(merge_of("first"), [none, lambda: 1, lambda: 2]) == 1
    assert merged(merge_of("unique"), [none, lambda: (1, (2,)), none, lambda: 3]) == (1, 2, 3)


def test_a_strategy_that_was_made_is_kept() -> None:
    merge = Merge("deep")
    assert merge_of(merge) is merge
    assert merge_of(None).name == "first"
    assert [kind.name for kind in (FIRST, HASH, HIERA_HASH)] == ["first", "hash", "hash"]
    assert merge_of(from_data({"strategy": "deep"})).options is PuppetHash.EMPTY
    assert merge_of(from_data({"strategy": "deep", "merge_debug": True})).options.has("merge_debug")
