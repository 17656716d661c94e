"""Files of modules that change while a session runs: loaded again, and told once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from puppet_repl.frontends.commands import run
from puppet_repl.session import Options, Outcome, Session
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report

CLASS = "module web: manifests/init.pp has changed; already declared: include it again, or :reset"


class Author:
    """A session on a module ``web`` that is being written."""

    def __init__(self, directory: Path) -> None:
        self.module = directory / "web"
        self._time = 1_700_000_000
        self.write("manifests/init.pp", "class web($port = 80) { notify { 'one': } }")
        self.write("functions/half.pp", "function web::half($n) { $n / 2 }")
        self.write("types/port.pp", "type Web::Port = Integer[1, 100]")
        self.notes: list[str] = []
        self.session = Session(Options(modulepath=(str(directory),)), facts={}, log=self._log)

    def _log(self, level: str, text: str) -> None:
        if level == "note":
            self.notes.append(text)

    def write(self, name: str, text: str) -> None:
        path = self.module / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
        self._time += 1
        os.utime(path, (self._time, self._time))

    def run(self, text: str) -> Outcome:
        """Run an input; the notes are those of this one."""
        self.notes.clear()
        return self.session.execute(text)


@pytest.fixture
def author(tmp_path: Path) -> Author:
    made = Author(tmp_path)
    assert made.run("$kept = web::half(84)\ninclude web").error is None
    assert made.run("5 =~ Web::Port").value is True
    assert made.notes == []
    return made


def test_a_changed_class_is_loaded_again(author: Author) -> None:
    author.write("manifests/init.pp", "class web($port = 80) { notify { 'two': } }")
    assert author.run("$kept").value == 42
    assert author.notes == [CLASS]
    assert author.run("include web").error is None
    assert author.run("[defined(Notify['one']), defined(Notify['two'])]").value == (False, True)
    assert author.notes == []


def test_functions_and_types_too_in_one_line(author: Author) -> None:
    author.write("functions/half.pp", "function web::half($n) { $n / 20 }")
    author.write("types/port.pp", "type Web::Port = Integer[1, 4]")
    assert author.run("[web::half(80), 5 =~ Web::Port, $kept]").value == (4, False, 42)
    assert author.notes == [
        "module web: functions/half.pp and types/port.pp have changed, loaded again at their next"
        " use"
    ]


def test_an_error_in_a_changed_file_is_told_where_it_is_used(author: Author) -> None:
    author.write("manifests/init.pp", "class web {\n  notify { 'two' }\n}")
    assert author.run("1 + 1").value == 2
    assert author.notes == [
        "module web: manifests/init.pp has changed and has a syntax error in line 2"
    ]
    for _ in range(2):
        error = author.run("include web").error
        assert error is not None
        assert (error.file, error.line) == (str(author.module / "manifests/init.pp"), 2)
        assert author.notes == []
    assert author.run("$kept").value == 42
    author.write("manifests/init.pp", "class web { notify { 'three': } }")
    assert author.run("include web").error is None
    assert author.notes == [CLASS]
    assert author.run("defined(Notify['three'])").value is True


def test_a_change_is_told_once_though_the_input_fails(author: Author) -> None:
    author.write("functions/half.pp", "function web::half($n) { fail('no') }")
    assert author.run("web::half(1)").error is not None
    assert len(author.notes) == 1
    assert author.run("web::half(1)").error is not None
    assert author.notes == []
    author.write("functions/half.pp", "function web::half($n) { 'yes' }")
    assert author.run("web::half(1)").value == "yes"
    assert len(author.notes) == 1


def test_a_file_that_is_gone(author: Author) -> None:
    (author.module / "functions/half.pp").unlink()
    error = author.run("web::half(1)").error
    assert error is not None and "Unknown function" in error.message
    assert author.notes == ["module web: functions/half.pp is gone"]


def test_many_files_take_one_line(author: Author) -> None:
    names = [f"part{n}" for n in range(7)]
    for name in names:
        author.write(f"manifests/{name}.pp", f"class web::{name} {{ }}")
    assert author.run("\n".join(f"include web::{name}" for name in names)).error is None
    for name in names:
        author.write(f"manifests/{name}.pp", f"class web::{name} {{ notify {{ '{name}': }} }}")
    author.run("1")
    assert author.notes == [
        "module web: manifests/part0.pp, manifests/part1.pp, manifests/part2.pp, manifests/part3.pp"
        " and 3 more have changed; already declared: include it again, or :reset"
    ]


def test_what_is_declared_stays_until_include_or_reset(author: Author) -> None:
    author.write("manifests/init.pp", "class web($port = 81) { notify { 'one': message => 'b' } }")
    assert author.run("Class['web']['port']").value == 80
    assert author.notes == [CLASS]
    assert author.run("include web\nClass['web']['port']").value == 81


def test_a_class_that_nothing_has_declared_is_loaded_at_its_next_use(author: Author) -> None:
    author.write("manifests/idle.pp", "class web::idle { $n = 1 }")
    assert author.run("defined(Class['web::idle']) or defined('web::idle')").value is True
    author.write("manifests/idle.pp", "class web::idle { $n = 2 }")
    assert author.run("include web::idle\n$web::idle::n").value == 2
    assert author.notes == [
        "module web: manifests/idle.pp has changed, loaded again at its next use"
    ]


def test_resources_of_a_define_stay_until_reset(author: Author) -> None:
    author.write("manifests/site.pp", "define web::site { notify { $title: message => 'a' } }")
    assert author.run("web::site { 'x': }").error is None
    author.write("manifests/site.pp", "define web::site { notify { $title: message => 'b' } }")
    assert author.run("include web\nNotify['x']['message']").value == "a"
    assert author.notes == [
        "module web: manifests/site.pp has changed; already declared: :reset evaluates it again"
    ]


class Site:
    """A session on an environment whose site manifests are being written."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.write("manifests/site.pp", "notify { 'one': }")
        self.notes: list[str] = []
        options = Options(environment=str(directory))
        self.session = Session(options, facts={}, log=self._log)

    def _log(self, level: str, text: str) -> None:
        if level == "note":
            self.notes.append(text)

    def write(self, name: str, text: str) -> None:
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")

    def notes_of(self, text: str) -> list[str]:
        """Run an input; return the notes of it."""
        self.notes.clear()
        assert self.session.execute(text).error is None
        return self.notes


