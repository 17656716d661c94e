"""Signatures, dispatch in the order of declaration, and what a mismatch says."""

from __future__ import annotations

from typing import Any

import pytest

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions import registry
from puppet_repl.language.functions.registry import Function, LegacyFunction
from puppet_repl.language.functions.signatures import parse_signature


class Block:
    """Stands for a lambda with some number of parameters."""

    def __init__(self, low: int, high: int | None) -> None:
        self.min_arity = low
        self.max_arity = high
        self.fast = None

    def __call__(self, *args: Any) -> Any:
        return args


def names(text: str) -> list[tuple[str, str, str]]:
    parameters, _block, _optional = parse_signature(text)
    return [(one.type_text, one.name, one.kind) for one in parameters]


def test_parse_signature() -> None:
    text = "String $a, Variant[String, Hash[String, Any]] $b?, Any *$rest, Callable[1,1] &$block?"
    parameters, block, optional = parse_signature(text)
    assert names(text) == [
        ("String", "a", ""),
        ("Variant[String, Hash[String, Any]]", "b", "?"),
        ("Any", "rest", "*"),
    ]
    assert len(parameters) == 3
    assert block is not None and (block.type_text, block.name) == ("Callable[1,1]", "block")
    assert optional


def test_parse_signature_without_parameters() -> None:
    assert parse_signature("") == ((), None, False)


def test_parse_signature_with_pattern() -> None:
    assert names(r"Pattern[/\A[a-z]+(,|\z)/] $x, Enum['a','b'] +$y") == [
        (r"Pattern[/\A[a-z]+(,|\z)/]", "x", ""),
        ("Enum['a','b']", "y", "+"),
    ]


def make() -> Function:
    function = Function("f", theme="test", doc="Test.")

    @function.dispatch("Hash $h, Callable[2,2] &$block")
    def hash2(value: Any, *, block: Any) -> Any:
        return "hash2"

    @function.dispatch("Hash $h, Callable[1,1] &$block")
    def hash1(value: Any, *, block: Any) -> Any:
        return "hash1"

    @function.dispatch("Iterable $i, Callable[1,1] &$block")
    def iterable1(value: Any, *, block: Any) -> Any:
        return "iterable1"

    @function.dispatch("Integer $n, String *$rest")
    def numbers(number: int, *rest: str, context: Any) -> Any:
        return ("numbers", number, rest, context)

    @function.mismatch("Float $x")
    def explain(_value: float) -> str:
        return "does not like floats"

    @function.dispatch("Numeric $x")
    def numeric(value: Any) -> Any:
        return "numeric"

    return function


def test_first_match_wins() -> None:
    from puppet_repl.language.values.hash import PuppetHash

    function: Any = make()
    empty = PuppetHash.EMPTY
    assert function.call(None, (empty,), Block(2, 2)) == "hash2"
    assert function.call(None, (empty,), Block(1, 2)) == "hash2"
    assert function.call(None, (empty,), Block(0, None)) == "hash2"
    assert function.call(None, (empty,), Block(1, 1)) == "hash1"
    assert function.call(None, ((1,),), Block(1, 1)) == "iterable1"
    assert function.call(None, (3,), Block(1, 1)) == "iterable1"
    assert function.call("c", (1, "a", "b")) == ("numbers", 1, ("a", "b"), "c")


def test_mismatch_texts() -> None:
    function: Any = make()
    with pytest.raises(RuntimeFailure, match="'f' does not like floats"):
        function.call(None, (1.5,))
    with pytest.raises(RuntimeFailure, match="The function 'f' was called with arguments"):
        function.call(None, (True,))


def test_mismatch_signature_is_not_shown() -> None:
    function: Any = make()
    with pytest.raises(RuntimeFailure) as caught:
        function.call(None, (True, True, True))
    assert "(Float x)" not in caught.value.message


def test_booleans_are_no_numbers() -> None:
    function: Any = Function("g", theme="test", doc="Test.")

    @function.dispatch("Numeric $x")
    def numeric(value: Any) -> Any:
        return value

    with pytest.raises(RuntimeFailure, match="expects a Numeric value, got Boolean"):
        function.call(None, (True,))


@pytest.mark.parametrize(
    ("signature", "count", "text"),
    [
        ("Any $a", 0, "old(): Wrong number of arguments given (0 for 1)"),
        ("Any $a", 2, "old(): Wrong number of arguments given (2 for 1)"),
        ("Any +$values", 0, "old(): Wrong number of arguments given (0 for minimum 1)"),
        ("Any $a, Any $b, Any $c?", 1, "old(): Wrong number of arguments given (1 for minimum 2)"),
    ],
)
def test_legacy_count_of_arguments(signature: str, count: int, text: str) -> None:
    function = legacy(signature)
    with pytest.raises(RuntimeFailure) as caught:
        function.call(None, ("x",) * count)
    assert caught.value.message == text


def test_legacy_function_with_optional_parameters_has_no_maximum() -> None:
    assert legacy("Any $a, Any $b?").call(None, ("x",) * 4) == ("x",) * 4


def legacy(signature: str) -> Any:
    function = LegacyFunction("old", theme="test", doc="Test.")

    @function.dispatch(signature)
    def body(values: tuple[Any, ...]) -> Any:
        return values

    return function


def test_legacy_arguments_are_converted() -> None:
    from puppet_repl.language.values.hash import PuppetHash
    from puppet_repl.language.values.regex import Regexp

    function = legacy("Any *$values")
    given = (None, (None, 1), PuppetHash([("a", None)]), Regexp("x"), True)
    assert function.call(None, given) == (
        "",
        (None, 1),
        PuppetHash([("a", None)]),
        "/x/",
        True,
    )


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> dict[str, Function]:
    """The table of declarations, as it is again after the test."""
    table = dict(registry.BUILTINS._declared)
    monkeypatch.setattr(registry.BUILTINS, "_declared", table)
    return table


def test_decorator_declares(declared: dict[str, Function]) -> None:
    @registry.function("twice", "Numeric $value", returns="Numeric", examples=("twice(2)  # => 4",))
    def twice(value: int) -> int:
        """Return a value two times."""
        return value * 2

    @twice.dispatch("String $value", returns="String")
    def twice_string(value: str) -> str:
        return value * 2

    context: Any = None
    assert registry.find("twice") is declared["twice"] is twice
    assert (twice.theme, twice.doc) == ("test_registry", "Return a value two times.")
    assert twice.call(context, (4,)) == 8
    assert twice.call(context, ("ab",)) == "abab"
    assert twice_string("c") == "cc"
    assert "twice" in registry.BUILTINS.names()


def test_decorator_takes_documentation_of_generated_functions(
    declared: dict[str, Function],
) -> None:
    functions = [
        registry.function(f"add_{n}", "Integer $value", doc=f"Add {n}.")(
            lambda value, n=n: value + n
        )
        for n in (1, 2)
    ]
    context: Any = None
    assert [function.doc for function in functions] == ["Add 1.", "Add 2."]
    assert [function.call(context, (5,)) for function in functions] == [6, 7]


def test_function_of_two_themes_is_refused(declared: dict[str, Function]) -> None:
    def other(value: str) -> str:
        return value

    registry.find("upcase")
    with pytest.raises(ValueError, match="'upcase' is declared twice, in strings and in test_reg"):
        registry.function("upcase", "String $value")(other)
