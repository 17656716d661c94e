"""Files of modules that are no text: the message says which file and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.session import Options, Session


@pytest.fixture
def module(tmp_path: Path) -> Path:
    directory = tmp_path / "m"
    for name in ("manifests", "functions", "templates"):
        (directory / name).mkdir(parents=True)
    return directory


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("manifests/init.pp", "include m"),
        ("manifests/d.pp", "m::d { 'x': }"),
        ("functions/f.pp", "m::f()"),
        ("templates/t.epp", "epp('m/t.epp')"),
    ],
)
def test_invalid_utf_8(file: str, code: str, module: Path) -> None:
    (module / file).write_bytes(b"# one\n# \xff\n")
    session = Session(Options(modulepath=(str(module.parent),)), facts={})
    error = session.execute(code).error
    assert error is not None
    assert error.message == "Invalid UTF-8: the byte FF begins no character"
    assert (error.file, error.line, error.column) == (str(module / file), 2, 3)
    assert session.execute("1 + 1").value == 2


def test_a_template_keeps_its_line_ends_but_no_byte_order_mark(module: Path) -> None:
    path = module / "templates" / "t.epp"
    path.write_bytes(b"\xef\xbb\xbfa\r\n<%= 1 %>\r\n")
    session = Session(Options(modulepath=(str(module.parent),)), facts={})
    for name in ("m/t.epp", str(path)):
        assert session.execute(f"epp('{name}')").value == "a\r\n1\r\n"


def test_a_directory_in_place_of_a_file(module: Path) -> None:
    (module / "manifests" / "init.pp").mkdir()
    session = Session(Options(modulepath=(str(module.parent),)), facts={})
    error = session.execute("include m").error
    assert error is not None
    assert "Could not find class ::m for" in error.message
