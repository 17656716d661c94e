"""What must hold for any types and values, whatever they are."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from puppet_repl.language.types.algebra.common import common_type
from puppet_repl.language.types.algebra.infer import infer, infer_set
from puppet_repl.language.types.algebra.normalize import normalize
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.types.model.alias import TypeAliasType
from puppet_repl.language.types.model.base import ANY, UNDEF, PuppetType
from puppet_repl.language.types.model.collection import StructElement, StructType
from puppet_repl.language.types.model.wrapper import NotUndefType, OptionalType
from puppet_repl.language.types.text.mismatch import describe
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.sensitive import Sensitive

# Alone these take every type or none, whatever their instances are: Puppet's own exceptions.
_LOOSE = {"Optional", "Variant", "Enum", "Init", "Tuple", "Unit"}

_LEAVES = st.sampled_from(
    [
        "Any", "Undef", "Default", "Scalar", "ScalarData", "Numeric", "Integer", "Integer[0, 5]",
        "Integer[-2]", "Float", "Float[0.0, 2.5]", "String", "String[1]", "String[2, 3]",
        "Boolean", "Boolean[true]", "Enum['a', 'b']", "Enum['abc', true]", "Pattern[/b/]",
        "Regexp", "Data", "RichData", "Array", "Hash", "Tuple", "Collection", "Collection[1, 2]",
        "Type", "Type[Integer]", "Sensitive", "Sensitive[String]", "NotUndef", "Iterable",
    ]
)  # fmt: skip


def _containers(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    sizes = st.sampled_from(["", ", 1", ", 0, 2", ", 2, 3"])
    names = st.sampled_from(["'a'", "Optional['b']", "NotUndef['c']"])
    members = st.lists(st.tuples(names, inner), max_size=3, unique_by=lambda pair: pair[0])
    return st.one_of(
        st.tuples(inner, sizes).map(lambda it: f"Array[{it[0]}{it[1]}]"),
        st.tuples(inner, inner, sizes).map(lambda it: f"Hash[{it[0]}, {it[1]}{it[2]}]"),
        st.lists(inner, min_size=1, max_size=3).map(lambda it: f"Tuple[{', '.join(it)}]"),
        st.lists(inner, min_size=1, max_size=3).map(lambda it: f"Variant[{', '.join(it)}]"),
        inner.map(lambda it: f"Optional[{it}]"),
        inner.map(lambda it: f"NotUndef[{it}]"),
        members.map(lambda it: "Struct[{" + ", ".join([f"{k} => {v}" for k, v in it]) + "}]"),
    )


TYPES = st.recursive(_LEAVES, _containers, max_leaves=5).map(parse_type)
_SIMPLE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 7),
    st.sampled_from([0.0, 1.5, 2.5, -1.0]),
    st.sampled_from(["", "a", "b", "ABC", "xyz", "bb"]),
    st.just(DEFAULT),
    st.just(Sensitive("a")),
    st.sampled_from([parse_type("Integer"), parse_type("String[1]")]),
)


def _values(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keys = st.one_of(st.sampled_from(["a", "b", "c"]), st.integers(0, 2))
    return st.one_of(
        st.lists(inner, max_size=3).map(tuple),
        st.lists(st.tuples(keys, inner), max_size=3).map(PuppetHash),
    )


VALUES = st.recursive(_SIMPLE, _values, max_leaves=6)


def _is_strict(kind: PuppetType) -> bool:
    """Whether nothing inside has rules of its own for what is assignable."""
    pending = [kind]
    seen: set[int] = set()
    while pending:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if one.kind in _LOOSE and not one.parts()[0]:
            return False
        if isinstance(one, NotUndefType) and one.type is not None and one.type.accepts_type(UNDEF):
            return False
        pending.extend(one.contained())
    return True


@given(TYPES, VALUES)
def test_a_type_that_accepts_the_inferred_type_accepts_the_value(
    kind: PuppetType, value: Any
) -> None:
    inferred = infer_set(value)
    if "Struct" in str(kind) and "Hash" in str(inferred):
        return  # A Struct without required keys takes any small Hash type, whatever its keys.
    if kind.accepts_type(inferred):
        assert kind.accepts_value(value)


@given(VALUES)
def test_a_value_is_an_instance_of_its_inferred_types(value: Any) -> None:
    assert infer_set(value).accepts_value(value)
    assert infer_set(value).generalize().accepts_value(value)
    general = infer(value).generalize()
    assert ANY.accepts_type(general)


@settings(max_examples=300)
@given(TYPES, TYPES, VALUES)
def test_instances_of_an_assignable_type_are_instances(
    wide: PuppetType, narrow: PuppetType, value: Any
) -> None:
    if not (_is_strict(wide) and _is_strict(narrow)):
        return
    if wide.accepts_type(narrow) and narrow.accepts_value(value):
        assert wide.accepts_value(value), (str(wide), str(narrow))


@given(TYPES)
def test_a_type_accepts_itself_and_its_generalization_accepts_it(kind: PuppetType) -> None:
    if _is_strict(kind):
        assert kind.accepts_type(kind)
    assert kind == parse_type(str(kind))
    assert hash(kind) == hash(parse_type(str(kind)))


@given(TYPES)
def test_text_reads_back_to_an_equal_type(kind: PuppetType) -> None:
    again = parse_type(str(kind))
    assert again == kind
    assert str(again) == str(kind)


@given(TYPES, TYPES)
def test_the_common_type_accepts_both(left: PuppetType, right: PuppetType) -> None:
    common = common_type(left, right)
    if "Undef" in f"{left}{right}" or not (_is_strict(left) and _is_strict(right)):
        return  # Puppet ignores Undef here, at any depth.
    assert common.accepts_type(left)
    assert common.accepts_type(right)


@given(TYPES, VALUES)
def test_what_is_not_assignable_is_described(kind: PuppetType, value: Any) -> None:
    inferred = infer_set(value)
    if _is_strict(kind) and not kind.accepts_type(inferred):
        texts = [one.format() for one in describe(kind, inferred, ())]
        assert texts
        assert all(re.search(r" (expects|unrecognized key) \S", text) for text in texts), texts


@given(TYPES, VALUES)
def test_normalizing_keeps_the_instances(kind: PuppetType, value: Any) -> None:
    if "NotUndef" in str(kind):
        return  # Optional[NotUndef] becomes Optional in Puppet, which only undef is an instance of.
    normal = normalize(kind)
    if kind.accepts_value(value) and not normal.accepts_value(value):
        # More may become instances: the sizes of Array[Any] and Collection are forgotten.
        raise AssertionError((str(kind), str(normal)))


@given(TYPES, VALUES)
def test_generated_predicates_answer_as_plain_ones(kind: PuppetType, value: Any) -> None:
    check = parse_type(str(kind)).predicate()
    first = check(value)
    for _ in range(30):
        again = check(value)
        assert again == first


@given(TYPES, VALUES)
def test_an_alias_has_the_instances_of_the_type_that_it_stands_for(
    kind: PuppetType, value: Any
) -> None:
    def check(one: PuppetType) -> Any:
        elements = StructElement("a", False, one), StructElement("b", True, OptionalType(one))
        return StructType(elements).predicate()

    entries = PuppetHash([("a", value), ("b", value)])
    expected = check(kind)(entries)
    alias = TypeAliasType("Alias", lambda: TypeAliasType("Inner", lambda: kind))
    of_alias = check(alias)
    # The test is generated after the first of these.
    assert [of_alias(entries) for _ in range(30)] == [expected] * 30
