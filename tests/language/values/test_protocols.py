"""Each class of values obeys the protocols that it derives from: signatures, and laws.

The classes are found by walking through the package, so that a new one is checked without being
named here. A value of each class has to be among SAMPLES: a class without one fails.
"""

from __future__ import annotations

import atexit
import inspect
import pkgutil
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puppet_repl
from puppet_repl.base.errors import PuppetError
from puppet_repl.catalog.references import ResourceReference
from puppet_repl.environment.hiera.lookup_context import FunctionCache, LookupContext
from puppet_repl.environment.ruby.data_types import RubyInstance
from puppet_repl.environment.ruby.objects import RubyBlock, RubyObject
from puppet_repl.language.functions.legacy import ResourceArgument
from puppet_repl.language.functions.stdlib.deprecation import LogMessage
from puppet_repl.language.runtime.closure import Closure
from puppet_repl.language.types.model.alias import TypeReferenceType
from puppet_repl.language.types.model.base import UNIT, PuppetType
from puppet_repl.language.values import protocols
from puppet_repl.language.values.binary import Binary
from puppet_repl.language.values.compare import NotComparableError, compare, equals
from puppet_repl.language.values.hash import PuppetHash, hash_key
from puppet_repl.language.values.labels import value_label
from puppet_repl.language.values.protocols import (
    CallableValue,
    Comparable,
    Container,
    Elements,
    Holder,
    Indexable,
    Matcher,
    Members,
    NumberLike,
    Operand,
    Pattern,
    PuppetValue,
    Typed,
    ValueRange,
)
from puppet_repl.language.values.quote import literal_text
from puppet_repl.language.values.regex import Regexp
from puppet_repl.language.values.ruby import ruby_class, ruby_inspect, ruby_text
from puppet_repl.language.values.semver import SemVer
from puppet_repl.language.values.semver_range import SemVerRange
from puppet_repl.language.values.sensitive import Sensitive
from puppet_repl.language.values.symbol import RubySymbol
from puppet_repl.language.values.text import to_text
from puppet_repl.language.values.time import Timespan, Timestamp
from puppet_repl.language.values.uri import URI
from puppet_repl.session import Options, Session
from puppet_repl.tools.rendering.values import _DeepMark
from tests.conformance.judge import write_files
from tests.environment.ruby.engine import ENGINE, needs_ruby

NATIVE = (type(None), bool, int, float, str, tuple, PuppetHash)

# What only has subclasses: no value is of exactly this class.
ABSTRACT = {
    "PuppetType": "the base of all types",
    "DefinedType": "the base of types with a definition of their own",
    "CompositeType": "the base of types with types inside",
    "WrappingType": "the base of types with one type inside",
    "TimeDataType": "the base of Timespan and Timestamp as types",
    "TimeValue": "the base of Timespan and Timestamp as values",
}

DEFINITIONS = """
function twice($x) { $x * 2 }
type Small = Integer[1, 3]
type Point = Object[{attributes => {x => Integer, y => Integer}}]
type Set = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => {A => Integer}}]
@notify { 'a': }
"""

EXPRESSIONS = """
default
Binary('YWJj')
Binary('')
Sensitive(1)
Sensitive('a')
Timespan(1.5)
Timespan(-3)
Timestamp(1.5)
SemVer('1.2.3')
SemVer('1.2.3-rc.1+b')
SemVerRange('>=1.0.0 <2.0.0')
/a(b)?/
/(?i:A)/
URI('http://user@a:81/b?c#d')
URI('mailto:a@b')
[1, 2].reverse_each
'abc'.reverse_each
Point(1, 2)
Error('m')
Notify <| title == 'a' |>
Point
Set
Small
Any
Undef
Type[Integer]
type(default)
Binary
Callable[Integer, String]
Collection
Array[String]
Hash[String, Integer]
Tuple[Integer, String]
Struct[{a => Integer}]
Error
Error['kind']
CatalogEntry
Class
Class['a']
Notify
Notify['a']
Resource
Runtime['ruby', 'Symbol']
Boolean[true]
Enum['a', 'b']
Float[1.0, 2.0]
Integer
Integer[1, 5]
Numeric
Pattern[/a/]
Regexp[/a/]
Scalar
ScalarData
String[1]
Timespan[1]
Timestamp['2020-01-01']
URI['http://a']
SemVer['>1.0.0']
SemVerRange
Iterable[Integer]
Iterator[Integer]
NotUndef[Integer]
Optional[Integer]
Sensitive[Integer]
Variant[Integer, String]
Variant[String, Integer]
Init[Integer]
Data
RichData
"""


