"""Functions of Python that a session is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import puppet_repl as puppet
from puppet_repl.language.functions.registry import BUILTINS


@puppet.function("shop::total", "Array[Integer] $prices", "Integer $price, Integer *$prices")
def total(*given: Any) -> int:
    """Return a sum."""
    return sum(given[0]) if isinstance(given[0], list) else sum(given)


@puppet.function("twice", "Integer $number, Callable[1, 1] &$block")
def twice(number: int, block: Callable[[int], Any]) -> Any:
    """Return what a lambda makes of what it makes of a number."""
    return block(block(number))


@puppet.function("anything")
def anything(*given: object) -> list[object]:
    """Return the arguments."""
    return list(given)


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("shop::total([1, 2])", 3),
        ("[1, 2].shop::total", 3),
        ("shop::total(1, 2, 3)", 6),
        ("twice(2) |$x| { $x * 10 }", 200),
        ("anything(1, {a => undef})", [1, {"a": None}]),
        ("anything()", []),
    ],
)
def test_calls(code: str, wanted: object) -> None:
    assert puppet.evaluate(code, facts={}, functions=[total, twice, anything]) == wanted
    named = {"shop::total": total, "twice": twice, "anything": anything}
    assert puppet.evaluate(code, facts={}, functions=named) == wanted


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("shop::total('x')", "rejected: parameter 'price' expects an Integer value"),
        ("shop::total()", "'shop::total' expects"),
        ("twice(2)", "'twice' expects a block"),
        ("twice('a') |$x| { 1 }", "'twice' parameter 'number' expects an Integer value"),
        ("twice(1) |$x| { fail('no') }", "no"),
    ],
)
def test_signatures_are_checked(code: str, message: str) -> None:
    with pytest.raises(puppet.EvaluationError) as caught:
        puppet.evaluate(code, facts={}, functions=[total, twice])
    assert message in caught.value.message


def test_they_belong_to_their_session() -> None:
    @puppet.function("upcase", "Any $value")
    def loud(value: object) -> str:
        return f"{value}!"

    with puppet.Session(puppet.Options(functions=[loud]), facts={}) as session:
        assert session.execute("upcase(1)").unwrap() == "1!"
    assert puppet.evaluate("upcase('a')", facts={}) == "A"
    assert BUILTINS.find("upcase") is not None
    assert loud(1) == "1!"


def test_they_are_sent_to_other_processes() -> None:
    results = puppet.compile_nodes(
        ["a", "b"],
        "notify { String(shop::total(1, 2)): }",
        facts={},
        jobs=1,
        functions=iter([total]),
    )
    assert [each.title for result in results for each in result.unwrap()] == ["3", "3"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("Total",), "no function can have the name 'Total'"),
        (("t", "Strin $x"), r"the signature 'Strin \$x' names an unknown type: Strin"),
        (("t", "Array[Strin] $x"), "names an unknown type: Strin"),
        (("t", "String $x["), r"is not valid at '\$x\['"),
        (("t", "String[ $x"), "is not valid"),
        (("t", "nonsense"), "is not valid"),
        (("t", "Integer $x?, Integer $y"), r"'\$y' cannot follow"),
        (("t", "Integer $x?, Integer +$y"), r"'\$y' cannot follow"),
        (("t", "Integer *$x, Integer $y?"), r"'\$y' cannot follow"),
    ],
)
def test_what_cannot_be_declared(given: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        puppet.function(*given)


def test_what_can_be_declared() -> None:
    assert callable(puppet.function("t", "Integer $x, Integer $y?, Integer *$z", "Any +$z", ""))


def test_what_is_no_declaration() -> None:
    with pytest.raises(TypeError, match="function needs a name, as in"):
        puppet.function(anything)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="cannot be declared: it takes no attributes"):
        puppet.function("size")(len)


@pytest.mark.parametrize("given", [[len], len, 3, "total", [total, 3]])
def test_what_is_no_list_of_functions(given: Any) -> None:
    with pytest.raises(TypeError, match=r"or a list of those that @puppet\.function has"):
        puppet.Options(functions=given)


def test_the_text_of_options_has_no_data() -> None:
    options = puppet.Options(strict="off", data={"password": "hunter2"})
    assert repr(options) == "Options(data=..., strict='off')"
    assert "hunter2" not in repr(puppet.Session(options, facts={}))


def test_a_closed_session_and_what_is_shared() -> None:
    with puppet.Shared(is_lasting=True) as shared, puppet.Session(facts={}, shared=shared) as one:
        one.execute("$x = 1")
        assert repr(one) == "<Session with 1 input: Options()>"
        assert one.shared is shared
