"""PuppetHash against a plain model: pairs whose keys are told apart as Ruby's eql? does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puppet_repl.base.sharing import in_one_walk
from puppet_repl.language.values.compare import equals, exact_equals
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash, hash_key
from puppet_repl.language.values.text import to_text

KEYS = st.recursive(
    st.sampled_from([None, True, False, 0, 1, 0.0, 1.0, "", "a", "A", "1", DEFAULT]),
    lambda inner: st.lists(inner, max_size=2).map(tuple),
    max_leaves=4,
)
PAIRS = st.lists(st.tuples(KEYS, st.integers(0, 9)), max_size=8)


def _model(pairs: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    found: dict[Any, tuple[Any, Any]] = {}
    for key, value in pairs:
        native = hash_key(key)
        found[native] = (found[native][0] if native in found else key, value)
    return list(found.values())


def _shown(pairs: Any) -> str:
    return repr(list(pairs))


@given(PAIRS)
def test_building(pairs: list[tuple[Any, Any]]) -> None:
    made = PuppetHash(pairs)
    model = _model(pairs)
    assert _shown(made.items()) == _shown(model)
    assert _shown(made.keys()) == _shown([key for key, _ in model])
    assert _shown(made.values()) == _shown([value for _, value in model])
    assert len(made) == len(model)
    for key, value in model:
        assert made.has(key)
        assert made.get(key) == made[key] == value


@given(PAIRS, PAIRS)
def test_merge(one: list[tuple[Any, Any]], two: list[tuple[Any, Any]]) -> None:
    left, right = PuppetHash(one), PuppetHash(two)
    before = _shown(left.items()), _shown(right.items())
    merged = left.merge(right)
    assert _shown(merged.items()) == _shown(_model(one + two))
    assert (_shown(left.items()), _shown(right.items())) == before
    for key in merged.keys():
        assert merged.has(key)


@given(PAIRS, KEYS)
def test_one_key(pairs: list[tuple[Any, Any]], key: Any) -> None:
    made = PuppetHash(pairs)
    before = _shown(made.items())
    assert _shown(made.with_item(key, 99).items()) == _shown(_model([*pairs, (key, 99)]))
    without = made.without([key])
    assert not without.has(key)
    rest = [pair for pair in _model(pairs) if hash_key(pair[0]) != hash_key(key)]
    assert _shown(without.items()) == _shown(rest)
    assert _shown(made.items()) == before


def test_a_hash_as_key_ignores_order() -> None:
    one = PuppetHash([("a", 1), (2.0, 2)])
    two = PuppetHash([(2.0, 2), ("a", 1)])
    assert PuppetHash([(one, "x")]).get(two) == "x"


def test_items_can_be_gone_through_twice() -> None:
    items = PuppetHash([(1.5, 1), (2.5, 2)]).items()
    assert list(items) == list(items)


def without_its_array() -> PuppetHash:
    """Return ``{'a' => 1}``, made by taking a key that is an array away."""
    return PuppetHash([((1,), 2), ("a", 1)]).without([(1,)])


def nested(levels: int, width: int) -> tuple[Any, ...]:
    """Return an array of ``width ** levels`` paths, the last of which ends in an empty array."""
    value: Any = 1
    for _ in range(levels):
        value = (*[value] * (width - 1), value, ())
    made: tuple[Any, ...] = value
    return made


def test_a_key_does_not_tell_how_a_hash_was_made() -> None:
    plain = PuppetHash([("a", 1)])
    assert hash_key(without_its_array()) == hash_key(plain)
    assert hash_key((without_its_array(), 1)) == hash_key((plain, 1))
    assert without_its_array() == plain


@pytest.mark.parametrize(("levels", "width"), [(1, 3), (3, 3), (6, 3), (2, 99), (1, 200), (3, 30)])
def test_keys_of_equal_values_are_equal_whatever_their_size(levels: int, width: int) -> None:
    one, other = nested(levels, width), nested(levels, width)
    assert hash_key(one) == hash_key(other)
    assert hash(hash_key(one)) == hash(hash_key(other))
    assert hash_key(one) != hash_key((*one[:-1], 2))
    # As it is while a walk is going on, and as a part of another value.
    assert in_one_walk(hash_key, one) == hash_key(other)
    assert hash_key((one, 5)) == in_one_walk(hash_key, (other, 5))


@pytest.mark.parametrize("same", [equals, exact_equals])
@pytest.mark.parametrize(("levels", "width"), [(1, 3), (3, 30), (2, 200), (12, 3)])
def test_values_of_any_size_are_compared_to_the_end(
    levels: int, width: int, same: Callable[[Any, Any], bool]
) -> None:
    one, other = nested(levels, width), nested(levels, width)
    for _ in range(3):
        assert same(one, other)
        assert same(PuppetHash([("a", one)]), PuppetHash([("a", other)]))
        assert not same(one, (*one[:-1], 2))
        assert not same((one, (one, 1)), (other, (other, 2)))


@pytest.mark.parametrize(("levels", "width"), [(1, 3), (3, 30), (2, 200), (9, 3)])
def test_values_of_any_size_are_written_to_the_end(levels: int, width: int) -> None:
    value = nested(levels, width)
    expected = repr(value).replace("(", "[").replace(")", "]")
    for _ in range(3):
        assert to_text(value) == expected
        assert to_text(PuppetHash([("a", value)])) == "{a => " + expected + "}"
