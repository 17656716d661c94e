"""Which differences count: patterns of changes, and values that count as the same."""

from __future__ import annotations

import pytest

from puppet_repl.catalog.content import Secret
from puppet_repl.catalog.difference import compare, is_same
from puppet_repl.catalog.difference_choice import Choice, ChoiceError
from tests.catalog.test_difference import compiled, of_document, told

OLD = """
file { '/tmp/a': mode => '0644', owner => 'root' }
file { '/etc/b[1]': mode => '0644' }
class ntp::server($port = 1) { }
class { 'ntp::server': }
exec { '/bin/old': before => File['/tmp/a'] }
notify { 'n': tag => 'quiet' }
"""
NEW = """
file { '/tmp/a': mode => '0600' }
file { '/etc/b[1]': mode => '0600', owner => 'root' }
class ntp::server($port = 2) { }
class { 'ntp::server': }
package { 'vim': tag => 'editors' }
notify { 'n': message => 'x', tag => 'loud' }
"""
ADDED = "+ Package[vim]"
REMOVED = "- Exec[/bin/old]"
CLASS = "~ Class[Ntp::Server] port"
A_MODE, A_OWNER = "~ File[/tmp/a] mode", "- File[/tmp/a] owner"
B_MODE, B_OWNER = "~ File[/etc/b[1]] mode", "+ File[/etc/b[1]] owner"
MESSAGE = "+ Notify[n] message"
BEFORE = "- Exec[/bin/old] before File[/tmp/a]"
ALL = [ADDED, REMOVED, CLASS, B_MODE, B_OWNER, A_MODE, A_OWNER, MESSAGE, BEFORE]

PATTERNS = {
    "*": ALL,
    "*[*]": ALL,
    "+*": [ADDED, B_OWNER, MESSAGE],
    "-*": [REMOVED, A_OWNER, BEFORE],
    "~*": [CLASS, B_MODE, A_MODE],
    "package": [ADDED],
    "::Package": [ADDED],
    "Pack*": [ADDED],
    "Packag?": [ADDED],
    "Packag??": [],
    "Exec[*]": [REMOVED, BEFORE],
    "File": [B_MODE, B_OWNER, A_MODE, A_OWNER, BEFORE],
    "File[/tmp/*]": [A_MODE, A_OWNER, BEFORE],
    "File['/tmp/a']": [A_MODE, A_OWNER, BEFORE],
    "File[/TMP/a]": [],
    "File[/etc/b[1]]": [B_MODE, B_OWNER],
    "File[/etc/b[?]][owner]": [B_OWNER],
    "File[*][mode]": [B_MODE, A_MODE],
    "-File[*][*]": [A_OWNER, BEFORE],
    "Class[ntp::server]": [CLASS],
    "Class[Ntp::*]": [CLASS],
    "*[*][before]": [BEFORE],
    "*[*][require]": [BEFORE],
    "*[*][notify]": [],
    "*[*][m*]": [B_MODE, A_MODE, MESSAGE],
    "@editors": [ADDED],
    "@quiet": [MESSAGE],
    "Notify@loud": [MESSAGE],
    "File@loud": [],
    "@ntp*": [CLASS],
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_chooses_and_leaves_out_the_same_changes(pattern: str) -> None:
    old, new = compiled(OLD), compiled(NEW)
    assert told(compare(old, new)) == ALL
    only = compare(old, new, Choice(only=[pattern]))
    ignored = compare(old, new, Choice(ignore=[pattern]))
    assert told(only) == PATTERNS[pattern]
    assert told(ignored) == [each for each in ALL if each not in PATTERNS[pattern]]
    shown = [len(each.added) + len(each.removed) for each in (only, ignored)]
    assert sum(shown) == 2
    assert only.left_out + ignored.left_out == len(ALL)


def test_several_patterns_add_up_and_what_is_ignored_is_not_shown() -> None:
    old, new = compiled(OLD), compiled(NEW)
    choice = Choice(only=["File", "Package"], ignore=["*[*][owner]", "@editors"])
    assert told(compare(old, new, choice)) == [B_MODE, A_MODE, BEFORE]


def test_attributes_that_are_no_parameters_have_names() -> None:
    old = compiled("notify { a: tag => 'x' }")
    new = compiled("notify { a: tag => 'y' }")
    assert told(compare(old, new, Choice(tags=True, ignore=["*[*][tags]"]))) == []
    row = {"type": "Notify", "title": "a"}
    pair = of_document({**row, "exported": True}), of_document(row)
    assert told(compare(*pair, Choice(only=["*[*][exported]"]))) == ["~ Notify[a] (exported)"]


PROBLEMS = {
    "": "the type is missing",
    "[/tmp]": "the type is missing",
    "+": "the type is missing",
    "File[/tmp": "a bracket is not closed",
    "File]": "the forms are TYPE, ",
    "File[a]mode": "the forms are TYPE, ",
    "File[a]::mode": "the forms are TYPE, ",
    "File[]": "the title is empty",
    "File[a][]": "'' is not the name of an attribute",
    "File[a][b/c]": "'b/c' is not the name of an attribute",
    "Exec,File": "'Exec,File' is not the name of a type",
    "File@": "the forms are TYPE, ",
}


@pytest.mark.parametrize("text", PROBLEMS)
def test_what_is_no_pattern_is_refused(text: str) -> None:
    with pytest.raises(ChoiceError) as raised:
        Choice(ignore=[text])
    assert str(raised.value).startswith(f"'{text}' is not a pattern: {PROBLEMS[text]}")


SAME = [
    (["a", "b"], ["b", "a"], {"order"}),
    ([1, "2"], ["2", 1], {"order"}),
    ([["a"], {"k": [1, 2]}], [{"k": [2, 1]}, ["a"]], {"order"}),
    ("a", ["a"], {"single"}),
    ({"k": "a"}, {"k": [["a"]]}, {"single"}),
    (3, "3", {"text"}),
    (1.5, "1.5", {"text"}),
    ([1, "2"], ["2", "1"], {"order", "text"}),
    (["1"], 1, {"single", "text"}),
    (["b", "a", 1], [1, Secret("x")], None),
    (True, "true", None),
    (1, True, None),
    (["a", "a"], ["a"], None),
    (["a", "b"], ["a", "c"], None),
    ("", [], None),
]


@pytest.mark.parametrize(("one", "other", "needed"), SAME)
def test_names_say_what_is_the_same(one: object, other: object, needed: set[str] | None) -> None:
    names = ("order", "single", "text")
    for number in range(8):
        given = {name for bit, name in enumerate(names) if number >> bit & 1}
        choice = Choice(same=given)
        found = is_same(choice.compared(one), choice.compared(other))
        assert found == (needed is not None and needed <= given)


def test_an_unknown_name_of_what_is_the_same_is_refused() -> None:
    with pytest.raises(ChoiceError, match="'sets' is not among order, single and text"):
        Choice(same=["order", "sets"])
