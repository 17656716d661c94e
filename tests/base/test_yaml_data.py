"""The one reading of YAML."""

from __future__ import annotations

import pytest

from puppet_repl.base.yaml_data import YamlError, read_yaml


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("", None),
        ("a: [1, 1.5, yes, ~, text]", {"a": [1, 1.5, True, None, "text"]}),
        ("day: 2024-02-29", {"day": "2024-02-29"}),
        (":key: :value", {"key": "value"}),
        ("quoted: ':value'", {"quoted": ":value"}),
        ("address: '::1'", {"address": "::1"}),
        ("time: 10:30", {"time": 37800}),
        ("{1: one}", {1: "one"}),
        ("2024-02-29: day", {"2024-02-29": "day"}),
        ("!!set {a}", ["a"]),
        ("base: &b {x: 1}\nother: *b", {"base": {"x": 1}, "other": {"x": 1}}),
    ],
)
def test_data(text: str, data: object) -> None:
    assert read_yaml(text) == data


def test_objects_of_ruby_are_read_only_where_they_are_wanted() -> None:
    text = "--- !ruby/object:Puppet::Node::Facts\nname: a\nkind: !ruby/sym s\n"
    assert read_yaml(text, ruby_objects=True) == {"name": "a", "kind": "s"}
    with pytest.raises(YamlError, match="Tried to load unspecified class: Puppet::Node::Facts"):
        read_yaml(text)


def test_error_says_where() -> None:
    with pytest.raises(YamlError, match="while parsing a flow node at line 2 column 1"):
        read_yaml("a: [")
