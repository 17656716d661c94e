"""Data types that modules create in Ruby; Puppet's answers are in tests/conformance/ruby.jsonl."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

from puppet_repl.environment.ruby.data_type_files import read_data_type
from puppet_repl.session import Options, Session
from tests.conformance.judge import write_files
from tests.environment.ruby.engine import ENGINE, needs_ruby, value

FILE = "parcels/lib/puppet/datatypes/parcel.rb"
INTERFACE = """  interface <<-PUPPET
    attributes => { to => String, grams => { type => Integer, value => 500 } },
    functions => { kilos => Callable[[], Float], count => Callable[[], Integer] }
  PUPPET
"""
CODE = """  implementation do
    def kilos
      grams / 1000.0
    end
    def count
      @count = (@count || 0) + 1
    end
  end
"""
CLASS = """class ParcelClass
  attr_reader :to
  def initialize(to)
    @to = to
  end
  def same
    self
  end
end
"""


def data_type(body: str, name: str = "Parcel") -> str:
    return f"# A parcel.\nPuppet::DataTypes.create_type('{name}') do\n{body}end\n"


def session(root: Path, text: str = data_type(INTERFACE + CODE), **options: Any) -> Session:
    write_files(root, {FILE: text})
    chosen = {"ruby": ENGINE, **options}
    return Session(Options(modulepath=(str(root),), **chosen), facts={})


def test_the_interface_needs_no_ruby(tmp_path: Path) -> None:
    one = session(tmp_path, ruby="off")
    assert value(one, "[Parcel('x').grams, Parcel('x') =~ Parcel, 'x' =~ Parcel]") == (
        500,
        True,
        False,
    )
    error = one.execute("Parcel('x').kilos").error
    assert error is not None
    assert f"The function Parcel[kilos] is in Ruby ({tmp_path / FILE})" in error.message


def test_a_file_that_computes_its_interface_needs_ruby(tmp_path: Path) -> None:
    one = session(tmp_path, data_type("  interface ['attributes => {}'].first\n"), ruby="off")
    error = one.execute("Parcel()").error
    assert error is not None
    assert f"The data type 'parcel' is in Ruby ({tmp_path / FILE})" in error.message


@needs_ruby
def test_an_interface_alone_starts_no_ruby(tmp_path: Path) -> None:
    one = session(tmp_path, data_type(INTERFACE))
    assert value(one, "Parcel('x').grams") == 500
    assert not one._context.has_ruby


@needs_ruby
def test_an_object_keeps_its_state_until_ruby_ends(tmp_path: Path) -> None:
    one = session(tmp_path)
    value(one, "$p = Parcel('x', 250)")
    assert [value(one, "$p.count"), value(one, "$p.count")] == [1, 2]
    one._context.ruby.end()
    assert value(one, "[$p.kilos, $p.count]") == (0.25, 1)


@needs_ruby
def test_other_objects_stay_others_when_ruby_starts_again(tmp_path: Path) -> None:
    write_files(tmp_path, {"parcels/lib/parcel_class.rb": CLASS})
    interface = "  interface 'attributes => { to => String }, functions => { same => Callable }'\n"
    body = f"{interface}  load_file 'parcel_class'\n  implementation_class ParcelClass\n"
    one = session(tmp_path, data_type(body))
    # Puppet compares such objects so: ruby.datatype.class.11, class.12 and more.ruby.19.
    compared = "[$p == $q, $p.same == $p, [$p, $q, $p.same].unique.length, $known[$p], $known[$q]]"
    value(one, "$p = Parcel('x')\n$known = {$p => 1}\n$q = Parcel('x')")
    assert value(one, compared) == (False, True, 2, 1, None)
    one._context.ruby.end()
    assert value(one, "$r = Parcel('x')\n[$r == $p, $r == $q, $known[$r]]") == (False, False, None)
    assert value(one, compared) == (False, True, 2, 1, None)


@needs_ruby
def test_a_copy_for_another_process_has_the_attributes(tmp_path: Path) -> None:
    one = session(tmp_path)
    copy, same = pickle.loads(pickle.dumps((value(one, "[Parcel('x', 250)]")[0],) * 2))
    assert (copy is same, str(copy)) == (True, "Parcel({'to' => 'x', 'grams' => 250})")


@needs_ruby
def test_a_changed_file_is_loaded_again(tmp_path: Path) -> None:
    one = session(tmp_path)
    assert value(one, "Parcel('x').kilos") == 0.5
    changed = data_type(INTERFACE + CODE.replace("1000.0", "2000.0"))
    (tmp_path / FILE).write_text(changed, encoding="utf-8")
    assert value(one, "Parcel('x').kilos") == 0.25


@needs_ruby
def test_sessions_share_no_objects(tmp_path: Path) -> None:
    one, other = session(tmp_path), session(tmp_path)
    for each in (one, other):
        assert value(each, "$p = Parcel('x')\n$p.count") == 1
    one.reset()
    assert value(one, "Parcel('x').count") == 1


def test_completion_and_documentation_read_the_file(tmp_path: Path) -> None:
    one = session(tmp_path, ruby="off")
    assert [str(item.text) for item in one.complete("Parc", 4).items] == ["Parcel"]
    found = one.inspect("Parcel", 6)
    assert found is not None and found.text == "A parcel."
    assert "kilos => Callable[[], Float]" in str(found.details)


def test_only_what_is_certain_is_read_without_running_it() -> None:
    assert read_data_type(data_type(INTERFACE)) is not None
    for text in (
        data_type(INTERFACE) + "nil\n",
        "require 'x'\n" + data_type(INTERFACE),
        data_type(INTERFACE + INTERFACE),
        data_type(INTERFACE + "  raise 'x'\n"),
        data_type(INTERFACE + "  implementation_class X\n"),
        data_type('  interface "a => #{x}"\n'),
        data_type("  interface <<-PUPPET.strip\n    a => 1\n  PUPPET\n"),
        data_type("  interface 'it\\'s'\n"),
        data_type("  interface X\n"),
        "Puppet::DataTypes.create_type(name) do\n" + INTERFACE + "end\n",
    ):
        assert read_data_type(text) is None, text


@needs_ruby
def test_the_line_of_an_error_in_a_declaration_is_named(tmp_path: Path) -> None:
    error = session(tmp_path, data_type(INTERFACE + "  raise 'no'\n")).execute("Parcel").error
    assert error is not None
    assert error.message.endswith("Data Type Load Error for type 'Parcel': no")
    assert error.notes == (f"the Ruby code failed at {tmp_path / FILE}:7",)


def test_a_type_in_a_file_of_another_name_is_not_offered(tmp_path: Path) -> None:
    one = session(tmp_path, data_type(INTERFACE, "Bundle"))
    error = one.execute("Bundle").error
    assert error is not None
    assert error.message == "Evaluation Error: Resource type not found: Bundle"
    environment = one.environment
    assert environment is not None and environment.names_of("types") == ["Parcel"]
