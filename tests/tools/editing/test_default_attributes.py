"""Resources take the defaults that Puppet's compiler gives them, where the text decides it."""

from __future__ import annotations

import pytest

import puppet_repl as puppet
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.editing.default_attributes import default_attributes

DEFAULT = "Notify { message => 'm', withpath => true }"
BOTH = ["message", "withpath"]


def hints(text: str, span: tuple[int, int] | None = None) -> dict[str, list[str]]:
    """Return the attributes that are shown, by the last title before each."""
    found: dict[str, list[str]] = {}
    program = parse(Source(text))
    for each in default_attributes(program, span or (0, len(text))):
        assert text[each.start :].startswith(f"{each.name} =>")
        title = text[: each.offset].rpartition("'")[0].rpartition("'")[2]
        found.setdefault(title, []).append(each.name)
    return found


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"{DEFAULT} notify {{ 'a': }}", {"a": BOTH}),
        (f"notify {{ 'b': }} {DEFAULT} notify {{ 'a': }}", {"a": BOTH}),
        (f"{DEFAULT} notify {{ 'a': message => undef }}", {"a": ["withpath"]}),
        (f"{DEFAULT} notify {{ 'a': message => 'x'; 'b': }}", {"a": ["withpath"], "b": BOTH}),
        (f"{DEFAULT} if $facts {{ notify {{ ['a', 'b']: }} }}", {"b": BOTH}),
        (f"{DEFAULT} [1].each |$x| {{ notify {{ 'a': }} }}", {"a": BOTH}),
        (f"{DEFAULT} notify {{ default: message => 'x'; 'b': }}", {"b": ["withpath"]}),
        ("Notify { message => 'm', noop => true } @notify { 'a': }", {"a": ["message"]}),
        # What is decided elsewhere, or when the code runs.
        (f"if $facts {{ {DEFAULT} }} notify {{ 'a': }}", {}),
        (f"{DEFAULT} notify {{ 'a': * => {{ message => 'x' }} }}", {}),
        (f"{DEFAULT} notify {{ default: * => {{ message => 'x' }}; 'a': }}", {}),
        (f"{DEFAULT} notify {{ 'a': }} Notify['a'] {{ message => 'x' }}", {"a": ["withpath"]}),
        (f"{DEFAULT} notify {{ 'a': }} Notify <| |> {{ message => 'x' }}", {"a": ["withpath"]}),
        ("Notify { message => $facts['x'] } notify { 'a': }", {}),
        (f"if $facts['x'] {{ return() }} {DEFAULT} notify {{ 'a': }}", {}),
        ("Exec { path => '/bin' } notify { 'a': }", {}),
    ],
)
def test_attributes_that_are_shown(body: str, expected: dict[str, list[str]]) -> None:
    assert hints(f"class a {{ {body} }}") == expected


def test_definitions_do_not_see_the_defaults_of_others() -> None:
    text = f"{DEFAULT} class a {{ notify {{ 'a': }} }} node default {{ notify {{ 'b': }} }}"
    assert hints(f"{text} notify {{ 'c': }}") == {"c": BOTH}


def test_only_a_range_is_looked_at() -> None:
    text = f"{DEFAULT} notify {{ 'a': }} notify {{ 'b': }}"
    assert hints(text, (text.index("'b'"), len(text))) == {"b": BOTH}


SURE = [
    "notify { 'b': } %s notify { 'a': }",
    "%s notify { 'a': message => undef }",
    "%s notify { 'a': message => 'x'; 'b': }",
    "%s if $facts { notify { 'a': } }",
    "%s [1].each |$x| { notify { 'a': } }",
    "%s notify { default: message => 'x'; 'b': }",
]


@pytest.mark.parametrize("body", SURE)
def test_the_catalog_has_the_values_that_are_shown(body: str) -> None:
    text = f"class a {{ {body % DEFAULT} }}"
    shown = hints(text)
    found = {}
    for resource in puppet.compile(f"{text} include a").resources():
        if resource.type == "Notify":
            values = {"message": "m", "withpath": True}
            taken = [name for name, value in values.items() if resource.get(name) == value]
            found[resource.title] = taken
    assert {title: names for title, names in found.items() if names} == shown
