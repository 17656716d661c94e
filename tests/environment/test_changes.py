"""Files of modules that change while a session runs: loaded again, and told once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from puppet_repl.session import Options, Outcome, Session


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
    assert author.notes == ["module web: init.pp has changed, loaded again"]
    assert author.run("include web").error is None
    assert author.run("[defined(Notify['one']), defined(Notify['two'])]").value == (False, True)
    assert author.notes == []


def test_functions_and_types_too_in_one_line(author: Author) -> None:
    author.write("functions/half.pp", "function web::half($n) { $n / 20 }")
    author.write("types/port.pp", "type Web::Port = Integer[1, 4]")
    assert author.run("[web::half(80), 5 =~ Web::Port, $kept]").value == (4, False, 42)
    assert author.notes == [
        "module web: functions/half.pp and types/port.pp have changed, loaded again"
    ]


def test_an_error_in_a_changed_file_is_told_where_it_is_used(author: Author) -> None:
    author.write("manifests/init.pp", "class web {\n  notify { 'two' }\n}")
    assert author.run("1 + 1").value == 2
    assert author.notes == ["module web: init.pp has changed, loaded again"]
    for _ in range(2):
        error = author.run("include web").error
        assert error is not None
        assert (error.file, error.line) == (str(author.module / "manifests/init.pp"), 2)
        assert author.notes == []
    assert author.run("$kept").value == 42
    author.write("manifests/init.pp", "class web { notify { 'three': } }")
    assert author.run("include web").error is None
    assert author.notes == ["module web: init.pp has changed, loaded again"]
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
        "module web: part0.pp, part1.pp, part2.pp, part3.pp and 3 more have changed, loaded again"
    ]


def test_undo_goes_back_to_what_is_on_disk_now(author: Author) -> None:
    author.write("functions/half.pp", "function web::half($n) { 'new' }")
    author.run("$a = 1")
    author.session.undo()
    assert author.run("web::half(1)").value == "new"


def test_without_changes_nothing_is_read(author: Author, monkeypatch: pytest.MonkeyPatch) -> None:
    real = open
    opened: list[str] = []

    def noted(path: object, *arguments: object, **options: object) -> object:
        opened.append(str(path))
        return real(path, *arguments, **options)  # type: ignore[call-overload]

    monkeypatch.setattr("builtins.open", noted)
    author.run("web::half(4) + $kept")
    assert [path for path in opened if str(author.module) in path] == []
    author.write("functions/half.pp", "function web::half($n) { 0 }")
    author.run("web::half(4) + $kept")
    assert str(author.module / "functions/half.pp") in opened
