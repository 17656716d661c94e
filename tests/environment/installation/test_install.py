"""Modules come whole or not at all, the same ones again, and nothing of the user's is replaced."""

from __future__ import annotations

import errno
import json
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from puppet_repl.environment.installation import install
from puppet_repl.environment.installation.downloads import Downloads
from puppet_repl.environment.installation.install import Installation, Outcome
from puppet_repl.environment.installation.record import NAME
from puppet_repl.environment.installation.wanted import ModuleError, PuppetfileError, read_wanted
from tests.environment.installation.server import ForgeServer, archive_of, link, running
from tests.environment.installation.test_archives import tree
from tests.environment.installation.test_git import commit, repository


class Place:
    """A directory with a Puppetfile, and a Forge."""

    def __init__(self, directory: Path, server: ForgeServer) -> None:
        self.directory = directory
        self.server = server
        self.modules = directory / "modules"
        directory.mkdir()

    def install(
        self, text: str, *, force: bool = False, update: bool = False, refused: int = 0
    ) -> dict[str, Outcome]:
        """Install what a Puppetfile names; return what became of each module."""
        (self.directory / "Puppetfile").write_text(text)
        asked = read_wanted(str(self.directory), self.server.address, lambda _: None)
        assert len(asked.refused) == refused
        found: dict[str, Outcome] = {}
        Installation(
            str(self.directory),
            force=force,
            update=update,
            downloads=Downloads(threading.Event(), timeout=5, pauses=(0.01,)),
        ).run(asked, 3, lambda outcome: found.update({outcome.name: outcome}))
        assert found.keys() == {each.name for each in asked.wanted}
        leavings = [path.name for path in self.directory.rglob(".installing-*")]
        assert not leavings
        return found

    def states(self, text: str, **given: bool) -> dict[str, str]:
        return {name: each.state for name, each in self.install(text, **given).items()}

    def versions(self) -> dict[str, str]:
        """Return the versions of the modules that are there, and what the record says."""
        found = {
            path.parent.name: json.loads(path.read_text())["version"]
            for path in self.modules.glob("*/metadata.json")
        }
        assert {name: row["version"] for name, row in self.record().items()} == found
        return found

    def record(self) -> dict[str, dict[str, str]]:
        path = self.directory / NAME
        return json.loads(path.read_text())["modules"] if path.exists() else {}


@pytest.fixture
def server() -> Iterator[ForgeServer]:
    with running(ForgeServer()) as server:
        server.release("a-one", "1.0.0", {"manifests/init.pp": "class one {}"})
        server.release("a-one", "1.1.0", {"manifests/init.pp": "class one { }"})
        server.release("a-two", "2.0.0", {"manifests/init.pp": "class two {}"}, algorithm="md5")
        yield server


@pytest.fixture
def place(tmp_path: Path, server: ForgeServer) -> Place:
    return Place(tmp_path / "control", server)


BOTH = "mod 'a/one', '1.0.0'\nmod 'a-two', :latest\n"


def test_the_trees_are_those_of_the_archives(place: Place) -> None:
    found = place.install(BOTH)
    assert {(each.name, each.state, each.text) for each in found.values()} == {
        ("one", "installed", "1.0.0"),
        ("two", "installed", "2.0.0"),
    }
    for title, version in (("a-one", "1.0.0"), ("a-two", "2.0.0")):
        kept = tree(place.modules / title[2:])
        assert set(kept) == {"metadata.json", "manifests/init.pp"}
        assert json.loads(kept["metadata.json"])["version"] == version
        assert kept["manifests/init.pp"] == f"class {title[2:]} {{}}"


def test_a_second_time_nothing_is_asked_for(place: Place, server: ForgeServer) -> None:
    place.install(BOTH)
    written = (place.directory / NAME).read_bytes()
    server.requests.clear()
    assert set(place.states(BOTH).values()) == {"there"}
    assert not server.requests
    assert (place.directory / NAME).read_bytes() == written


def test_the_record_installs_the_same_again(place: Place, server: ForgeServer) -> None:
    """Where only the record was kept, as in a fresh checkout."""
    text = "mod 'a/one', :latest\nmod 'a/two'\n"
    place.install(text)
    before = tree(place.modules)
    for path in place.modules.iterdir():
        path.rename(place.directory / f"old-{path.name}")
    server.release("a-one", "1.2.0")
    assert place.states(text) == {"one": "installed", "two": "installed"}
    assert tree(place.modules) == before
    assert place.states(text, update=True) == {"one": "installed", "two": "there"}
    assert place.versions() == {"one": "1.2.0", "two": "2.0.0"}


