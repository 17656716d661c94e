"""Errors about what a module of the Puppetfile defines, where that module is not installed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from puppet_repl.session import Options, Session
from tests.conformance.judge import write_files

PUPPETFILE = """
forge 'https://forge.example'
mod 'lsst/ccs_sal', '2.9.0'
mod 'puppetlabs-stdlib', :latest
mod 'me-any'
mod 'own', git: 'https://me:secret@git.example/own.git', tag: 'v1.2'
mod 'here', local: true
mod 'old', svn: 'https://svn.example/old'
mod 'a/there', '1.0.0'
"""
INSTALLS = "; 'puppet-repl modules install control' installs it"


def notes(code: str, **options: object) -> tuple[str, ...]:
    session = Session(Options(environment="control", **options), facts={})  # type: ignore[arg-type]
    error = session.execute(code).error
    assert error is not None
    return error.notes


@pytest.fixture(autouse=True)
def control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "Puppetfile": PUPPETFILE,
        "environment.conf": "modulepath = modules\n",
        "modules/there/manifests/init.pp": "class there {}\n",
    }
    write_files(tmp_path / "control", files)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "control"


@pytest.mark.parametrize(
    ("code", "name", "module", "installs"),
    [
        ("include ccs_sal", "ccs_sal", "lsst-ccs_sal 2.9.0", True),
        ("include ::ccs_sal::install", "ccs_sal::install", "lsst-ccs_sal 2.9.0", True),
        ("class { 'ccs_sal': }", "ccs_sal", "lsst-ccs_sal 2.9.0", True),
        ("ccs_sal { 'x': }", "ccs_sal", "lsst-ccs_sal 2.9.0", True),
        ("notice(ccs_sal::f(1))", "ccs_sal::f", "lsst-ccs_sal 2.9.0", True),
        ("notice(1 =~ Ccs_sal::T)", "Ccs_sal::T", "lsst-ccs_sal 2.9.0", True),
        ("notice(stdlib::merge({}))", "stdlib::merge", "puppetlabs-stdlib latest", True),
        ("file_line { 'x': }", "file_line", "puppetlabs-stdlib latest", True),
        ("include any", "any", "me-any", True),
        ("include own", "own", "own (git, v1.2)", True),
        ("include here", "here", "here (local)", False),
        ("include old", "old", "old (svn)", False),
    ],
)
@pytest.mark.parametrize("hermetic", [False, True])
def test_the_module_is_named(
    code: str, name: str, module: str, installs: bool, hermetic: bool
) -> None:
    [note] = notes(code, hermetic=hermetic)
    expected = f"{name} belongs to the module {module} of the Puppetfile, which is not installed"
    assert note == expected + (INSTALLS if installs else "")


@pytest.mark.parametrize("code", ["include there::more", "include apache", "include nothing::at"])
def test_other_modules_are_not_of_the_puppetfile(code: str) -> None:
    assert not any("Puppetfile" in note for note in notes(code))


def test_a_module_off_the_module_path_is_installed(control: Path) -> None:
    (control / "environment.conf").write_text("modulepath = other\n")
    assert not any("Puppetfile" in note for note in notes("include there"))


def test_a_puppetfile_that_is_not_ruby(control: Path) -> None:
    (control / "Puppetfile").write_text("mod 'lsst/ccs_sal', %q(")
    assert not any("Puppetfile" in note for note in notes("include ccs_sal"))


def test_a_hermetic_session_reads_no_puppetfile_elsewhere(control: Path, tmp_path: Path) -> None:
    os.rename(control / "Puppetfile", tmp_path / "elsewhere")
    (control / "Puppetfile").symlink_to(tmp_path / "elsewhere")
    assert any("Puppetfile" in note for note in notes("include ccs_sal"))
    assert not any("Puppetfile" in note for note in notes("include ccs_sal", hermetic=True))
