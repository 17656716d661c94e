"""What is said of a defect: one line, whatever the error is."""

from __future__ import annotations

import importlib.metadata
from email.message import Message

import pytest

from puppet_repl.base.defect import defect_line, print_traceback


class Broken(Exception):
    """An error whose message cannot be made."""

    def __str__(self) -> str:
        raise ValueError("broken")


def raised(error: Exception) -> Exception:
    try:
        raise error
    except type(error) as caught:
        return caught


@pytest.fixture(autouse=True)
def _no_debugging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PUPPET_REPL_DEBUG", raising=False)


def test_it_says_what_where_and_how_to_report_it(monkeypatch: pytest.MonkeyPatch) -> None:
    links = Message()
    links["Project-URL"] = "Documentation, https://example.org/docs"
    links["Project-URL"] = "Issues, https://example.org/issues"
    monkeypatch.setattr(importlib.metadata, "metadata", lambda _: links)
    line = defect_line(raised(LookupError("lost")))
    assert line.startswith("this is a defect of puppet-repl: LookupError: lost (test_defect.py:")
    assert "report it at https://example.org/issues" in line
    assert "PUPPET_REPL_DEBUG=1 shows the traceback" in line


def test_a_package_without_links_names_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "metadata", lambda _: Message())
    assert "please report it to the project" in defect_line(ValueError())


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("two\nlines\r\n\tand blanks"), "ValueError: two lines and blanks"),
        (ValueError(), "puppet-repl: ValueError"),
        (ValueError("x" * 10_000), "x" * 100),
        (Broken(), "Broken: its message cannot be shown"),
        (ValueError(10**5000), "ValueError: "),
        (RecursionError("too deep"), "RecursionError: too deep"),
    ],
)
def test_it_is_one_short_line(error: Exception, text: str) -> None:
    for each in (error, raised(error)):
        line = defect_line(each)
        assert text in line
        assert "\n" not in line and len(line) < 500


def test_a_traceback_is_printed_only_on_demand(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    error = raised(LookupError("lost"))
    print_traceback(error)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setenv("PUPPET_REPL_DEBUG", "1")
    print_traceback(error)
    shown = capsys.readouterr()
    assert (
        shown.out == "" and shown.err.startswith("Traceback") and "LookupError: lost" in shown.err
    )
    assert "PUPPET_REPL_DEBUG=1 shows" not in defect_line(error)
