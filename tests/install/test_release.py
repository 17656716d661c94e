"""What `make release` makes, but for what is to be filled in before the first one."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests import release
from tests.install.environment import LEXERS, PROJECT


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("dist")
    release.release(directory, None)
    return directory


def names(archive: Path) -> set[str]:
    """Return the files of an archive, without the name of the archive in front."""
    if archive.suffix != ".gz":
        return set(zipfile.ZipFile(archive).namelist())
    with tarfile.open(archive) as opened:
        return {name.partition("/")[2] for name in opened.getnames()}


def test_there_are_two_archives_of_each_distribution(directory: Path) -> None:
    lines = (directory / release.SUMS).read_text(encoding="utf-8").splitlines()
    assert len(lines) == 7  # and the lexers for Pygments
    for digest, name in (line.split("  ") for line in lines):
        assert hashlib.sha256((directory / name).read_bytes()).hexdigest() == digest


def test_the_lexers_are_in_their_own_wheel_only(directory: Path) -> None:
    lexers, project, _ = sorted(directory.glob("*.whl"))
    packages = {name.split("/")[0] for name in names(lexers) if "dist-info" not in name}
    assert packages == {"puppet_pygments"}
    assert not [name for name in names(project) if "puppet_pygments" in name]


def test_what_is_released_apart_is_in_the_source_archive_only(directory: Path) -> None:
    _, project, _ = sorted(directory.glob("*.whl"))
    (archive,) = directory.glob("puppet_repl-*.tar.gz")
    extension = "puppet_repl/frontends/language_server/editors/vscode/package.json"
    facts = "puppet_repl/environment/facts/distribution/puppet_repl_facts/factsets.gz"
    assert {extension, facts} <= names(archive)
    found = [name for name in names(project) if "/editors/" in name or "/distribution/" in name]
    assert found == []


def test_the_lexers_for_pygments_need_nothing_of_ours(directory: Path) -> None:
    (archive,) = directory.glob("lexers_for_pygments-*.zip")
    assert "pygments/lexers/puppet.py" in names(archive)
    with zipfile.ZipFile(archive) as opened:
        modules = [opened.read(name) for name in names(archive) if name.endswith(".py")]
    assert modules and not [text for text in modules if b"puppet_pygments" in text]


@pytest.mark.parametrize("lacks", ["extension/LICENSE.txt", "", "version"])
def test_the_extension_is_whole(tmp_path: Path, lacks: str) -> None:
    extension = tmp_path / "built.vsix"
    assert_refused = pytest.raises(release.Refused, match=re.escape(lacks) if lacks else "make")
    if lacks:
        version = "0.0.1" if lacks == "version" else release.__version__
        with zipfile.ZipFile(extension, "w") as archive:
            archive.writestr("extension/package.json", json.dumps({"version": version}))
            for name in {"extension/out/extension.js", "extension/LICENSE.txt"} - {lacks}:
                archive.writestr(name, "")
    with assert_refused:
        release.add_extension(extension, tmp_path)


def test_licences_go_along(directory: Path) -> None:
    for archive in (*directory.glob("*.whl"), *directory.glob("*.tar.gz")):
        assert [name for name in names(archive) if name.endswith("LICENSE")], archive.name


def test_the_source_archive_can_be_built_and_tested(directory: Path) -> None:
    (archive,) = directory.glob("puppet_repl-*.tar.gz")
    wanted = {"pyproject.toml", "lexer_pygments/hatch_build.py", "tests/release.py", "Makefile"}
    assert wanted <= names(archive)


def test_what_pip_builds_in_a_checkout_is_not_for_upload(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", PROJECT],
        cwd=tmp_path,
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    (reference,) = release.direct_references(wheel)
    assert reference == f"puppet-pygments @ {LEXERS.as_uri()}"
    with pytest.raises(release.Refused):
        release.check([wheel])
