"""What was seen of files holds until the next look."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from puppet_repl.base import stamp
from puppet_repl.base.stamp import Look, full_stamp_of, stamp_of


def test_a_file_is_looked_at_once_in_a_look(tmp_path: Path) -> None:
    path = tmp_path / "file"
    look = Look()
    numbers = {look.number, Look().number}
    assert look.stamp(str(path)) is None
    path.write_text("text")
    assert look.stamp(str(path)) is None
    look.renew()
    assert look.stamp(str(path)) == stamp_of(str(path))
    path.write_text("another text")
    seen = look.stamp(str(path))
    numbers.add(look.number)
    look.renew()
    assert look.stamp(str(path)) != seen
    assert look.number not in numbers
    assert len(numbers) == 3


def test_a_look_has_nothing_that_began_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    look = Look()

    def slow(path: str) -> object:
        found = full_stamp_of(path)
        look.take()  # as another thread does
        return found

    monkeypatch.setattr(stamp, "full_stamp_of", slow)
    assert look.full_stamp(str(path)) is None
    monkeypatch.undo()
    path.touch()
    assert look.full_stamp(str(path)) is not None


def test_files_are_current_in_a_look(tmp_path: Path) -> None:
    file, none = str(tmp_path / "file"), str(tmp_path / "none")
    Path(file).write_text("text")
    look = Look()
    stamps = {file: stamp_of(file), none: None}
    assert look.are_current(stamps)
    assert not look.are_current({file: None})
    assert not look.are_current({none: stamp_of(file)})
    os.utime(file, (1, 1))
    assert look.are_current(stamps)
    look.renew()
    assert not look.are_current(stamps)
    assert look.stamp(none) is None
    Path(none).touch()
    assert not look.are_current({none: stamp_of(none)})


def test_a_lasting_look_is_renewed_by_nobody_else(tmp_path: Path) -> None:
    path = tmp_path / "file"
    look = Look(is_lasting=True)
    number = look.number
    assert look.full_stamp(str(path)) is None
    path.touch()
    look.renew()
    assert look.full_stamp(str(path)) is None
    assert look.number == number
    assert look.newest_stamp(str(path)) is None
    assert Look().newest_stamp(str(path)) == stamp_of(str(path))
    look.take()
    assert look.full_stamp(str(path)) is not None
