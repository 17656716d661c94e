"""PuppetHash against a plain model: pairs whose keys are told apart as Ruby's eql? does."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from puppet_repl.values.default import DEFAULT
from puppet_repl.values.hash import PuppetHash, hash_key

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