def _modules() -> list[Any]:
    found = pkgutil.walk_packages(puppet_repl.__path__, "puppet_repl.")
    return [import_module(one.name) for one in found if not one.name.endswith("__main__")]


def _subclasses(base: type) -> set[type]:
    direct = base.__subclasses__()
    return set(direct).union(*map(_subclasses, direct))


MODULES = _modules()
CLASSES = sorted(
    (
        one
        for one in _subclasses(PuppetValue)
        if one.__module__.startswith("puppet_repl.") and one.__module__ != protocols.__name__
    ),
    key=lambda one: f"{one.__module__}.{one.__qualname__}",
)
PROTOCOLS = (PuppetValue, *_subclasses(PuppetValue).difference(CLASSES))
CONCRETE = [one for one in CLASSES if one.__name__ not in ABSTRACT]


IN_RUBY = {
    "m/lib/puppet/datatypes/parcel.rb": """Puppet::DataTypes.create_type('Parcel') do
  interface 'attributes => { to => String }'
  implementation { def kilos = 1 }
end
"""
}


@cache
def _object_in_ruby() -> Any:
    """Return an object whose class is in Ruby, which may be asked as long as the tests run."""
    directory = tempfile.TemporaryDirectory()
    atexit.register(directory.cleanup)
    write_files(Path(directory.name), IN_RUBY)
    session = Session(Options(modulepath=(directory.name,), ruby=ENGINE), facts={})
    return session.execute("Parcel('x')").value


@cache
def _samples() -> tuple[Any, ...]:
    session = Session()
    assert session.execute(DEFINITIONS).error is None
    function = session.names.functions()["twice"]
    values: list[Any] = [
        function,
        Closure(function.function, function.spec, function.types),
        ResourceReference("Notify", "a"),
        ResourceArgument("Notify", "a"),
        LogMessage("a"),
        LookupContext(FunctionCache({}), cast(Any, None), "production", None),
        RubyBlock(1, [["req", "x"]], lambda x: x, []),
        RubyObject(1, "Pathname", "/a", "#<Pathname:/a>", []),
        RubySymbol("a"),
        _DeepMark("..."),
        UNIT,
        TypeReferenceType("Unknown"),
    ]
    for line in EXPRESSIONS.split("\n"):
        outcome = session.execute(line)
        assert outcome.error is None, (line, outcome.error)
        values.append(outcome.value)
    if not needs_ruby.args[0]:
        values.append(_object_in_ruby())
    return tuple(values)


def _all_samples() -> st.SearchStrategy[Any]:
    return st.deferred(lambda: st.sampled_from(_samples()))


NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.floats(-1e9, 1e9)
PARTS = st.integers(0, 2)
TIMES = st.integers(-(10**15), 10**15)
PRERELEASES = st.lists(PARTS | st.sampled_from("ab"), min_size=1, max_size=2).map(tuple)
MADE: dict[type, st.SearchStrategy[Any]] = {
    Timespan: TIMES.map(Timespan),
    Timestamp: TIMES.map(Timestamp),
    Binary: st.binary(max_size=3).map(Binary),
    SemVer: st.builds(
        SemVer, PARTS, PARTS, PARTS, st.none() | PRERELEASES, st.none() | st.just(("b",))
    ),
    SemVerRange: st.sampled_from(["1.x", ">=1.0.0", "~1.2", "1.0.0 || 2.0.0"]).map(
        SemVerRange.parse
    ),
    Regexp: st.sampled_from(["a", "b.*", "(?i:a)"]).map(Regexp),
    URI: st.sampled_from(["http://A", "http://a/", "http://a", "b/c", "mailto:a@b"]).map(URI.parse),
}
RARE = st.one_of(*MADE.values())
VALUES = st.deferred(
    lambda: (
        RARE
        | _all_samples()
        | NUMBERS
        | st.none()
        | st.booleans()
        | st.text(max_size=2)
        | st.lists(RARE | NUMBERS, max_size=2).map(tuple)
        | RARE.map(Sensitive)
    )
)


