"""What files in Ruby say about their functions, read without Ruby."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.environment.ruby.function_docs import read_function
from puppet_repl.session import Options, Session
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.editing import signatures
from puppet_repl.tools.inspection.names import document

MODERN = """# frozen_string_literal: true

# @summary Joins things.
#
# More about it.
Puppet::Functions.create_function(:'m::glue', Puppet::Functions::InternalFunction) do
  local_types do
    type 'Thing = String'
  end
  # @param first The first thing
  # @param others
  #   More of them
  # @return [String] all in one
  # @example Two things
  #   m::glue('a', 'b')
  dispatch :glue do
    scope_param
    param 'Variant[String, Enum["a, b"]]', :first
    optional_param 'Integer[0, 9]', :count
    repeated_param "Thing", :others
    optional_block_param 'Callable[1, 1]', :mapper
    return_type 'String'
  end
  dispatch(:none) { required_repeated_param 'Any', :all; block_param }
  argument_mismatch(:bad) { param 'Any', :x }
  def glue(scope, first, count = 1, *others)
  end
end
"""
SIGNATURES = [
    (
        'Variant[String, Enum["a, b"]] $first, Integer[0, 9] $count?, Thing *$others, '
        "Callable[1, 1] &$mapper?",
        "String",
    ),
    ("Any +$all, Callable &$block", "Any"),
]
DOC = """Joins things.

More about it.

Two things:

    m::glue('a', 'b')"""


def test_modern() -> None:
    found = read_function("m::glue", MODERN)
    assert found is not None
    assert [(each.text, each.returns) for each in found.signatures()] == SIGNATURES
    assert found.doc == DOC
    assert found.tags.parameters == {"first": "The first thing", "others": "More of them"}
    assert found.tags.returned == "all in one"


@pytest.mark.parametrize(
    ("text", "signature", "returns", "doc"),
    [
        (
            "Puppet::Functions.create_function(:'m::f') do\n  # @summary Short.\n"
            "  def f(a, b = 2, *rest, &block)\n  end\nend",
            "Any $a, Any $b?, Any *$rest",
            "Any",
            "Short.",
        ),
        ("Puppet::Functions.create_function(:f) do\n  def f; end\nend", "", "Any", ""),
        (
            "module Puppet::Parser::Functions\n  newfunction(:f, :type => :rvalue, :arity => -2, "
            ":doc => <<-EOS\n    Does it.\n      Twice.\n    EOS\n  ) do |args|\n  end\nend",
            "Any $arg1, Any *$args",
            "Any",
            "Does it.\nTwice.",  # Puppet, too, ignores how far the first line is indented
        ),
        (
            "# Above.\nmodule Puppet::Parser::Functions\n  newfunction(:f, arity: 1) { |a| }\nend",
            "Any $arg1",
            "Undef",
            "Above.",
        ),
        (
            "# No.\nmodule Puppet::Parser::Functions\n  newfunction(\n    :f,\n    type: :rvalue,\n"
            "    doc: <<-EOS,\n    Does it.\n    @return [String] it\n    EOS\n  ) { |a| }\nend",
            "Any *$args",
            "Any",
            "Does it.",
        ),
        (
            "Puppet::Parser::Functions.newfunction(:f, :doc => 'It\\'s short') { |a| }",
            "Any *$args",
            "Undef",
            "It's short",
        ),
    ],
)
def test_others(text: str, signature: str, returns: str, doc: str) -> None:
    found = read_function("m::f", text)
    assert found is not None
    assert [(each.text, each.returns) for each in found.signatures()] == [(signature, returns)]
    assert found.doc == doc


def test_the_result_of_an_older_function() -> None:
    text = "newfunction(:f, type: :rvalue, doc: '\n@return [String] it') { |a| }"
    found = read_function("m::f", f"Puppet::Parser::Functions.{text}")
    assert found is not None
    assert (found.doc, found.tags.returned) == ("", "it")


def test_nothing_to_read() -> None:
    assert read_function("m::f", "x = 1") is None


def test_a_session_shows_them(tmp_path: Path) -> None:
    path = tmp_path / "m" / "lib" / "puppet" / "functions" / "m" / "glue.rb"
    path.parent.mkdir(parents=True)
    path.write_text(MODERN, encoding="utf-8")
    one = Session(Options(modulepath=(str(tmp_path),), ruby="off"), facts={})
    found = document(SessionSymbols(one), "m::glue")
    assert found is not None
    assert found.text.startswith("Joins things.")
    assert found.signatures[1] == "m::glue(Any +$all, Callable &$block) >> Any"
    shown = signatures(one, "m::glue('a', ")
    assert shown is not None
    assert shown.texts[0][1] == "Integer[0, 9] $count?"
    assert "m::glue" in [item.text for item in one.complete("m::gl", 5).items]
    path.write_text(MODERN.replace("Joins", "Glues"), encoding="utf-8")
    again = document(SessionSymbols(one), "m::glue")
    assert again is not None
    assert again.text.startswith("Glues things.")
