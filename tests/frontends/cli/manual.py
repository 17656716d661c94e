"""The manual page of the command line: python -m tests.frontends.cli.manual writes it."""

from __future__ import annotations

import argparse
import datetime
import re
import textwrap
from pathlib import Path
from typing import Any

from argparse_manpage.manpage import Manpage

from puppet_repl.base.version import __version__
from puppet_repl.frontends.cli.arguments import EPILOG, PROGRAM, make_parser
from puppet_repl.frontends.cli.shell_completion import whole_parser

FILE = Path(__file__).parents[3] / "docs" / "puppet-repl.1"
SUMMARY = "evaluate the language of Puppet 8 and OpenVox"
SYNOPSIS = """\
.B puppet\\-repl
.RI [ options ]
.RI [ FILE.pp ]
.br
.B puppet\\-repl
.I COMMAND
.RI [ options ]
.RI [ arguments ]"""
SHARED = "It takes options of sessions, too; those that mean the same as above are not repeated."
# Where a page has been written before, it keeps its date as long as nothing else changes.
_DATE = re.compile(r'(?<=^\.TH PUPPET\\-REPL "1" ")[^"]*', re.MULTILINE)


def text(date: str = "") -> str:
    """Return the page."""
    parser: Any = whole_parser()
    parser.description = make_parser().description
    shorten(parser)
    data = {"project_name": PROGRAM, "version": __version__, "manual_title": "User Commands"}
    page = Manpage(parser, {**data, "date": date or "0"}, format="single-commands-section")
    page.description = SUMMARY
    page.add_section("synopsis", "=", SYNOPSIS)
    for heading, content in epilog_sections():
        page.add_section(heading, "=", content)
    return arranged(str(page)).replace(date.replace("-", r"\-"), date, 1)


def shorten(parser: argparse.ArgumentParser) -> None:
    """Hide in subcommands the options that the whole program has in the same words."""
    whole = {shown(action) for action in parser._actions}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                shared = [each for each in below._actions if shown(each) in whole]
                for each in shared:
                    each.help = argparse.SUPPRESS
                if any("--facts" in each.option_strings for each in shared):
                    below.epilog = None
                    below.description = SHARED


def shown(action: argparse.Action) -> tuple[Any, ...]:
    """Return what a page says of an option."""
    return (tuple(action.option_strings), action.metavar, action.help)


def epilog_sections() -> list[tuple[str, str]]:
    """Return the parts of the help's epilog with their headings, but for the list of commands."""
    sections = []
    for part in EPILOG.strip().split("\n\n"):
        heading, *lines = part.split("\n")
        if lines:
            name, _, more = heading.rstrip(":").partition(" (")
            words = [f"({more}"] if more else []
            sections.append((name, unfilled([*words, *map(escaped, lines)])))
    return sections


def escaped(line: str) -> str:
    """Return a line as roff shows it."""
    return line.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")


def unfilled(lines: list[str]) -> str:
    """Return lines that are shown as they are."""
    return "\n".join([".nf", *lines, ".fi"])


def arranged(page: str) -> str:
    """Return the page with its options before its commands, and with usages that fit."""
    file = next(action for action in make_parser()._actions if action.dest == "file")
    page = re.sub(r"\n{2,}", "\n", page)
    page = page.replace(".SH\nPOSITIONAL ARGUMENTS\n", ".SH COMMANDS\n")
    page = page.replace(
        ".SH OPTIONS\n", f".SH OPTIONS\n.TP\n\\fIFILE.pp\\fR\n{escaped(str(file.help))}\n"
    )
    page = re.sub(r"^usage: (.*(?:\n  .*)*)", usage, page, flags=re.MULTILINE)
    page = re.sub(r"^It takes.*", wrapped, page, flags=re.MULTILINE)
    page = re.sub(r"^([a-z][a-zA-Z ]*):?(?=\n\.RS )", r".PP\n\1:", page, flags=re.MULTILINE)
    head, commands, options, rest = re.split(
        r"^(?=\.SH (?:COMMANDS|OPTIONS|EXAMPLES)$)", page, flags=re.MULTILINE
    )
    options = re.sub(r"^\.SH (?!OPTIONS$)(.*)", group_title, options, flags=re.MULTILINE)
    return head + options + commands + rest


def group_title(match: re.Match[str]) -> str:
    """Return the title of a group of options, as a section within the options."""
    return f".SS {match[1].capitalize()}".replace("ruby", "Ruby")


def usage(match: re.Match[str]) -> str:
    """Return a usage of several lines, whose words argparse keeps together."""
    words = " ".join(match[1].split())
    return unfilled(textwrap.wrap(words, 72, subsequent_indent="    ", break_on_hyphens=False))


def wrapped(match: re.Match[str]) -> str:
    """Return a sentence in lines of its own."""
    return ".PP\n" + "\n".join(textwrap.wrap(match[0], 72))


def main() -> None:
    """Write the page, with the date of today where it has changed."""
    if not FILE.exists() or undated(FILE.read_text(encoding="utf-8")) != undated(text()):
        FILE.write_text(text(datetime.date.today().isoformat()), encoding="utf-8")


def undated(page: str) -> str:
    """Return a page without its date, and with single blanks: versions of argparse differ."""
    return " ".join(_DATE.sub("", page).split())


if __name__ == "__main__":
    main()