def _of(protocol: type) -> st.SearchStrategy[Any]:
    made = [strategy for cls, strategy in MADE.items() if issubclass(cls, protocol)]
    samples = st.deferred(
        lambda: st.sampled_from([one for one in _samples() if isinstance(one, protocol)])
    )
    return st.one_of(samples, *made)


# Shape


@pytest.mark.parametrize(
    "cls",
    [
        pytest.param(one, marks=needs_ruby if one is RubyInstance else (), id=one.__qualname__)
        for one in CONCRETE
    ],
)
def test_every_class_has_a_sample(cls: type) -> None:
    assert any(type(value) is cls for value in _samples()), "add one to EXPRESSIONS"


@pytest.mark.parametrize("cls", CLASSES, ids=lambda one: one.__qualname__)
def test_signatures_are_those_of_the_protocols(cls: type) -> None:
    for protocol in PROTOCOLS:
        if issubclass(cls, protocol):
            for name, declared in vars(protocol).items():
                if not name.startswith("_"):
                    _check_member(cls, name, declared)


def _check_member(cls: type, name: str, declared: object) -> None:
    member = inspect.getattr_static(cls, name)
    if isinstance(declared, property):
        assert isinstance(member, property | str), f"{name} is no attribute"
        member = member.fget if isinstance(member, property) else None
    elif isinstance(declared, FunctionType):
        assert isinstance(member, FunctionType), f"{name} is no method"
        wanted = list(inspect.signature(declared).parameters.values())
        given = list(inspect.signature(member).parameters.values())
        assert [one.name for one in given[: len(wanted)]] == [one.name for one in wanted], name
        for mine, theirs in zip(given, wanted, strict=False):
            assert mine.kind is theirs.kind, name
            assert mine.default is not inspect._empty or theirs.default is inspect._empty, name
        assert all(one.default is not inspect._empty for one in given[len(wanted) :]), name
    else:
        assert type(member) is type(declared), name
    if cls.__name__ not in ABSTRACT and isinstance(member, FunctionType):
        assert "NotImplementedError" not in member.__code__.co_names, f"{name} is missing"


def test_members_are_defined_by_those_who_derive_from_their_protocol() -> None:
    owners = {
        name: protocol
        for protocol in PROTOCOLS
        for name in vars(protocol)
        if name.startswith("puppet_") and name not in vars(protocol.__base__)
    }
    classes = {
        one
        for module in MODULES
        for one in vars(module).values()
        if isinstance(one, type) and one.__module__ == module.__name__
    }
    strangers = {
        f"{cls.__name__}.{name}"
        for cls in classes.difference(PROTOCOLS)
        for name, protocol in owners.items()
        if name in vars(cls) and not issubclass(cls, protocol)
    }
    assert strangers == set()


def test_values_have_no_dictionary() -> None:
    unslotted = [cls.__name__ for cls in (*PROTOCOLS, *CLASSES) if "__dict__" in dir(cls)]
    assert unslotted == []


# Laws of all values


@given(VALUES)
def test_texts_are_strings(value: Any) -> None:
    for write in (to_text, literal_text, ruby_text, ruby_class, value_label):
        assert type(write(value)) is str
    assert value_label(value)
    assert ruby_class(value)
    if isinstance(value, PuppetValue):
        assert type(value.puppet_program()) is str
        assert type(value.puppet_plain()) is str if not isinstance(value, Binary) else True
        assert type(ruby_inspect(value)) is str


@given(VALUES)
def test_equality_is_reflexive(value: Any) -> None:
    assert equals(value, value)
    assert hash_key(value) == hash_key(value)


def _check_equality(left: Any, right: Any) -> None:
    assert type(equals(left, right)) is bool
    assert equals(left, right) == equals(right, left)
    if hash_key(left) == hash_key(right):
        assert hash(hash_key(left)) == hash(hash_key(right))
        assert equals(left, right)


@settings(max_examples=400)
@given(VALUES, VALUES)
def test_equality_is_symmetric_and_follows_from_equal_keys(left: Any, right: Any) -> None:
    _check_equality(left, right)


def test_equality_of_all_pairs_of_samples() -> None:
    for left in _samples():
        for right in _samples():
            _check_equality(left, right)


@given(RARE)
def test_equal_values_have_equal_hashes_in_python(value: Any) -> None:
    again = type(value).__new__(type(value))
    for cls in type(value).__mro__:
        for name in getattr(cls, "__slots__", ()):
            if hasattr(value, name):
                setattr(again, name, getattr(value, name))
    assert equals(value, again)
    assert hash(value) == hash(again)


