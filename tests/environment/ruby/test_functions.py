"""Functions of modules in Ruby."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.base.optional_packages import how_to_install
from puppet_repl.environment.ruby.host import RubyHost
from puppet_repl.environment.ruby.sandbox import store
from puppet_repl.session import Options, Session
from tests.conformance.judge import write_files
from tests.environment.ruby.engine import ENGINE, needs_ruby, needs_system, value

pytestmark = needs_ruby


def test_a_note_says_where_recursion_does_not_end(tmp_path: Path) -> None:
    path = "m/lib/puppet/functions/m/f.rb"
    error = session(tmp_path, {path: function("def f\n f\nend")}).execute("m::f()").error
    assert error is not None and error.message == "stack level too deep"
    assert any(f"the Ruby code failed at {tmp_path / path}:" in note for note in error.notes)


def session(root: Path, files: dict[str, str], **options: Any) -> Session:
    write_files(root, files)
    chosen = {"ruby": ENGINE, **options}
    return Session(Options(modulepath=(str(root),), **chosen), facts={})


def function(body: str, name: str = "m::f") -> str:
    return f"Puppet::Functions.create_function(:'{name}') do\n{body}\nend\n"


def test_a_changed_file_is_loaded_again(tmp_path: Path) -> None:
    path = "m/lib/puppet/functions/m/f.rb"
    one = session(tmp_path, {path: function("def f\n 1\nend")})
    assert value(one, "m::f()") == 1
    (tmp_path / path).write_text(function("def f(a)\n a * 22\nend"), encoding="utf-8")
    assert value(one, "m::f(2)") == 44


def test_a_changed_library_is_loaded_again(tmp_path: Path) -> None:
    library = "m/lib/puppet_x/m/n.rb"
    one = session(
        tmp_path,
        {
            "m/lib/puppet/functions/m/f.rb": function(
                "def f\n require 'puppet_x/m/n'\n NUMBER\nend"
            ),
            library: "NUMBER = 1\n",
        },
    )
    assert [value(one, "m::f()"), value(one, "m::f()")] == [1, 1]
    (tmp_path / library).write_text("NUMBER = 1 + 1\n", encoding="utf-8")
    assert value(one, "m::f()") == 2


def test_sessions_share_nothing(tmp_path: Path) -> None:
    files = {
        "m/lib/puppet/functions/m/f.rb": function("def f\n $n = ($n || 0) + 1\nend"),
        "m/lib/puppet/functions/m/g.rb": function(
            "def g\n String.class_eval { def x; 1; end }\n ''.respond_to?(:x)\nend", "m::g"
        ),
        "m/lib/puppet/functions/m/h.rb": function("def h\n ''.respond_to?(:x)\nend", "m::h"),
    }
    one, other = session(tmp_path, files), session(tmp_path, files)
    assert [value(one, "m::f()"), value(one, "m::f()"), value(other, "m::f()")] == [1, 2, 1]
    assert value(one, "m::g()") is True
    assert value(other, "m::h()") is False
    one.reset()
    assert value(one, "[m::f(), m::h()]") == (1, False)


@needs_system
def test_the_end_of_ruby_is_an_error_and_the_session_goes_on(tmp_path: Path) -> None:
    one = session(
        tmp_path,
        {"m/lib/puppet/functions/m/f.rb": function("def f(a)\n a == 1 ? 'alive' : exit!(7)\nend")},
        ruby="system",
    )
    outcome = one.execute("m::f(0)")
    assert outcome.error is not None
    assert "The Ruby code has ended its Ruby (exit status 7)" in outcome.error.message
    assert (outcome.error.line, outcome.error.column) == (1, 1)
    assert value(one, "m::f(1)") == "alive"


def test_what_ruby_code_prints_is_not_an_answer(tmp_path: Path) -> None:
    body = "def f\n puts 'D{}'\n $stdout.print('x')\n warn 'z'\n 5\nend"
    one = session(tmp_path, {"m/lib/puppet/functions/m/f.rb": function(body)})
    assert value(one, "m::f()") == 5


def test_a_ruby_that_cannot_be_started(tmp_path: Path) -> None:
    files = {"m/lib/puppet/functions/m/f.rb": function("def f\n 1\nend")}
    one = session(tmp_path, files, ruby="/no/such/ruby")
    outcome = one.execute("m::f()")
    assert outcome.error is not None
    assert "Ruby could not be started: /no/such/ruby" in outcome.error.message


def test_without_an_engine_the_error_says_what_to_do(tmp_path: Path) -> None:
    files = {"m/lib/puppet/functions/m/f.rb": function("def f\n 1\nend")}
    outcome = session(tmp_path, files, ruby="off").execute("notice(m::f())")
    assert outcome.error is not None
    path = os.path.join(str(tmp_path), "m/lib/puppet/functions/m/f.rb")
    assert outcome.error.message == (
        "Evaluation Error: Error while evaluating a Function Call, The function 'm::f' is in Ruby "
        f"({path}), which cannot be run here; '--ruby auto' or ':set ruby auto' makes it possible"
    )
    assert any("--stubs" in note for note in outcome.error.notes)


@pytest.mark.parametrize(
    ("version", "remedy"),
    [
        (
            None,
            f"\"{how_to_install('ruby')}\" and 'puppet-repl ruby install' make it possible",
        ),
        ("1.0", "; 'puppet-repl ruby install' makes it possible"),
    ],
)
def test_what_to_install_depends_on_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str | None, remedy: str
) -> None:
    monkeypatch.setattr(store, "wasmtime_version", lambda: version)
    monkeypatch.setattr(store, "compiled", lambda: None)
    files = {"m/lib/puppet/functions/m/f.rb": function("def f\n 1\nend")}
    error = session(tmp_path, files, ruby="auto").execute("m::f()").error
    assert error is not None
    assert error.message.endswith(remedy)


def test_a_note_says_where_ruby_code_has_failed(tmp_path: Path) -> None:
    path = "m/lib/puppet/functions/m/f.rb"
    files = {path: function("def f\n help\nend\ndef help\n nil.upcase\nend")}
    one = session(tmp_path, files)
    line = (tmp_path / path).read_text().split("\n").index(" nil.upcase") + 1
    error = one.execute("m::f()").error
    assert error is not None
    assert error.notes == (f"the Ruby code failed at {tmp_path / path}:{line}",)
    (tmp_path / path).write_text(function("def f\n raise Puppet::ParseError, 'no'\nend"))
    error = one.execute("m::f()").error
    assert error is not None
    assert error.notes == ()


def test_unknown_functions_can_be_undef(tmp_path: Path) -> None:
    files = {"m/lib/puppet/functions/m/f.rb": function("def f\n 1\nend")}
    one = session(tmp_path, files, ruby="off", unknown_functions="warn")
    outcome = one.execute("[m::f(), m::f(), no_such(1), no_such(2)]")
    assert outcome.value == (None,) * 4
    texts = [text for _, text in outcome.logs]
    assert len(texts) == 2
    assert "m::f" in texts[0] and "no_such" in texts[1]


def test_a_call_does_not_load_the_file_again(tmp_path: Path) -> None:
    text = "$loads = ($loads || 0) + 1\n" + function("def f\n $loads\nend")
    one = session(tmp_path, {"m/lib/puppet/functions/m/f.rb": text})
    assert value(one, "[m::f(), m::f()]") == (1, 1)
    assert value(one, "m::f()") == 1


DEBUGGING = [
    (
        "def f\n Puppet.debug('one')\n call_function('notice', 'two')\n Puppet.debug { 'three' }\n"
        " Puppet.warning('four')\n Puppet.debug('five')\nend",
        [
            ("debug", "one"),
            ("notice", "two"),
            ("debug", "three"),
            ("warning", "four"),
            ("debug", "five"),
        ],
    ),
    ("def f\n Puppet.debug('one')\n raise Puppet::Error, 'two'\nend", [("debug", "one")]),
]


@pytest.mark.parametrize(("body", "logs"), DEBUGGING)
def test_debug_messages_are_in_puppets_order(
    body: str, logs: list[tuple[str, str]], tmp_path: Path
) -> None:
    one = session(tmp_path, {"m/lib/puppet/functions/m/f.rb": function(body)})
    assert one.execute("m::f()").logs == logs


def test_debug_messages_are_not_asked_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "def f\n 500.times { |n| Puppet.debug(n.to_s) }\n nil\nend"
    one = session(tmp_path, {"m/lib/puppet/functions/m/f.rb": function(body)})
    assert len(one.execute("m::f()").logs) == 500
    asked: list[str] = []
    answer = RubyHost._answer

    def counting(host: RubyHost, text: str) -> str:
        asked.append(text)
        return answer(host, text)

    monkeypatch.setattr(RubyHost, "_answer", counting)
    assert len(one.execute("m::f()").logs) == 500
    assert len(asked) < 10


def test_defaults_that_ruby_code_changes_are_undone_and_end_with_ruby(tmp_path: Path) -> None:
    text = """Puppet::Functions.create_function(:'m::f', Puppet::Functions::InternalFunction) do
  dispatch(:run) { scope_param }
  def run(scope)
    def scope.lookupdefaults(type)
      super.merge(noop: Puppet::Parser::Resource::Param.new(name: :noop, value: true))
    end
  end
end
"""
    write_files(tmp_path, {"m/lib/puppet/functions/m/f.rb": text})
    logs: list[tuple[str, str]] = []
    options = Options(modulepath=(str(tmp_path),), ruby=ENGINE)
    one = Session(options, facts={}, log=lambda level, text: logs.append((level, text)))
    assert value(one, "m::f() notify { 'a': } Notify['a']['noop']") is True
    one.undo()
    assert value(one, "notify { 'a': } Notify['a']['noop']") is None
    value(one, "m::f()")
    one._context.ruby.end()
    assert logs == []
    assert value(one, "notify { 'b': } Notify['b']['noop']") is None
    said = ("warning", "Ruby was started again: defaults of a scope are as before")
    assert set(logs) == {said}