def test_an_archive_that_is_another_one_now(place: Place, server: ForgeServer) -> None:
    """The Forge vouches for it, but it is not what was installed before."""
    place.install("mod 'a/one', '1.0.0'")
    (place.modules / "one").rename(place.directory / "old")
    server.release("a-one", "1.0.0", {"manifests/init.pp": "class one { evil() }"})
    outcome = place.install("mod 'a/one', '1.0.0'")["one"]
    assert outcome.state == "failed"
    assert "the archive of a-one has the sha256 " in outcome.text
    assert not (place.modules / "one").exists()


def test_another_version(place: Place) -> None:
    place.install("mod 'a/one', '1.0.0'")
    assert place.states("mod 'a/one', '1.1.0'") == {"one": "installed"}
    assert place.versions() == {"one": "1.1.0"}
    assert place.states("mod 'a/one', '1.0.0'") == {"one": "installed"}
    assert place.versions() == {"one": "1.0.0"}


@pytest.mark.parametrize("algorithm", ["sha256", "md5"])
def test_a_wrong_checksum(algorithm: str, place: Place, server: ForgeServer) -> None:
    server.release("a-bad", "1.0.0", algorithm=algorithm)
    path = "/v3/files/a-bad-1.0.0.tar.gz"
    server.archives[path] += b"\0"
    found = place.install("mod 'a/bad', '1.0.0'\nmod 'a/one', '1.0.0'")
    assert f"{path} has the {algorithm} " in found["bad"].text
    assert (found["bad"].state, found["one"].state) == ("failed", "installed")
    assert place.versions() == {"one": "1.0.0"}


@pytest.mark.parametrize(
    ("archive", "reason"),
    [
        (b"no archive", "the archive is broken"),
        (archive_of({"../x": "x"}), "a name that leads out of it"),
        (archive_of({"/tmp/x": "x"}), "a name that leads out of it"),
        (archive_of({"top": "x"}), "there is nothing in it"),
    ],
    ids=["broken", "above", "absolute", "empty"],
)
def test_a_bad_archive(archive: bytes, reason: str, place: Place, server: ForgeServer) -> None:
    """What was there before stays, and the others are installed."""
    server.release("a-bad", "1.0.0")
    place.install("mod 'a/bad', '1.0.0'")
    server.release("a-bad", "2.0.0", archive=archive)
    found = place.install("mod 'a/bad', '2.0.0'\nmod 'a/one', '1.0.0'")
    assert reason in found["bad"].text
    assert (found["bad"].state, found["one"].state) == ("failed", "installed")
    assert place.versions() == {"bad": "1.0.0", "one": "1.0.0"}


def test_a_server_that_stops(place: Place, server: ForgeServer) -> None:
    server.cut.add("/v3/files/a-one-1.0.0.tar.gz")
    found = place.install(BOTH)
    assert found["one"].state == "failed"
    assert place.versions() == {"two": "2.0.0"}


def test_links_that_were_left_out_are_named(place: Place, server: ForgeServer) -> None:
    server.release("a-linked", "1.0.0", {}, link("a-linked-1.0.0/out", "/etc"))
    outcome = place.install("mod 'a/linked', '1.0.0'")["linked"]
    assert (outcome.state, outcome.left_out) == ("installed", ("out",))
    assert place.states("mod 'a/linked', '1.0.0'") == {"linked": "there"}


def test_what_is_not_ours_stays(place: Place) -> None:
    own = place.modules / "one"
    (own / "manifests").mkdir(parents=True)
    (own / "manifests" / "init.pp").write_text("mine")
    outcome = place.install("mod 'a/one', '1.0.0'")["one"]
    assert outcome.state == "failed"
    assert outcome.text.startswith("modules/one is not of 'modules install', and stays")
    assert tree(own) == {"manifests/init.pp": "mine"}
    assert place.states("mod 'a/one', '1.0.0'", force=True) == {"one": "installed"}
    assert place.versions() == {"one": "1.0.0"}