# Laws of single protocols


def _order(left: Any, right: Any) -> int | None:
    try:
        order = compare(left, right)
    except (NotComparableError, PuppetError):
        return None
    assert type(order) is int
    return (order > 0) - (order < 0)


@settings(max_examples=400)
@given(_of(Comparable), VALUES)
def test_order_is_antisymmetric(left: Any, right: Any) -> None:
    order = _order(left, right)
    back = _order(right, left)
    assert order is None and back is None if order is None else back == -order


@given(_of(Comparable), _of(Comparable))
def test_equal_values_have_no_order(left: Any, right: Any) -> None:
    assert _order(left, left) == 0
    if equals(left, right):
        assert _order(left, right) == 0


@settings(max_examples=300)
@given(st.lists(TIMES.map(Timespan) | NUMBERS, min_size=3, max_size=3))
def test_order_is_transitive(values: list[Any]) -> None:
    first, second, third = values
    if _order(first, second) == _order(second, third) == 1 and Timespan in map(type, values[1:2]):
        assert _order(first, third) == 1


@given(_of(Operand), st.sampled_from(["+", "-", "*", "/", "%", "<<", ">>"]), VALUES)
def test_operators_return_values(left: Any, operator: str, right: Any) -> None:
    try:
        result = left.puppet_arithmetic(operator, right)
    except PuppetError:
        return
    assert result is NotImplemented or isinstance(result, (PuppetValue, *NATIVE))


@given(_of(NumberLike))
def test_negating_twice_changes_nothing(value: Any) -> None:
    try:
        negated = value.puppet_negate()
    except PuppetError:
        return
    assert equals(negated.puppet_negate(), value)


@given(_of(Indexable), st.lists(st.integers(-3, 3), min_size=1, max_size=2).map(tuple))
def test_access_takes_parts_of_bytes(value: Any, keys: tuple[Any, ...]) -> None:
    def part(data: bytes, wanted: tuple[Any, ...]) -> bytes:
        assert wanted == keys
        return data[:1]

    try:
        result = value.puppet_access(keys, part)
    except PuppetError:
        return
    assert isinstance(result, (PuppetValue, *NATIVE))


@given(_of(Container), VALUES)
def test_containers_say_yes_or_no(container: Any, value: Any) -> None:
    assert type(container.puppet_includes(value)) is bool


@given(_of(Matcher), VALUES)
def test_matchers_fit_what_is_equal(matcher: Any, value: Any) -> None:
    assert type(matcher.puppet_matches(value)) is bool
    if isinstance(matcher, ValueRange):
        assert matcher.puppet_matches(value) == matcher.puppet_includes(value)
    else:
        assert matcher.puppet_matches(matcher)


@given(_of(Pattern), st.text("abAB\n", max_size=5), st.integers(0, 5))
def test_patterns_match_from_the_start_on(pattern: Any, text: str, start: int) -> None:
    match = pattern.search(text, min(start, len(text)))
    if match is not None:
        assert match.start() >= min(start, len(text))


@given(_of(Elements))
def test_elements_are_values(value: Any) -> None:
    elements = value.puppet_elements()
    for _, element in zip(range(3), elements or (), strict=False):
        assert isinstance(element, (PuppetValue, *NATIVE))


@given(_of(Holder), st.integers(0, 4))
def test_what_is_held_can_be_looked_at_again(value: Any, most: int) -> None:
    found = value.held(most)
    assert found is None or len(found) <= most
    assert value.held(most) == found


@given(_of(Members), st.sampled_from(["scheme", "x", "message", "no_such_member"]))
def test_members_have_values(value: Any, name: str) -> None:
    if value.has_member(name):
        assert isinstance(value.call_member(name, ()), (PuppetValue, *NATIVE))


def test_no_value_has_every_member() -> None:
    values = [value for value in _samples() if isinstance(value, Members)]
    assert not any(value.has_member("no_such_member") for value in values)


@given(_of(Typed))
def test_typed_values_are_instances_of_their_type(value: Any) -> None:
    assert isinstance(value.puppet_type, PuppetType)
    assert value.puppet_type.accepts_value(value)


@given(_of(CallableValue))
def test_signatures_take_what_the_function_takes(value: Any) -> None:
    signature = value.signature()
    assert signature.kind == "Callable"
    assert signature.accepts_value(value)
