"""Behind a dot those functions come first that take the value in front of it."""

from __future__ import annotations

import pytest

from puppet_repl.session import Session
from puppet_repl.tools.editing import complete


@pytest.mark.parametrize(
    ("text", "earlier", "later"),
    [
        ('"abc".', ["upcase", "split", "chomp", "length"], ["each", "all", "keys", "flatten"]),
        ("[1].", ["each", "map", "join", "flatten"], ["upcase", "split", "keys"]),
        ("$h.", ["keys", "values", "each"], ["upcase", "chomp"]),
        ("$s.", ["upcase", "split"], ["each", "keys"]),
        ("1.5.", ["floor", "round"], ["split", "keys"]),
        ("notice([3].", ["sort", "each"], ["upcase"]),
        ("'a b'.split(' ').", ["each", "map", "join"], ["upcase", "split", "keys"]),
        ("split('a b', ' ').", ["each", "map"], ["upcase"]),
        ("$h.keys.", ["each", "map", "join"], ["upcase", "split"]),
        ("$h.filter |$k, $v| { $v > [1][0] }.", ["keys", "values"], ["upcase", "chomp"]),
        ("$h.map |$k, $v| { { $k => $v } }.", ["join", "each"], ["upcase", "keys"]),
        ("$s.upcase.", ["upcase", "split"], ["each", "keys"]),
        ("$s.length.", ["abs"], ["split", "keys"]),
        ("'b'.split(',').join('-').", ["upcase", "split"], ["each", "keys"]),
        ("Integer($s).", ["abs"], ["split", "keys"]),
        ("$x = ['b a'.split(' ').sort.", ["each", "join"], ["upcase"]),
    ],
)
def test_what_takes_the_value_comes_first(text: str, earlier: list[str], later: list[str]) -> None:
    session = Session(facts={})
    assert session.execute("$h = { 'a' => 1 } $s = 'text'").error is None
    found = [item.text for item in complete(session, text).items]
    assert "type" in found
    places = {name: found.index(name) for name in found}
    for one in earlier:
        for other in later:
            assert places[one] < places.get(other, len(found)), (one, other, found[:30])


def test_two_letters_find_no_names_that_merely_have_them() -> None:
    found = [item.text for item in complete(Session(facts={}), "[3, 1].so").items]
    assert found[0] == "sort"
    assert all("so" in name for name in found)


@pytest.mark.parametrize(
    ("text", "taken", "refused"),
    [
        ("'abc'.", "upcase", "group_by"),
        ("'abc'.", "getvar", "keys"),
        ("[1].", "join", "keys"),
        ("5.filter |$n| { true }.", "join", "keys"),
        ("$unknown.", "keys", "break"),
    ],
)
def test_functions_that_refuse_the_value_are_not_offered(
    text: str, taken: str, refused: str
) -> None:
    names = [item.text for item in complete(Session(), text, len(text)).items]
    assert taken in names
    assert refused not in names


def test_a_parameter_of_a_block_hides_a_variable_of_the_session() -> None:
    session = Session()
    assert session.execute("$x = 'abc'").error is None
    for text, is_offered in (("$x.", False), ("[[1]].each |$x| { $x.", True)):
        names = [item.text for item in complete(session, text, len(text)).items]
        assert ("group_by" in names) is is_offered
