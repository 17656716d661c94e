"""Resource types of modules, whose definitions Ruby evaluates."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.catalog.resource_types import NativeType
from puppet_repl.session import Options, Session
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.inspection.markup import as_text
from puppet_repl.tools.inspection.names import document_resource_type
from tests import recorded
from tests.environment.ruby.engine import ENGINE, needs_ruby

pytestmark = needs_ruby


def test_types_that_can_be_read_answer_the_same_in_ruby(
    subtests: pytest.Subtests, tmp_path: Path
) -> None:
    path = Path(__file__).parents[2] / "catalog" / "resource_types.jsonl"
    cases = [case for case in recorded.read(path) if "files" in case]
    assert cases
    for case in cases:
        with subtests.test(case["id"]):
            assert recorded.check(case, tmp_path, ruby=ENGINE) == []


def type_of(directory: Path, text: str, **files: str) -> NativeType | None:
    """The type called t that a text defines."""
    lib = directory / "m" / "lib" / "puppet"
    (lib / "type").mkdir(parents=True)
    (lib / "type" / "t.rb").write_text(text, encoding="utf-8")
    for name, content in files.items():
        (lib / "type" / f"{name}.rb").write_text(content, encoding="utf-8")
    session = Session(Options(modulepath=(str(directory),), ruby=ENGINE))
    return session.catalog.definitions.find_native_type("t")


def test_attributes_that_ruby_makes(tmp_path: Path) -> None:
    found = type_of(
        tmp_path,
        """
        module Shared
          def create
            newparam(:name) { desc 'what it is called' }
            %i[a b].each { |each| newproperty(each, array_matching: :all) }
          end
        end
        Puppet::Type.newtype(:t) do
          @doc = 'A t.'
          extend Shared
          create
          ensurable { newvalue(:present) { provider.create } }
          newparam(:flag, boolean: true, parent: Puppet::Parameter::Boolean)
          feature :fast, 'be fast'
          autorequire(:file) { self[:name] }
          provide(:only) { commands x: 'x' }
          Puppet::Type.type(:file).properties.each { |each| newparam("file_#{each.name}") }
        end
        """,
    )
    assert found is not None
    assert found.properties == ("a", "b", "ensure")
    assert found.parameters[:2] == ("name", "flag")
    assert {"provider", "file_mode", "file_owner"} <= set(found.parameters)
    assert found.namevars == ("name",)
    assert found.docs == {"": "A t.", "name": "what it is called"}


def test_another_type_of_the_modules(tmp_path: Path) -> None:
    found = type_of(
        tmp_path,
        """
        Puppet::Type.newtype(:t) do
          newparam(:name)
          newparam(:owner, parent: Puppet::Type::Other::Owner)
          Puppet::Type.type(:other).parameters.each { |each| newparam("other_#{each}") }
        end
        """,
        other="Puppet::Type.newtype(:other) { newparam(:name); newparam(:owner) { desc 'O' } }",
    )
    assert found is not None
    assert found.parameters == ("name", "owner", "other_name", "other_owner")
    assert found.docs["owner"] == "O"


def test_a_file_that_needs_an_agent_is_scanned(tmp_path: Path) -> None:
    found = type_of(
        tmp_path,
        "require 'no/such/library'\nPuppet::Type.newtype(:t) do\n  newparam(:name)\n"
        "  newproperty(:size)\nend\n",
    )
    assert found is not None
    assert found.properties == ("size",)


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    lib = tmp_path / "m" / "lib" / "puppet" / "type"
    lib.mkdir(parents=True)
    file = lib / "t.rb"
    file.write_text("Puppet::Type.newtype(:t) { newparam(:name) }", encoding="utf-8")
    session = Session(Options(modulepath=(str(tmp_path),), ruby=ENGINE))
    assert session.execute("t { 'a': }").error is None
    assert session.execute("t { 'a': size => 1 }").error is not None
    file.write_text(
        "Puppet::Type.newtype(:t) { newparam(:name); newparam(:size) }", encoding="utf-8"
    )
    assert session.execute("t { 'a': size => 1 }").error is None


def test_documentation_and_completion(tmp_path: Path) -> None:
    """Completion starts no Ruby: it knows what resources and :doc have made known."""
    lib = tmp_path / "m" / "lib" / "puppet" / "type"
    lib.mkdir(parents=True)
    (lib / "t.rb").write_text(
        "Puppet::Type.newtype(:t) do\n  desc 'A t. It has more.'\n  newparam(:name)\n"
        "  newproperty(:size) do\n    desc <<-EOT\n      How big\n      it is. In metres.\n"
        "    EOT\n    newvalues(:small, :big, /\\d+/)\n  end\nend\n",
        encoding="utf-8",
    )
    session = Session(Options(modulepath=(str(tmp_path),), ruby=ENGINE))
    code = "t { 'a': si"
    assert {item.text: item.detail for item in session.complete(code, 11).items}["size"] == "of t"
    documentation = document_resource_type(SessionSymbols(session), "t")
    assert documentation is not None
    assert documentation.text == "A t. It has more."
    size = "How big it is. Values: `small`, `big`."
    assert ("size", size) in [(one.label, one.text) for one in documentation.details]
    details = {item.text: item.detail for item in session.complete(code, 11).items}
    assert details["size"] == "How big it is."
    code = "t { 'a': size => "
    values = [item.text for item in session.complete(code, len(code)).items]
    assert values[:2] == ["small", "big"]


def test_the_tags_of_the_documentation_are_read(tmp_path: Path) -> None:
    lib = tmp_path / "m" / "lib" / "puppet" / "type"
    lib.mkdir(parents=True)
    (lib / "t.rb").write_text(
        "Puppet::Type.newtype(:t) do\n  @doc = <<-DOC\n    @summary A t.<br />It has more.\n\n"
        "    @example Make one\n      t { 'a':\n        size => 1,\n      }\n  DOC\n"
        "  newparam(:name)\n  newproperty(:size)\nend\n",
        encoding="utf-8",
    )
    session = Session(Options(modulepath=(str(tmp_path),), ruby=ENGINE))
    documentation = document_resource_type(SessionSymbols(session), "t")
    assert documentation is not None
    assert as_text(documentation.text) == "A t.\nIt has more."
    assert documentation.examples == ("t { 'a':\n  size => 1,\n}",)
