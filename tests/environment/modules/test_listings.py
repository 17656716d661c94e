"""What directories hold, and when they are read again."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from puppet_repl.environment.modules.listings import Listings


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The directories that were read."""
    names: list[str] = []
    scan = os.scandir

    def counted(path: str) -> os._ScandirIterator[str]:
        names.append(os.path.basename(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", counted)
    return names


def age(directory: Path) -> None:
    """Make a directory look as if its last change was a while ago."""
    before = time.time() - 60
    os.utime(directory, (before, before))


def test_kinds(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "a").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "a")
    (tmp_path / "broken").symlink_to(tmp_path / "nowhere")
    (tmp_path / "x.rb").touch()
    listing = Listings().of(str(tmp_path))
    assert listing.directories == ("a", "b")
    assert listing.links == ("link",)
    assert listing.files == ("broken", "x.rb")


def test_no_directory(tmp_path: Path) -> None:
    listings = Listings()
    assert listings.of(str(tmp_path / "none")).files == ()
    assert not listings.has(str(tmp_path / "none"), "x")
    assert list(listings.files_below(str(tmp_path / "none"), ".rb")) == []


def test_a_directory_is_read_when_it_has_changed(tmp_path: Path, read: list[str]) -> None:
    age(tmp_path)
    listings = Listings()
    for _ in range(3):
        assert not listings.has(str(tmp_path), "x")
        listings.look.take()
    assert read == [tmp_path.name]
    (tmp_path / "x").touch()
    assert listings.has(str(tmp_path), "x")


def test_what_has_just_changed_is_not_believed(tmp_path: Path, read: list[str]) -> None:
    (tmp_path / "x").touch()
    listings = Listings()
    changed = os.stat(tmp_path).st_mtime_ns
    assert listings.has(str(tmp_path), "x")
    (tmp_path / "y").touch()
    os.utime(tmp_path, ns=(changed, changed))  # in the same tick of the clock
    listings.look.take()
    assert listings.has(str(tmp_path), "y")


def test_one_look_a_round(tmp_path: Path) -> None:
    listings = Listings()
    assert not listings.has(str(tmp_path / "new"), "x")
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "x").touch()
    assert not listings.has(str(tmp_path / "new"), "x")
    listings.look.take()
    assert listings.has(str(tmp_path / "new"), "x")


def test_files_below(tmp_path: Path) -> None:
    for name in ("b.rb", "a/z.rb", "a/y.txt", "a/c/d.rb", "c/e.rb"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "a" / "again").symlink_to(tmp_path)
    found = list(Listings().files_below(str(tmp_path), ".rb"))
    assert found == [
        "b.rb",
        os.path.join("a", "z.rb"),
        os.path.join("a", "c", "d.rb"),
        os.path.join("c", "e.rb"),
    ]
