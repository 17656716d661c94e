"""The documentation of a module as data."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from puppet_repl.environment.reference.comments import Comment
from puppet_repl.environment.reference.manifests import read_manifest
from puppet_repl.environment.reference.model import (
    ClassEntry,
    FunctionEntry,
    Option,
    ProviderEntry,
    ResourceTypeEntry,
    TaskEntry,
)
from puppet_repl.environment.reference.module import is_module, read_module
from puppet_repl.environment.reference.ruby.files import read_ruby

SHOP = read_module(Path(__file__).parent / "modules" / "shop")


def test_the_module() -> None:
    assert repr(SHOP) == "<module shop 1.2.3: 46 entries>"
    assert (SHOP.name, SHOP.version) == ("shop", "1.2.3")
    assert [each.name for each in SHOP.of_kind("plan")] == ["shop", "shop::deploy"]
    assert is_module(SHOP.path)
    assert not is_module(Path(SHOP.path, "lib"))


def test_a_class() -> None:
    entry = SHOP.find("::shop", "class")
    assert isinstance(entry, ClassEntry)
    assert repr(entry) == "<class shop (manifests/init.pp:61)>"
    assert entry.inherits == "shop::params"
    assert entry.summary == "Runs the shop."
    assert not entry.is_private
    assert [tag.subject for tag in entry.examples] == ["Plain", "With a title", ""]
    assert entry.examples[1].text == "class { 'shop':\n  name => 'x',\n}"
    assert entry.text_of("since") == "1.0.0"
    assert entry.tagged("note")[1].line == 15
    assert entry.source.startswith("class shop (")


def test_parameters() -> None:
    entry = SHOP.find("shop", "class")
    assert entry is not None
    prices = entry.parameter("prices")
    assert prices is not None
    assert (prices.declared_type, prices.documented_type) == ("Hash[String, Numeric]", "Hash")
    assert prices.type == "Hash[String, Numeric]"
    assert prices.text == "What it costs"
    assert prices.line == 63
    count = entry.parameter("count")
    assert count is not None
    assert (count.declared_type, count.type, count.default) == (None, "Integer", "-1")
    opening = entry.parameter("opening")
    assert opening is not None
    assert opening.type == "Optional[Variant[\n    String, # or\n    Integer\n  ]]"
    options = entry.parameter("options")
    assert options is not None
    assert options.options[0] == Option(":colour", "The colour", ("String",))
    mode = entry.parameter("mode")
    assert mode is not None
    assert [each.name for each in mode.enums] == ["slow", "fast"]
    shut = entry.parameter("open")
    assert shut is not None
    assert (shut.default, shut.is_documented) == ("($mode == 'fast')", False)
    text = entry.parameter("text")
    assert text is not None
    assert text.default is not None
    assert text.default.startswith('@("EOT"/L),\n    A text with')
    assert entry.parameter("absent") is None


def test_functions() -> None:
    entry = SHOP.find("shop::sum")
    assert isinstance(entry, FunctionEntry)
    assert (entry.api, entry.parameters) == ("ruby4x", ())
    assert [each.head for each in entry.signatures] == [
        "shop::sum(Numeric $first, Optional[Integer] $second,"
        " Variant[Integer, Float] *$others, Optional[Callable[1]] &$block)",
        "shop::sum(String $text, Optional[Hash] $opts, Callable &$block)",
        "shop::sum()",
    ]
    assert [each.return_type for each in entry.signatures] == ["Numeric", "String", None]
    assert entry.signatures[0].return_text == "The sum"
    assert entry.signatures[0].parameters[2].text == "All others"
    method = SHOP.find("shop::by_method")
    assert isinstance(method, FunctionEntry)
    assert [each.default for each in method.parameters] == [
        *(None, "undef", "default", "{ 'x' => [1, 2] }", None, None)
    ]


def test_resource_types_and_providers() -> None:
    entry = SHOP.find("till")
    assert isinstance(entry, ResourceTypeEntry)
    assert [(each.name, each.kind) for each in entry.parameters] == [
        ("my_param", "parameter"),
        ("my_prop", "property"),
        ("ensure", "property"),
        ("name", "parameter"),
        ("added", "parameter"),
        ("prop", "property"),
    ]
    assert [each.is_namevar for each in entry.of_kind("parameter")] == [False, True, False]
    assert (entry.providers, entry.is_private) == (("wood",), False)
    (provider,) = SHOP.providers_of("till")
    assert isinstance(provider, ProviderEntry)
    shelf = SHOP.find("shelf", "resource type")
    assert shelf is not None
    assert shelf.parameters[0].text == "Whether it is there"


def test_tasks() -> None:
    entry = SHOP.find("restock")
    assert isinstance(entry, TaskEntry)
    assert entry.files == ("tasks/restock.sh",)
    assert entry.supports_noop
    assert [each.type for each in entry.parameters] == ["Array[String]", "Optional[Integer]", None]
    assert entry.parameters[1].value == 1


def test_definitions_in_order() -> None:
    text = "class a { class b { } }\ntype C = Integer define d { }\nfunction e { }\nplan f() { }\n"
    found = [(entry.kind, entry.name, entry.line) for entry in read_manifest(text, "x.pp")]
    assert found == [
        ("class", "a", 1),
        ("class", "a::b", 1),
        ("data type alias", "C", 2),
        ("defined type", "d", 2),
        ("function", "e", 3),
        ("plan", "f", 4),
    ]


def test_many_definitions_take_linear_time() -> None:
    """Each is looked at by itself, in a file with a heredoc or without."""
    text = "# @param a A\nclass c(Integer $a = 1, Array[String] $b = [], $c = {}) { }\n"
    for first in ("", "class h($x = @(E)) {\n t\n | E\n}\n"):
        calls = [calls_of(first + text * count) for count in (50, 400)]
        # Eight times as many take 64 times as much where each is looked for in the whole text.
        assert calls[1] < 9 * calls[0]
        least = [min(seconds_of(first + text * count) for _ in range(4)) for count in (500, 4000)]
        assert least[1] < 24 * least[0]


def calls_of(text: str) -> int:
    """Return how many functions reading a manifest calls, those in C as well."""
    count = 0

    def called(frame: object, event: str, _: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        read_manifest(text, "x.pp")
    finally:
        sys.setprofile(None)
    return count


def seconds_of(text: str) -> float:
    start = time.process_time()
    read_manifest(text, "x.pp")
    return time.process_time() - start


@pytest.mark.parametrize(
    ("text", "namevars", "shown"),
    [
        ("newparam(:name) { desc '' }", ["name"], ["name"]),
        ("newparam(:path, namevar: true)\nnewparam(:name)", ["path", "name"], ["name"]),
        ("newparam(\n:path,\nnamevar: true,\n) do\nend", ["path"], []),
        ("newparam(:path) { isnamevar }\nnewparam(:name)", ["path", "name"], ["path"]),
        ("newparam(:name)\nnewproperty(:a) { isnamevar }", ["name"], ["a"]),
        ("newproperty(:path)", [], []),
    ],
)
def test_namevars(text: str, namevars: list[str], shown: list[str]) -> None:
    """The first ones are those of Puppet, the second ones what puppet-strings takes for them."""
    (entry,) = read_ruby(f"Puppet::Type.newtype(:a) do\n{text}\nend", "a.rb")
    assert isinstance(entry, ResourceTypeEntry)
    assert [each.name for each in entry.parameters if each.is_namevar] == namevars
    assert [each.name for each in entry.parameters if each.is_shown_namevar] == shown


@pytest.mark.parametrize(
    ("text", "variable"),
    [
        ("@param a A", "a"),
        ("@param $a A", "a"),
        ("@option opts [String] :mode M", "opts['mode']"),
        ("@option $opts [String] 'mode' M", "opts['mode']"),
        ("@option opts mode M", "opts['mode']"),
        ("@return [String] x", ""),
    ],
)
def test_what_a_tag_is_about(text: str, variable: str) -> None:
    (tag,) = Comment(text).tags
    assert tag.variable == variable


@pytest.mark.parametrize(
    ("metadata", "name", "version"),
    [
        ('{"name": "acme/web", "version": "1.0.0"}', "web", "1.0.0"),
        ('{"name": "acme-web", "version": 1}', "web", None),
        ('{"name": ""}', "directory", None),
        ('{"name": 5, "version": "2"}', "directory", "2"),
        ("[]", "directory", None),
        ("{", "directory", None),
    ],
)
def test_the_name_of_a_module(
    metadata: str, name: str, version: str | None, tmp_path: Path
) -> None:
    root = tmp_path / "directory"
    root.mkdir()
    (root / "metadata.json").write_text(metadata)
    module = read_module(root)
    assert (module.name, module.version) == (name, version)


def test_local_types_of_a_function() -> None:
    """puppet-strings leaves them out, and names in the signatures mean nothing without them."""
    layers = read_module(Path(__file__).parent / "modules" / "layers")
    entry = layers.find("layers::local", "function")
    assert isinstance(entry, FunctionEntry)
    assert entry.local_types == (("Word", "Variant[String[1], Words]"), ("Words", "Array[Word]"))
    assert entry.to_dict()["local_types"] == entry.local_types