def test_changed_site_manifests_are_told_once(tmp_path: Path) -> None:
    site = Site(tmp_path)
    assert site.session.run_site() is None
    assert site.notes_of("1") == []
    again = ":reset runs the site manifests again"
    site.write("manifests/site.pp", "notify { 'another': }")
    assert site.notes_of("defined(Notify['one'])") == [f"manifests/site.pp has changed; {again}"]
    assert site.notes_of("2") == []
    site.write("manifests/more.pp", "$x = {")
    assert site.notes_of("3") == [
        "manifests/more.pp has a syntax error at its end",
        f"manifests/more.pp is new; {again}",
    ]
    (tmp_path / "manifests/more.pp").unlink()
    assert site.notes_of("4") == [f"manifests/more.pp is gone; {again}"]
    assert shown(site, ":reset") == "session reset"
    assert site.notes_of("notify { 'one': }\nrealize(Notify['another'])") == []


def test_a_reset_that_failed_says_what_to_do(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.write("manifests/site.pp", "nix()")
    told = "the site manifests have declared nothing; :reset runs them again once this is fixed"
    assert shown(site, ":reset").endswith(told)
    site.write("manifests/site.pp", "notify { 'mended': }")
    assert len(site.notes_of("1")) == 1
    assert shown(site, ":reset") == "session reset"
    assert site.session.execute("defined(Notify['mended'])").value is True


def shown(site: Site, command: str) -> str:
    return plain(render_report(run(site.session, command), 200))


def test_undo_goes_back_to_what_is_on_disk_now(author: Author) -> None:
    author.write("functions/half.pp", "function web::half($n) { 'new' }")
    author.run("$a = 1")
    author.session.undo()
    assert author.run("web::half(1)").value == "new"


def test_without_changes_nothing_is_read(author: Author, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open
    opened: list[str] = []

    def noted(path: object, *arguments: object, **options: object) -> object:
        opened.append(str(path))
        return real(path, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("os.open", noted)
    author.run("web::half(4) + $kept")
    assert [path for path in opened if str(author.module) in path] == []
    author.write("functions/half.pp", "function web::half($n) { 0 }")
    author.run("web::half(4) + $kept")
    assert str(author.module / "functions/half.pp") in opened
