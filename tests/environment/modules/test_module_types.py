"""Reading resource types from Ruby files."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.environment.modules.module_types import read_generated_type, read_type
from puppet_repl.environment.reference.ruby.native_types import read_native_type


@pytest.mark.parametrize(
    ("text", "name", "namevars", "properties", "parameters"),
    [
        (
            "Puppet::Type.newtype(:one) do\n  ensurable\n  newparam(:name, :namevar => true)\n"
            "  newproperty(:a)\n  newproperty 'b' do\n  end\n  # newproperty(:no)\nend",
            "one",
            ("name",),
            ("ensure", "a", "b"),
            ("name", "provider"),
        ),
        (
            "Puppet::Type.newtype(:lines) do\n  newparam(\n    :name,\n    namevar: true,\n  )\n"
            "  newproperty(\n    :a,\n    array_matching: :all,\n  ) do\n  end\nend",
            "lines",
            ("name",),
            ("a",),
            ("name", "provider"),
        ),
        (
            "module Puppet\n  Type.newtype(:two) do\n    newparam(:key) do\n      isnamevar\n"
            "    end\n    newproperty(:v, array_matching: :all)\n  end\nend",
            "two",
            ("key",),
            ("v",),
            ("key", "provider"),
        ),
        (
            "Puppet::Type.newtype(:three) do\n  newparam(:name)\n"
            "  [:x, :y].each do |p|\n    newproperty(p)\n  end\n"
            "  %w[s t].each do |p|\n    newparam(p.to_sym)\n  end\nend",
            "three",
            ("name",),
            ("x", "y"),
            ("name", "s", "t", "provider"),
        ),
        (
            "require 'puppet/resource_api'\nPuppet::ResourceApi.register_type(\n"
            "  name: 'four',\n  attributes: {\n"
            "    ensure: { type: 'Enum[present, absent]' },\n"
            "    id: { type: 'String', behaviour: :namevar },\n"
            "    size: { type: 'Integer' },\n"
            "    force: { type: 'Boolean', behaviour: :parameter },\n  },\n)",
            "four",
            ("id",),
            ("ensure", "size"),
            ("id", "force"),
        ),
    ],
)
def test_types(
    tmp_path: Path,
    text: str,
    name: str,
    namevars: tuple[str, ...],
    properties: tuple[str, ...],
    parameters: tuple[str, ...],
) -> None:
    path = tmp_path / "t.rb"
    path.write_text(text, encoding="utf-8")
    found = read_type(str(path))
    assert found is not None
    assert (found.name, found.namevars, found.properties) == (name, namevars, properties)
    assert sorted(found.parameters) == sorted(parameters)
    assert not found.is_open


@pytest.mark.parametrize(
    ("body", "title", "values"),
    [
        ("[[/^(\\w+)@(\\w+)$/, [[:a], [:b]]], [/(.*)/m, [[:a]]]]", "x@y", {"a": "x", "b": "y"}),
        ("[[/^(\\w+)@(\\w+)$/, [[:a], [:b]]], [/(.*)/m, [[:a]]]]", "x\ny", {"a": "x\ny"}),
        (
            "[[%r{^([a-z/]+):(.*)$}i, [[:b, lambda { |x| x }], [:a]]]]",
            "X/y:z",
            {"b": "X/y", "a": "z"},
        ),
        ("same = ->(s) { s }\n    [[/(.+)/, [[:b, same]]]]", "t", {"b": "t"}),
        ("[[/(.+)/, [[:b, lambda { |x| x.upcase }]]]]", "t", {"a": "t"}),
        ("[[/(#{NAME})/, [[:b]]]]", "t", {"a": "t"}),
    ],
)
def test_title_patterns(tmp_path: Path, body: str, title: str, values: dict[str, str]) -> None:
    """Those that need Ruby count as if the title were the first naming attribute."""
    path = tmp_path / "t.rb"
    path.write_text(
        "Puppet::Type.newtype(:t) do\n  newparam(:a, namevar: true)\n"
        "  newparam(:b, namevar: true)\n"
        f"  def self.title_patterns\n    {body}\n  end\nend\n",
        encoding="utf-8",
    )
    found = read_type(str(path))
    assert found is not None
    assert found.title_values(title) == values


@pytest.mark.parametrize(
    ("body", "namevars", "properties", "parameters"),
    [
        ("newparam(:path, namevar: true)\nnewparam(:name)", "path name", "", "path name"),
        ("newparam(:path) { isnamevar }\nnewparam(:name)", "path name", "", "path name"),
        (
            "newparam(:name) { isnamevar }\nnewproperty(:source) { isnamevar }\n"
            "newproperty(:vhost, namevar: true)",
            "name",
            "source vhost",
            "name",
        ),
        ("newproperty(:name)", "", "name", ""),
        (
            "newparam(:name, namevar: true)\n[:user, :project].each do |p|\n  newparam(p) do\n"
            "    isnamevar\n  end\nend\nnewparam(:domain) { isnamevar }\n"
            "[:a, :b].each { |p| newproperty(p) }\nnewproperty(:c)",
            "name user project domain",
            "a b c",
            "name user project domain",
        ),
        (
            "newparam(:name)\n{ one: 1, 'two' => 2 }.each do |key, value|\n"
            "  newproperty(key.to_sym) { desc value.to_s }\nend\n"
            "%w[s t].each { |p| newparam(p.intern) }\n%i[u v].each do |p| newproperty(p) end",
            "name",
            "one two u v",
            "name s t",
        ),
        (
            "newparam(:name)\nnewproperty(:a)\nensurable\nnewproperty(:b)",
            "name",
            "ensure a b",
            "name",
        ),
        (
            "newparam(:name)\nnewproperty(:a)\nnewproperty(:ensure) { newvalue(:x) }",
            "name",
            "ensure a",
            "name",
        ),
        (
            "newparam(:name)\nif Puppet[:strict]\n  newproperty(:a)\nend\n"
            "newproperty(:b) if Puppet[:strict]",
            "name",
            "a b",
            "name",
        ),
        (
            "newparam(:name)\nnewparam(:x, namevar: false)\nnewparam :y, :namevar => true",
            "name y",
            "",
            "name x y",
        ),
        (
            "newparam(:name)\nnewproperty(:a) do\n  desc <<-DOC\n    newproperty(:no)\n"
            "    ensurable\n  DOC\n  def insync?(is)\n    'newparam(:neither)'\n  end\nend",
            "name",
            "a",
            "name",
        ),
        ("newparam(:name)\nprovide(:x) {}", "name", "", "name provider"),
        (
            "begin\n  newparam(:name, namevar: true)\n  newproperty(:a)\nrescue LoadError\nend",
            "name",
            "a",
            "name",
        ),
        ("newparam(:name)\ninstance_eval do\n  newproperty(:a)\nend", "name", "a", "name"),
    ],
)
def test_what_puppet_finds(body: str, namevars: str, properties: str, parameters: str) -> None:
    """The answers are those of Puppet 8.11, in its order."""
    text = f"Puppet::Type.newtype(:t) do\n{body}\nend"
    found = read_native_type(text, "t.rb", has_provider=False)
    assert found is not None
    assert found.namevars == tuple(namevars.split())
    assert found.properties == tuple(properties.split())
    assert found.parameters == tuple(parameters.split())
    assert not found.is_open


def test_repeatable() -> None:
    body = "newparam(:name)\ndef self.isomorphic?\n  false\nend"
    found = read_native_type(f"Puppet::Type.newtype(:t) do\n{body}\nend", "t.rb")
    assert found is not None and not found.isomorphic


@pytest.mark.parametrize(
    ("patterns", "values"),
    [
        ("", {"pkg": "php/yum"}),
        (
            "title_patterns: [{ pattern: %r{^(?<pkg>.*[^/])/(?<mgr>.*)$}, desc: 'both' }]",
            {"pkg": "php", "mgr": "yum"},
        ),
    ],
)
def test_the_resource_api(patterns: str, values: dict[str, str]) -> None:
    """The answers are those of the Resource API 1.8.16 on Puppet 8.11."""
    text = (
        "Puppet::ResourceApi.register_type(name: 'api', desc: 'x', attributes: {\n"
        "pkg: { type: 'String', desc: 'n', behaviour: :namevar },\n"
        "mgr: { type: KIND, desc: 'm', behavior: :namevar },\n"
        "s: { type: 'Integer', desc: 'd', behaviour: :read_only },\n"
        "q: { type: 'Integer', desc: 'd' },\n"
        f"f: {{ type: 'Integer', desc: 'd', behavior: :parameter }} }},\n{patterns})"
    )
    found = read_native_type(text, "api.rb")
    assert found is not None
    assert (found.properties, found.parameters) == (("q",), ("pkg", "mgr", "s", "f"))
    assert found.namevars == ("pkg", "mgr")
    assert found.title_values("php/yum") == values


def test_a_type_in_branches_has_the_attributes_of_each() -> None:
    """Puppet has those of the branch that runs."""
    body = "case KIND\nwhen 1 then newproperty(:q)\nelse newproperty(:r)\nend"
    text = f"begin\nPuppet::Type.newtype(:t) do\nnewparam(:name)\n{body}\nend\nrescue\nend"
    found = read_native_type(text, "t.rb")
    assert found is not None
    assert (found.name, found.properties, found.is_open) == ("t", ("q", "r"), False)


@pytest.mark.parametrize(
    "body",
    [
        "newproperty(NAME)",
        '%w{a b}.each { |n| newproperty(:"x_#{n}") }',
        "NAMES.each { |n| newproperty(n) }",
        '3.times { |n| newproperty("p#{n}") }',
        "[:a, B].each { |n| newproperty(n) }",
        "[*NAMES].each { |n| newproperty(n) }",
        "{ **NAMES }.each { |n, v| newproperty(n) }",
        "%W{a b#{x}}.each { |n| newproperty(n) }",
        "for n in [:a, :b]\n newproperty(n)\n end",
        "newproperty(:z) rescue nil",
        "x = case y\n when 1 then newproperty(:k)\n end",
        "NAMES.each { ensurable }",
        "self.newproperty(:own)",
    ],
)
def test_names_that_only_ruby_knows(body: str) -> None:
    text = f"Puppet::Type.newtype(:t) do\n  newparam(:name)\n  {body}\nend"
    found = read_native_type(text, "t.rb")
    assert found is not None and found.has_attribute("anything")
    assert found.properties == ()


def test_a_type_whose_name_only_ruby_knows() -> None:
    assert read_native_type('Puppet::Type.newtype("#{x}") do\nend', "t.rb") is None


def test_what_cannot_be_read() -> None:
    found = read_native_type("Puppet::Type.newtype(:t) do\n  newparam(:name)\n", "lib/t.rb")
    assert found is not None
    assert (found.name, found.has_attribute("anything")) == ("t", True)


def test_attributes_made_while_ruby_runs(tmp_path: Path) -> None:
    path = tmp_path / "t.rb"
    path.write_text(
        "Puppet::Type.newtype(:made) do\n  extend Some::Thing\n  create_parameters\nend",
        encoding="utf-8",
    )
    found = read_type(str(path))
    assert found is not None
    assert found.has_attribute("anything")


def test_nothing_to_find(tmp_path: Path) -> None:
    path = tmp_path / "t.rb"
    path.write_text("class X\nend", encoding="utf-8")
    assert read_type(str(path)) is None
    assert read_type(str(tmp_path / "missing.rb")) is None


def test_generated_type(tmp_path: Path) -> None:
    path = tmp_path / "thing.pp"
    path.write_text(
        """Puppet::Resource::ResourceType3.new(
          'thing',
          [
            Puppet::Resource::Param(Enum['present', 'absent'], 'ensure'),
            Puppet::Resource::Param(Any, 'size')
          ],
          [
            Puppet::Resource::Param(Any, 'name', true),
            Puppet::Resource::Param(Any, 'force')
          ],
          {/(?m-ix:(.*))/ => ['name']}, true, false)""",
        encoding="utf-8",
    )
    found = read_generated_type(str(path))
    assert found is not None
    assert found.namevars == ("name",)
    assert {"ensure", "size", "name", "force"} <= found.attributes