@pytest.mark.parametrize("name", ["manifests/init.pp", "manifests/new.pp", ".git/config"])
def test_what_has_changed_stays(name: str, place: Place) -> None:
    place.install("mod 'a/one', '1.0.0'")
    (place.modules / "one" / name).parent.mkdir(exist_ok=True)
    (place.modules / "one" / name).write_text("mine")
    for version in ("1.0.0", "1.1.0"):
        outcome = place.install(f"mod 'a/one', '{version}'")["one"]
        assert outcome.state == "failed"
        assert "has changed since it was installed" in outcome.text
    assert (place.modules / "one" / name).read_text() == "mine"
    assert place.states("mod 'a/one', '1.1.0'", force=True) == {"one": "installed"}
    assert place.versions() == {"one": "1.1.0"}


def test_a_link_to_ones_own_module_stays(place: Place, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "f").write_text("mine")
    place.modules.mkdir()
    (place.modules / "one").symlink_to(own)
    assert place.states("mod 'a/one', '1.0.0'") == {"one": "failed"}
    assert place.states("mod 'a/one', '1.0.0'", force=True) == {"one": "installed"}
    assert not (place.modules / "one").is_symlink()
    assert tree(own) == {"f": "mine"}


def test_what_others_have_installed_is_there(place: Place) -> None:
    """r10k has installed the version that is wanted."""
    place.install("mod 'a/one', '1.0.0'")
    (place.directory / NAME).unlink()
    assert place.states("mod 'a/one', '1.0.0'") == {"one": "there"}
    assert place.states("mod 'a/one'") == {"one": "there"}
    assert place.states("mod 'a/one', :latest") == {"one": "there"}
    assert place.states("mod 'a/one', '1.1.0'") == {"one": "failed"}
    for text in ("mod 'a/one'", "mod 'a/one', :latest"):  # nobody says that it is ours
        assert place.states(text, update=True) == {"one": "failed"}


def test_a_branch_is_followed_by_update_only(place: Place, tmp_path: Path) -> None:
    origin = repository(tmp_path / "origin")
    first = commit(origin, {"manifests/init.pp": "class m {}"})
    text = f"mod 'm', git: '{origin}', branch: 'main'\n"
    assert place.install(text)["m"].text == first
    second = commit(origin, {"manifests/init.pp": "class m { }"})
    assert place.install(text)["m"] == Outcome("m", "there", first)
    (place.modules / "m").rename(tmp_path / "old")
    assert place.install(text)["m"] == Outcome("m", "installed", first)
    assert place.install(text, update=True)["m"] == Outcome("m", "installed", second)
    assert place.record()["m"]["version"] == second


def test_a_tarball(place: Place, server: ForgeServer) -> None:
    server.archives["/own.tgz"] = archive_of({"manifests/init.pp": "class t {}"})
    address = f"{server.address}/own.tgz"
    assert place.states(f"mod 't', type: 'tarball', source: '{address}'") == {"t": "installed"}
    assert tree(place.modules) == {"t/manifests/init.pp": "class t {}"}
    wrong = f"mod 't', type: 'tarball', source: '{address}', checksum: '{'0' * 64}'"
    outcome = place.install(wrong)["t"]
    assert f"expected was {'0' * 64}" in outcome.text


def test_spec_is_left_out_on_request(place: Place, tmp_path: Path) -> None:
    origin = repository(tmp_path / "origin")
    commit(origin, {"manifests/init.pp": "class m {}", "spec/x_spec.rb": ""})
    place.install(f"mod 'm', git: '{origin}', branch: 'main', exclude_spec: true\n")
    assert tree(place.modules / "m") == {"manifests/init.pp": "class m {}"}


def test_what_the_puppetfile_names_no_more_is_forgotten(place: Place) -> None:
    place.install(BOTH)
    place.install("mod 'a/one', '1.0.0'")
    assert set(place.record()) == {"one"}
    assert (place.modules / "two").is_dir()


def test_an_empty_directory_is_no_module(place: Place) -> None:
    """Git leaves one in the place of a submodule."""
    (place.modules / "one").mkdir(parents=True)
    assert set(place.states(BOTH).values()) == {"installed"}
    shutil.rmtree(place.modules / "one")
    (place.modules / "one").mkdir()
    assert place.states(BOTH) == {"one": "installed", "two": "there"}
    assert (place.modules / "one" / "metadata.json").exists()


