"""Code of files that sessions share: what is compiled once, and when it may not be shared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from puppet_repl.language.compiler import cache
from puppet_repl.language.syntax.source import Source
from puppet_repl.session import Options, Session, Shared


@pytest.fixture(autouse=True)
def _nothing_in_memory() -> None:
    cache.programs().clear()


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were parsed."""
    names: list[str] = []
    parse = cache.parse

    def counted(source: Source, **options: Any) -> Any:
        names.append(Path(source.name or "inline").name)
        return parse(source, **options)

    monkeypatch.setattr(cache, "parse", counted)
    return names


def write(root: Path, **files: str) -> Options:
    """A module ``m`` with manifests, functions, types and templates, each named kind__name."""
    for name, text in files.items():
        kind, file = name.split("__")
        path = root / "m" / kind / (f"{file}.epp" if kind == "templates" else f"{file}.pp")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Options(modulepath=(str(root),), strict="warning")


def value(session: Session, code: str) -> object:
    outcome = session.execute(code)
    assert outcome.error is None, outcome.error
    return outcome.value


def test_a_file_is_parsed_once(tmp_path: Path, parsed: list[str]) -> None:
    options = write(
        tmp_path,
        manifests__init="class m { notify { $facts['who']: } }",
        functions__twice="function m::twice($x) { $x * 2 }",
        templates__hello="<%- | $n = 4 | -%><%= m::twice($n) %>",
    )
    shared = Shared()
    for who in ("one", "two", "three"):
        session = Session(options, facts={"who": who}, shared=shared)
        assert value(session, "include m epp('m/hello.epp')") == "8"
        assert [each["title"] for each in session.execute("1").resources] == []
        assert value(session, f"defined(Notify['{who}'])") is True
    assert sorted(parsed) == ["hello.epp", "init.pp", "twice.pp"]


def test_reset_keeps_the_code(tmp_path: Path, parsed: list[str]) -> None:
    session = Session(write(tmp_path, functions__f="function m::f() { 1 }"), facts={})
    for _ in range(3):
        assert value(session, "m::f()") == 1
        session.reset()
    assert parsed == ["f.pp"]


def test_another_text_is_compiled(tmp_path: Path) -> None:
    shared = Shared()
    for number in (1, 2, 3):  # of the same size, perhaps in the same tick of the clock
        options = write(tmp_path, functions__f=f"function m::f() {{ {number} }}")
        assert value(Session(options, facts={}, shared=shared), "m::f()") == number


def test_functions_of_a_session_count(tmp_path: Path) -> None:
    options = write(tmp_path, functions__f="function m::f() { upcase('a') + own(1) }")
    shared = Shared()
    number = "function upcase($x) { 10 } function own($x) { 1 }"
    other = "function upcase($x) { 20 } function own($x) { 2 }"
    for before, expected in ((number, 11), (other, 22), (number, 11)):
        session = Session(options, facts={}, shared=shared)
        session.execute(before)
        assert value(session, "m::f()") == expected
    error = Session(options, facts={}, shared=shared).execute("m::f()").error
    assert error is not None and "Unknown function: 'own'" in error.message


def test_types_of_a_session_count(tmp_path: Path) -> None:
    options = write(
        tmp_path, functions__f="function m::f(Variant[Own, Boolean] $x) { $x =~ Array[Own] }"
    )
    shared = Shared()
    for type_, argument, wrong in (("Integer", "1", "'a'"), ("String", "'a'", "1")):
        session = Session(options, facts={}, shared=shared)
        session.execute(f"type Own = {type_}")
        assert value(session, f"m::f({argument})") is False
        assert session.execute(f"m::f({wrong})").error is not None
    session.execute("type Own = Integer")
    assert value(session, "m::f(1)") is False


def test_warnings_are_given_each_time(tmp_path: Path) -> None:
    options = write(tmp_path, functions__f="function m::f() { $x = {a => 1, a => 2} }")
    shared = Shared()
    logs = [Session(options, facts={}, shared=shared).execute("m::f()").logs for _ in range(2)]
    assert logs[0] == logs[1] != []


def test_strictness_is_not_shared(tmp_path: Path) -> None:
    options = write(tmp_path, functions__f="function m::f() { $x = {a => 1, a => 2} }")
    shared = Shared()
    assert Session(options, facts={}, shared=shared).execute("m::f()").error is None
    options.strict = "error"
    for _ in range(2):
        assert Session(options, facts={}, shared=shared).execute("m::f()").error is not None


def test_locations_of_errors(tmp_path: Path) -> None:
    options = write(tmp_path, functions__f="function m::f($x) {\n  $x + nothing\n}")
    shared = Shared()
    errors = [Session(options, facts={}, shared=shared).execute("m::f(1)").error for _ in range(2)]
    assert [(each.line, each.column) for each in errors if each is not None] == [(2, 8), (2, 8)]


def test_the_oldest_make_room(
    tmp_path: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"functions__{name}": f"function m::{name}() {{ 1 }}" for name in "abc"}
    options = write(tmp_path, **files)
    size = len(files["functions__a"])
    monkeypatch.setattr(cache, "MAX_KEPT", 2 * size)
    shared = Shared()
    for name in ("a", "b", "a", "c", "b", "a"):
        value(Session(options, facts={}, shared=shared), f"m::{name}()")
    assert parsed == ["a.pp", "b.pp", "c.pp", "a.pp"]
