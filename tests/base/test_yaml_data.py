"""The one reading of YAML."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from puppet_repl.base.yaml_data import YamlError, read_yaml
from puppet_repl.base.yaml_nodes import Mapping, compose


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


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("a: 2024-13-45", {"a": "2024-13-45"}),
        ("a: 0000-01-01", {"a": "0000-01-01"}),
        ("a: 2024-01-01T00:00:00+99:99", {"a": "2024-01-01T00:00:00+99:99"}),
        ("[!!int x, !!bool x, !!timestamp x]", ["x", "x", "x"]),
        ("[!!binary aGk=, !!binary a]", ["hi", ""]),
        ("[!!binary a=Gk, !!binary aG=k, !!binary YQ==YQ]", ["hi", "h", "a"]),
        ('[!!binary aGk, !!binary "aé G-k\ufeff"]', ["hi", "hi"]),
        ("!!set {y, x}", ["y", "x"]),
        ("[&x 1, &x 2, *x]", [1, 2, 2]),
        ("? {x: [1, {y: 2}]}\n: 1", {(("x", (1, (("y", 2),))),): 1}),
        ("a: &a {<<: *a, b: 1}", {"a": {"b": 1}}),
        ("a: 0x" + "f" * 6000, {"a": int("f" * 6000, 16)}),
    ],
)
def test_what_pyyaml_would_not_read(text: str, data: object) -> None:
    assert read_yaml(text) == data


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: &a [*a]", "the document contains itself"),
        ("a: &a {b: {c: *a}}", "the document contains itself"),
        ("a: *b\nc: [", "did not find expected node content"),
        ("a: *b", "Unknown alias: b"),
        ('!!float "x"', 'invalid value for Float(): "x"'),
        ("!!float ~", "can't convert nil into Float"),
        ("!!float :a", 'invalid value for Float(): "a"'),
        ("a: \ud800", "a character is not allowed at line 1 column 4"),
        ("a: \0", "control characters are not allowed"),
        ("a: " + "9" * 100_001, "more than 100,000 digits"),
        ("a: " + "9" * 100_001 + ":30", "more than 100,000 digits"),
        ("a: 0x" + "f" * 100_001, "more than 100,000 digits"),
        ("a: -0" + "7" * 100_001, "more than 100,000 digits"),
        ("a: 0b" + "1" * 100_001, "more than 100,000 digits"),
        ("[" * 100_000, "nested more than 1,000 deep at line 1"),
        ("- " * 5000 + "1", "nested more than 1,000 deep at line 1"),
        # At line 1001; a libyaml with a limit of its own refuses the block before.
        ("\n".join(" " * depth + "a:" for depth in range(1500)), "1,000 deep at line 100"),
        ("? " + "[" * 1000 + "]" * 1000, "nested more than 1,000 deep"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(YamlError) as caught:
        read_yaml(text)
    assert message in str(caught.value)


def _aliases(base: str, line: str, count: int) -> str:
    lines = [f"a0: &a0 {base}"]
    lines += [line.format(name=f"a{n}", last=f"*a{n - 1}") for n in range(1, count)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("base", "line"),
    [
        ("[1, 1]", "{name}: &{name} [{last}, {last}]"),
        ("{x: 1}", "{name}: &{name} {{l: {last}, r: {last}}}"),
        ("{x: 1}", "{name}: &{name} {{<<: [{last}, {last}]}}"),
        ("{x: 1}", "{name}: &{name} {{? {last} : {last}}}"),
    ],
)
def test_aliases_of_aliases_are_counted(base: str, line: str) -> None:
    assert read_yaml(_aliases(base, line, 12))
    with pytest.raises(YamlError, match="aliases stand for more than 250,000 values"):
        read_yaml(_aliases(base, line, 60))


def test_ordinary_aliases_and_long_documents() -> None:
    shared = "base: &b [" + ", ".join("x" * 100) + "]\n"
    data = read_yaml(shared + "".join(f"k{n}: *b\n" for n in range(500)))
    assert len(data) == 501
    assert len(read_yaml("[" + "1," * 300_000 + "]")) == 300_000


def test_nodes_in_keys_and_depth_within_the_limit() -> None:
    value = read_yaml("[" * 1000 + "]" * 1000)
    for _ in range(999):
        (value,) = value
    assert value == []


def test_nodes_know_their_places() -> None:
    """The places are those that PyYAML's own composer gives."""
    text = "a:\n  - b: 'x'\n  - é: {c: [1, 2]}\n? d\n: |\n  text\n"

    def places(node: Any) -> list[Any]:
        if isinstance(node, Mapping):
            inner = [places(part) for pair in node.pairs for part in pair]
        else:
            inner = [places(part) for part in getattr(node, "items", ())]
        return [node.place, *inner]

    def marks(node: Any) -> list[Any]:
        place = node.start_mark.line + 1, node.start_mark.column + 1
        if isinstance(node, yaml.MappingNode):
            return [place, *[marks(part) for pair in node.value for part in pair]]
        return [place, *([marks(part) for part in node.value] if node.id == "sequence" else [])]

    assert places(compose(text)) == marks(yaml.compose(text))


def test_nodes_know_their_texts() -> None:
    text = "a: &x 'é\U0001f600'\nb: *y\nc: |\n  d\n"
    root = compose(text)
    assert isinstance(root, Mapping)
    parts = [text[slice(*part.span)] for pair in root.pairs for part in pair]
    assert parts == ["a", "&x 'é\U0001f600'", "b", "*y", "c", "|\n  d\n"]


@pytest.mark.parametrize(
    ("text", "start"),
    [("a: 1\nb: [1,\nc: 2\n", 8), ("é: 1\n b: 2\n", 7), ("a: é\x01", 4), ("a: '", 3)],
)
def test_errors_know_where_the_problem_is(text: str, start: int) -> None:
    """The message says where the part begins, as that of Psych does."""
    with pytest.raises(YamlError) as refused:
        read_yaml(text)
    assert refused.value.start == start
