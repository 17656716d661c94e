"""Outlines of Ruby files have the names that literals give, as Puppet and Facter read them."""

from __future__ import annotations

import pytest

from puppet_repl.tools.editing.ruby_outline import ruby_outline


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Puppet::Functions.create_function(:'web::port') do\nend\n", ["ruby function web::port"]),
        ("Puppet::Functions.create_function(:up, X) { }", ["ruby function up"]),
        (
            "module Puppet::Parser::Functions\n  newfunction(:old, type: :x) do |a|\n  end\nend",
            ["ruby function old"],
        ),
        ("Puppet::Parser::Functions::newfunction('old') { }", ["ruby function old"]),
        (
            "Puppet::Type.newtype(:page) do\n  ensurable\n  newparam(:name)\n"
            "  newproperty(:size) do\n    newvalues(:a)\n  end\nend\n",
            ["resource type page", "parameter ensure", "parameter name", "parameter size"],
        ),
        (
            "Puppet::ResourceApi.register_type(\n  name: 'page',\n  attributes: {\n"
            "    ensure: { type: 'String' },\n    size: { type: 'Integer' },\n  },\n)\n",
            ["resource type page", "parameter ensure", "parameter size"],
        ),
        ("Puppet::Type.type(:page).provide(:posix, parent: X) { }", ["provider page/posix"]),
        ("Puppet::DataTypes.create_type('Web') { interface \"x\" }", ["data type Web"]),
        (
            "Facter.add(:one) { }\nif x\n  Facter.add('two') do\n    setcode { 1 }\n  end\nend\n",
            ["fact one", "fact two"],
        ),
        # Names that Ruby computes, other methods of the name, methods that nobody has called.
        ('[1].each { |n| Facter.add("a#{n}") { } }\nSet.new.add(:x)\nadd(:y)', []),
        ("def f\n  Facter.add(:x) { }\nend\n", []),
        ("Facter.add(", []),
        ("", []),
    ],
)
def test_the_names_of_a_file(text: str, expected: list[str]) -> None:
    found = ruby_outline(text)
    flat = [part for each in found for part in (each, *each.children)]
    assert [f"{each.kind} {each.name}" for each in flat] == expected
    for each in flat:
        written = text[each.name_start : each.name_end].strip(":")
        assert written == (
            "ensurable"
            if "ensurable" in text and each.name == "ensure"
            else each.name.rpartition("/")[2]
        )
        assert each.start <= each.name_start < each.name_end <= each.end
