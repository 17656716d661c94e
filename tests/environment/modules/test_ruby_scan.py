"""Reading resource types from Ruby files."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.environment.modules.ruby_scan import scan_generated_type, scan_type


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
    found = scan_type(str(path))
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
    found = scan_type(str(path))
    assert found is not None
    assert found.title_values(title) == values


def test_attributes_made_while_ruby_runs(tmp_path: Path) -> None:
    path = tmp_path / "t.rb"
    path.write_text(
        "Puppet::Type.newtype(:made) do\n  extend Some::Thing\n  create_parameters\nend",
        encoding="utf-8",
    )
    found = scan_type(str(path))
    assert found is not None
    assert found.has_attribute("anything")


def test_nothing_to_find(tmp_path: Path) -> None:
    path = tmp_path / "t.rb"
    path.write_text("class X\nend", encoding="utf-8")
    assert scan_type(str(path)) is None
    assert scan_type(str(tmp_path / "missing.rb")) is None


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
    found = scan_generated_type(str(path))
    assert found is not None
    assert found.namevars == ("name",)
    assert {"ensure", "size", "name", "force"} <= found.attributes