def test_what_is_refused_is_not_forgotten(place: Place) -> None:
    """A second line for a module refuses both; without it the module is ours again."""
    place.install(BOTH)
    place.install(BOTH + "mod 'b/two', '1.0.0'\n", refused=1)
    assert set(place.record()) == {"one", "two"}
    assert set(place.states(BOTH).values()) == {"there"}


def test_spec_comes_and_goes(place: Place, tmp_path: Path) -> None:
    """The commit stays the same."""
    origin = repository(tmp_path / "origin")
    first = commit(origin, {"manifests/init.pp": "class m {}", "spec/x_spec.rb": ""})
    text = f"mod 'm', git: '{origin}', branch: 'main'"
    place.install(f"{text}, exclude_spec: true\n")
    commit(origin, {"manifests/init.pp": "class m { }"})
    for options, has_spec in (("", True), (", exclude_spec: true", False)):
        assert place.install(f"{text}{options}\n")["m"] == Outcome("m", "installed", first)
        assert (place.modules / "m" / "spec").exists() is has_spec
        assert place.states(f"{text}{options}\n") == {"m": "there"}


def test_another_fallback_counts(place: Place, tmp_path: Path) -> None:
    origin = repository(tmp_path / "origin")
    commit(origin, {"manifests/init.pp": "class m {}"})
    commit(repository(tmp_path / "other"), {"a": "1"})
    text = f"mod 'm', git: '{origin}', branch: 'none', default_branch: "
    assert place.states(f"{text}'main'\n") == {"m": "installed"}
    outcome = place.install(f"{text}'neither'\n")["m"]
    assert "has no 'none' or 'neither'" in outcome.text


def test_the_record_is_read_by_one_at_a_time(place: Place) -> None:
    """What another process has written before counts."""
    (place.directory / "Puppetfile").write_text(BOTH)
    asked = read_wanted(str(place.directory), place.server.address, lambda _: None)
    waiting = Installation(str(place.directory))
    place.install(BOTH)
    found: list[Outcome] = []
    waiting.run(asked, 1, found.append)
    assert [each.state for each in found] == ["there", "there"]


def test_a_file_system_without_locks(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    assert place.states("mod 'a/one', '1.0.0'") == {"one": "installed"}


def test_a_full_disk(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> list[str]:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "there")

    place.install("mod 'a/one', '1.0.0'")
    monkeypatch.setattr(install, "unpack", full)
    outcome = place.install("mod 'a/one', '1.1.0'")["one"]
    assert outcome == Outcome("one", "failed", "there: No space left on device")
    assert place.versions() == {"one": "1.0.0"}


def test_a_place_that_cannot_be_taken(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was there comes back."""
    place.install("mod 'a/one', '1.0.0'")
    rename = os.rename

    def refuse(source: str, target: str) -> None:
        if os.path.basename(source) == "new":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), target)
        rename(source, target)

    monkeypatch.setattr(os, "rename", refuse)
    assert place.states("mod 'a/one', '1.1.0'") == {"one": "failed"}
    assert place.versions() == {"one": "1.0.0"}


def test_what_a_killed_process_has_left_is_removed(place: Place) -> None:
    (place.modules / ".installing-x" / "new").mkdir(parents=True)
    place.install("mod 'a/one', '1.0.0'")
    assert sorted(os.listdir(place.modules)) == ["one"]


@pytest.mark.parametrize("name", [".", "modules"])
def test_two_at_a_time(name: str, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")
    place.modules.mkdir()
    monkeypatch.setattr(install, "_LOCK_PAUSES", (0.0,))
    held = os.open(place.directory / name, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(ModuleError, match="another process installs modules in"):
            place.install("mod 'a/one', '1.0.0'")
    finally:
        os.close(held)


def test_nothing_is_left_where_nothing_was_installed(place: Place) -> None:
    assert place.states("mod 'a/none', '1.0.0'") == {"none": "failed"}
    assert sorted(os.listdir(place.directory)) == ["Puppetfile"]


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"format": 1, "modules": {"a": {}}}', '{"format": 2}']
)
def test_a_record_that_is_not_ours(text: str, place: Place) -> None:
    (place.directory / NAME).write_text(text)
    with pytest.raises(PuppetfileError, match=NAME):
        place.install("mod 'a/one', '1.0.0'")
    assert (place.directory / NAME).read_text() == text
