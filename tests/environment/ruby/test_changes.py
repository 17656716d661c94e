"""Arrays and hashes that Ruby code changes in place; what Puppet does is in changes.jsonl."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.environment.ruby.changes import Changes, replaced
from puppet_repl.session import Options, Session
from tests.environment.ruby.engine import ENGINE, needs_ruby

pytestmark = needs_ruby


def session(**options: object) -> Session:
    return Session(Options(ruby=ENGINE, **options), facts={})  # type: ignore[arg-type]


def value(here: Session, code: str) -> object:
    outcome = here.execute(code)
    assert outcome.error is None, outcome.error
    return outcome.value


def test_a_change_is_undone_with_its_input() -> None:
    here = session()
    value(here, "$a = ['x']")
    value(here, "inline_template('<% @a << 1 %>')")
    assert value(here, "$a") == ("x", 1)
    here.undo()
    assert value(here, "$a") == ("x",)


def test_a_variable_of_a_class_and_its_parameter_are_undone_and_redone() -> None:
    here = session()
    value(here, "class k($p = ['x']) { $v = ['y'] } include k")
    value(here, """inline_template('<% scope["k::p"] << 1; scope["k::v"] << 2 %>')""")
    read = "[$k::p, Class['k']['p'], $k::v]"
    assert value(here, read) == (("x", 1), ("x", 1), ("y", 2))
    here.undo()
    assert value(here, read) == (("x",), ("x",), ("y",))
    here.redo()
    assert value(here, read) == (("x", 1), ("x", 1), ("y", 2))


def test_a_change_of_an_input_that_fails_is_rolled_back() -> None:
    here = session()
    value(here, "$a = ['x']")
    assert here.execute("$r = inline_template('<% @a << 1 %>') fail('no')").error is not None
    assert value(here, "$a") == ("x",)


def test_code_that_ruby_calls_sees_the_change(tmp_path: Path) -> None:
    functions = tmp_path / "m" / "functions"
    functions.mkdir(parents=True)
    (functions / "size.pp").write_text("function m::size() { $m::a.length }")
    (tmp_path / "m" / "manifests").mkdir()
    (tmp_path / "m" / "manifests" / "init.pp").write_text("class m { $a = ['x'] }")
    here = session(modulepath=(str(tmp_path),))
    code = "<% scope['m::a'] << 1 %><%= scope.call_function('m::size', []) %>"
    assert value(here, f'include m inline_template("{code}")') == "2"


def test_the_facts_of_a_server_are_frozen_too() -> None:
    here = session(node="n.example.com")
    value(here, "$seen = $trusted")
    code = "$t = $trusted inline_template('<% @t[%q(x)] = 1 %>')"
    error = here.compile_site(code).error
    assert error is not None
    assert "can't modify frozen Hash" in error.message


def test_an_empty_array_of_a_fact_is_not_changed_through_a_variable() -> None:
    here = Session(Options(ruby=ENGINE), facts={"e": []})
    value(here, "$f = $e inline_template('<% @f << 1 %>')")
    assert value(here, "$e") == ()


def test_facts_come_back_from_ruby_as_they_were() -> None:
    here = Session(Options(ruby=ENGINE), facts={"e": {"a": [1]}})
    code = "<% scope.setvar('f', scope['e']); GC.start; scope.setvar('g', scope['f']) %>"
    facts, back = value(here, f'inline_template("{code}") [$e, $g]')
    assert facts is back


def test_what_cannot_be_compared_stays_what_it_is(tmp_path: Path) -> None:
    functions = tmp_path / "m" / "lib" / "puppet" / "functions" / "m"
    functions.mkdir(parents=True)
    code = (
        "Puppet::Functions.create_function(:'m::f') do\n  def f(a)\n    a << 2\n    nil\n  end\nend"
    )
    (functions / "f.rb").write_text(code)
    here = session(modulepath=(str(tmp_path),))
    parts = "[Sensitive('s'), Integer, /x/, default]"
    assert value(here, f"$b = {parts} $r = m::f($b) [$b[0, 4] == {parts}, $b[4]]") == (True, 2)


def test_a_parameter_that_ruby_changes_is_undone(tmp_path: Path) -> None:
    functions = tmp_path / "m" / "lib" / "puppet" / "parser" / "functions"
    functions.mkdir(parents=True)
    body = "catalog.resource('Class[K]').parameters[:p].value = args[0]"
    (functions / "redact.rb").write_text(
        f"module Puppet::Parser::Functions\n  newfunction(:redact) {{ |args| {body} }}\nend"
    )
    here = session(modulepath=(str(tmp_path),))
    value(here, "class k($p) { } class { 'k': p => 'secret' }")
    value(here, "redact('hidden')")
    assert value(here, "[Class['k']['p'], $k::p]") == ("hidden", "secret")
    here.undo()
    assert value(here, "Class['k']['p']") == "secret"


def test_bytes_that_are_no_text_can_be_changed_around() -> None:
    here = session()
    code = "<% @a << Base64.decode64('/w=='); @b = scope['a'] %><%= @b.size %>"
    assert value(here, f'$a = [1] $r = inline_template("{code}") [$r, $a.length]') == ("2", 2)


def test_a_fault_of_a_change_is_not_blamed_on_the_ruby_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("ours")

    monkeypatch.setattr(Changes, "make", fail)
    error = session().execute("$a = ['x'] inline_template('<% @a << 1 %>')").error
    assert error is not None
    assert "ours" in error.message


def test_shared_parts_are_replaced_once() -> None:
    here = session()
    value(here, "$z0 = [1]")
    value(here, " ".join(f"$z{n} = [$z{n - 1}, $z{n - 1}]" for n in range(1, 41)))
    old = here.execute("$z0").value
    new = (1, 2)
    changed = replaced(value(here, "$z40"), {id(old): new})
    for _ in range(40):
        assert isinstance(changed, tuple)
        assert changed[0] is changed[1]
        changed = changed[0]
    assert changed is new
