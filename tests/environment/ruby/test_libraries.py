"""The libraries that come with Puppet's Ruby, in the sandbox. The values are those of Puppet."""

from __future__ import annotations

import json
import os
import tarfile
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.environment.ruby.sandbox import libraries, store
from puppet_repl.session import Options, Session
from tests.environment.ruby.engine import needs_sandbox, needs_system
from tests.environment.ruby.make_libraries import LIBRARIES, digest

CASES = json.loads(Path(__file__).with_name("libraries.json").read_text(encoding="utf-8"))


@needs_sandbox
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["library"])
def test_a_library_works_as_with_puppet(case: dict[str, str]) -> None:
    here = Session(Options(ruby="sandbox", hermetic=True), facts={})
    template = f"<% require %q({case['library']}) %><%= {case['code']} %>"
    outcome = here.execute(f"inline_template('{template}')")
    assert outcome.error is None, outcome.error
    assert outcome.value == case["value"]


@needs_sandbox
def test_a_library_of_a_module_comes_first(tmp_path: Path) -> None:
    library = tmp_path / "m" / "lib"
    library.mkdir(parents=True)
    (library / "scanf.rb").write_text("SCANF = 'of the module'")
    here = Session(Options(ruby="sandbox", modulepath=(str(tmp_path),)), facts={})
    outcome = here.execute("inline_template('<% require %q(scanf) %><%= SCANF %>')")
    assert outcome.value == "of the module"


@needs_system
def test_the_ruby_of_the_system_finds_its_gems() -> None:
    """It starts without them; minitest is in every Ruby."""
    here = Session(Options(ruby="system"), facts={})
    outcome = here.execute("inline_template('<% require %q(minitest) %><%= Minitest.name %>')")
    assert outcome.value == "Minitest"
    error = here.execute("inline_template('<% require %q(nolib) %>')").error
    assert error is not None
    assert error.message == "cannot load such file -- nolib"


def test_the_archive_is_unpacked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "root", lambda: os.fspath(tmp_path / "ruby"))
    assert libraries.names() == sorted(f"{name}-{at}" for name, (at, _) in LIBRARIES.items())
    directory = Path(libraries.directory())
    assert sorted(path.name for path in directory.iterdir()) == libraries.names()
    assert all((path / "LICENSE").is_file() for path in directory.iterdir())
    assert libraries.find(str(directory), "rexml/document.rb") == str(directory / "rexml-3.2.5")
    assert libraries.find(str(directory), "../../hosts") is None
    (directory / "here").touch()
    assert not libraries.repair()
    assert (directory / "here").exists()
    assert [path.name for path in directory.parent.iterdir()] == [directory.name]
    next(directory.rglob("document.rb")).write_text("damaged")
    assert libraries.directory() == str(directory)
    assert libraries.repair()
    assert not (directory / "here").exists()
    assert "damaged" not in next(directory.rglob("document.rb")).read_text()
    assert [path.name for path in directory.parent.iterdir()] == [directory.name]


def test_libraries_that_were_not_used_for_long_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "root", lambda: os.fspath(tmp_path / "ruby"))
    for number in range(10):
        home = Path(store.libraries(str(number)))
        store.keep_libraries(os.fspath(home), [("a/LICENSE", b"x"), ("a/lib/b.rb", b"12")])
        os.utime(home, (number, number))
        store.libraries("1")  # is in use
    assert sorted(path.name for path in home.parent.iterdir()) == ["1", "5", "6", "7", "8", "9"]
    assert (home / "a/lib/b.rb").stat().st_mode & 0o777 == 0o600


def test_the_files_of_each_library_are_those_of_its_gem() -> None:
    found: dict[str, dict[str, bytes]] = {}
    with tarfile.open(libraries.ARCHIVE) as archive:
        for member in archive:
            data = archive.extractfile(member)
            assert data is not None
            library, _, path = member.name.partition("/")
            found.setdefault(library, {})[path] = data.read()
    assert {library: digest(files) for library, files in found.items()} == {
        f"{name}-{version}": expected for name, (version, expected) in LIBRARIES.items()
    }


def test_the_notice_names_each_library() -> None:
    notice = Path(__file__).parents[3].joinpath("NOTICE").read_text(encoding="utf-8")
    for name, (version, _) in LIBRARIES.items():
        assert f"{name} {version}" in notice


@needs_sandbox
@pytest.mark.parametrize(
    ("code", "hint"),
    [
        (
            "require %q(nolib)",
            "a library that is not in the sandbox: "
            "'--ruby system' runs the code in the Ruby of this machine",
        ),
        ("TCPSocket.new", "'--ruby system' runs the code in the Ruby of this machine"),
        ("IO.popen(%q(ls))", "'--ruby system' runs the code in the Ruby of this machine"),
    ],
)
def test_an_error_names_the_ruby_that_could_do_it(code: str, hint: str, tmp_path: Path) -> None:
    templates = tmp_path / "m" / "templates"
    templates.mkdir(parents=True)
    (templates / "t.erb").write_text(f"<% {code} %>")
    options: dict[str, Any] = {"ruby": "sandbox", "modulepath": (str(tmp_path),)}
    error = Session(Options(**options), facts={}).execute("template('m/t.erb')").error
    assert error is not None
    assert error.notes[-1] == hint
    if "nolib" in code:
        assert error.notes[0] == f"the Ruby code failed at {templates}/t.erb:1"
    error = (
        Session(Options(**options, hermetic=True), facts={}).execute("template('m/t.erb')").error
    )
    assert error is not None
    assert hint not in error.notes


@needs_sandbox
@pytest.mark.parametrize("code", ["REXML::Document.new('<a><b></a>')", "Hocon.parse('{a : [')"])
def test_an_error_in_a_library_has_the_line_of_the_template(code: str, tmp_path: Path) -> None:
    template = tmp_path / "m" / "templates" / "t.erb"
    template.parent.mkdir(parents=True)
    template.write_text(f"<% require 'rexml/document'; require 'hocon' %>\n<%= {code} %>\n")
    options = Options(ruby="sandbox", modulepath=(str(tmp_path),))
    error = Session(options, facts={}).execute("template('m/t.erb')").error
    assert error is not None
    assert (
        f"Failed to parse template m/t.erb:\n  Filepath: {template}\n  Line: 2\n" in error.message
    )
