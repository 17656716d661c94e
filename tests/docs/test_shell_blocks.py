"""Commands in the documentation print what the pages say, and have options that exist."""

from __future__ import annotations

import contextlib
import io
from importlib import import_module
from pathlib import Path

import pytest

from puppet_repl.frontends.cli.arguments import SUBCOMMANDS, make_parser
from tests.docs.shell_blocks import DOCS, ROOT, Command, calls, differences, is_printed, steps

PAGES = sorted(
    page
    for page in [ROOT / "README.md", *DOCS.rglob("*.md")]
    if "_build" not in page.parts
    and any(isinstance(step, Command) for step in steps(page.read_text(encoding="utf-8")))
)


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_commands_print_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    found = differences(page, tmp_path)
    assert not found, "\n\n".join(found)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_options_on_the_page_exist(page: Path) -> None:
    for step in steps(page.read_text(encoding="utf-8")):
        if isinstance(step, Command):
            for arguments in calls(step.line):
                assert is_understood(arguments), f"{named(page)}: {step.line}"


def is_understood(arguments: list[str]) -> bool:
    """Whether the command line has these subcommands and options."""
    arguments = [each for each in arguments if each[:1] != "@"]  # without a profile
    name = arguments[0] if arguments else ""
    if name not in SUBCOMMANDS:
        parser = make_parser()
    else:
        parser = import_module(SUBCOMMANDS[name][0]).make_parser(name)
        # Behind "--" are the arguments of the kernel that is installed.
        arguments = [*arguments[1:], "--"][: [*arguments, "--"].index("--") - 1]
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            parser.parse_args(arguments)
    except SystemExit as ended:
        return ended.code == 0
    return True


def test_a_page_that_lies_is_noticed(tmp_path: Path) -> None:
    page = ROOT / "README.md"
    text = page.read_text(encoding="utf-8")
    assert [step for step in steps(text) if isinstance(step, Command) and step.printed]
    assert not is_printed("1\n...\n3", "1\n2\n4")
    assert is_printed("1\n...\n3", "1\n2\n2\n3")
    assert not is_understood(["-e", "1", "--no-such-option"])
    assert not is_understood(["validate", "--no-such-option", "x.pp"])
    assert list(calls("echo 1 | puppet-repl -e '1 | 2' --plain && puppet-repl batch > x")) == [
        ["-e", "1 | 2", "--plain"],
        ["batch"],
    ]
