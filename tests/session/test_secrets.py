"""What is Sensitive stays hidden wherever people look, also inside of Deferred and of Objects."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from puppet_repl.frontends.terminal.line_mode import LineMode
from puppet_repl.host.host import Host
from puppet_repl.session import Options, Session
from puppet_repl.tools.reports.html import value_html
from tests.frontends.cli.test_visible_output import in_terminal

SECRET = "hunter2"
# The inputs themselves, which errors and the history show, do not contain it.
PREPARED = (
    "type Obj = Object[{attributes => {a => Any}}]",
    "$s = Sensitive(\"hun${'ter2'}\")",
    "$o = Obj($s)",
    "$d = Deferred('unwrap', [$s])",
    "notify { 'a': message => $s }",
    "notify { 'b': message => $d }",
    "notify { 'c': message => {x => [Deferred('new', ['String', $s])]} }",
    "notify { 'd': message => Obj([$s, Obj({k => $s})]) }",
    "notify { 'e': message => [$s, {k => $s}] }",
    "notify { 'f': message => Sensitive([$s]) }",
    "define dd($p) { } dd { 'x': p => $o }",
    "class secret($p) { } class { 'secret': p => $d }",
)
SHOWN = (
    "$s",
    "[$s, $o, $d, {k => $o}]",
    '"${s} ${o} ${d} ${[$s]}"',
    "notice($s, $o, $d, [$s])",
    "fail($o)",
    "fail([$d])",
    "String($o)",
    "String([$o, $d], {Object => '%p'})",
    "sprintf('%s %p %s', $s, $o, $d)",
    "inline_epp('<%= $o %>', {o => $o})",
    "to_json({k => $s})",
    "to_yaml($o)",
    "type($o)",
    "Notify['b']['message']",
    "$s + 1",
    "Integer($s)",
    "assert_type(Integer, $o)",
    "notify { 'z': nope => $s }",
    "Obj($s, $s)",
    "warning($d)",
    ":resources",
    ":resources b",
    ":resources d",
    ":catalog",
    ":catalog json",
    ":catalog code",
    ":graph",
    ":graph dot",
    ":graph svg",
    ":vars",
    ":show $o",
    ":show $d",
    ":why $o",
    ":diff",
    ":diff --json",
    ":resources --exported",
    ":on rocky-9 $o",
)


def shown_by(*inputs: str) -> str:
    """Return what the line mode writes for inputs."""
    output = StringIO()
    mode = LineMode(Host(Options(stdlib="9")), StringIO(), output)
    for text in inputs:
        mode.handle(text)
    return output.getvalue()


@pytest.mark.parametrize("text", SHOWN)
def test_no_output_has_the_secret(text: str) -> None:
    written = shown_by(*PREPARED, text)
    assert written
    assert SECRET not in written


def test_the_catalog_says_that_there_is_one() -> None:
    written = shown_by(*PREPARED, ":catalog json")
    assert written.count("Sensitive [value redacted]") >= 9
    assert '"Deferred"' in written


def test_no_html_has_the_secret() -> None:
    session = Session(facts={})
    for text in PREPARED:
        session.execute(text)
    for text in ("[$s, $o, $d]", "[{k => $o}, {k => $d}]", "$o", "$d"):
        value = session.execute(text).value
        assert SECRET not in value_html(value, full=True)


@pytest.mark.parametrize("form", ["json", "code", "table", "graph", "dot", "svg", "tree"])
def test_a_compiled_catalog_has_it_for_programs_only(form: str, tmp_path: Path) -> None:
    (tmp_path / "s.pp").write_text("\n".join(PREPARED))
    arguments = ("compile", "--format", form, "s.pp")
    assert SECRET not in in_terminal(arguments, tmp_path)
    in_terminal((*arguments, "--node", "n", "--output", "catalogs"), tmp_path)
    (file,) = (tmp_path / "catalogs").iterdir()
    assert (SECRET in file.read_text()) == (form == "json")


def test_differences_do_not_show_it(tmp_path: Path) -> None:
    for name, end in (("old", "ter2"), ("new", "ter22")):
        (tmp_path / name / "manifests").mkdir(parents=True)
        code = "\n".join(PREPARED).replace("ter2", end)
        (tmp_path / name / "manifests" / "site.pp").write_text(code)
    for form in ("text", "json", "html"):
        written = in_terminal(("diff", "--format", form, "old", "new"), tmp_path)
        assert written
        assert SECRET not in written
