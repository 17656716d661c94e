"""Places of breakpoints, as users write them: names of definitions, lines of files and inputs."""

from __future__ import annotations

import os
import re
from pathlib import Path

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_reading import read_text
from puppet_repl.base.wording import why_unusable
from puppet_repl.language.syntax.source import Source
from puppet_repl.session.debugging.breakpoints import NO_CODE
from puppet_repl.session.debugging.statements import statement_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from puppet_repl.session import Session

# Directories of modules, and of the environment itself, with code that can be stopped in.
CODE_DIRECTORIES = ("manifests", "functions")
SUFFIX = ".pp"
# The first word in the names of frames.
ENTERED = ("function", "class", "define")
_LINE = re.compile(r"[0-9]{1,9}")
_AT_LINE = re.compile(r"(?P<where>.+):(?P<line>[0-9]{1,9})")
_INPUT = re.compile(r"In\[(?P<bracketed>[0-9]{1,9})\]|(?P<bare>[0-9]{1,9})")
_NAME = re.compile(r"(?:::)?[a-z]\w*(?:::[a-z]\w*)*")


class PlaceError(Exception):
    """A place where code cannot be stopped; the message says why."""


def is_name(text: str) -> bool:
    """Tell whether a text can be the name of a function, class or defined type."""
    return _NAME.fullmatch(text) is not None


class NamePlace:
    """The beginning of a function, class or defined type, which need not be loaded yet."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.entries = tuple(f"{kind} {name}" for kind in ENTERED)


class LinePlace:
    """A line of a text; ``shown`` is how the text is called, ``line`` where it stops.

    ``path`` is the one that ``path_of`` returns. ``number`` is that of an input of the session.
    """

    def __init__(self, path: str, shown: str, line: int, number: int | None = None) -> None:
        self.path = path
        self.shown = shown
        self.line = line
        self.number = number


def path_of(source: Source) -> str:
    """Return a key that identifies a text: the real path of its file.

    The key of a typed text is its name with the text, because a number may get another text after
    the input has failed or was undone.
    """
    name = source.name or ""
    if not name or name.startswith(("<", "In[")):
        return f"{name}\n{source.text}"
    return os.path.realpath(name)


def read_place(
    session: Session, text: str, running: Sequence[Source] = ()
) -> NamePlace | LinePlace:
    """Return the place that a text names. Raises PlaceError.

    It is ``NAME``, ``FILE:LINE``, ``In[3]:2``, ``3:2``, or a line of the first of the texts that
    are ``running``, which the session need not have otherwise.
    """
    at_line = _AT_LINE.fullmatch(text)
    if at_line is None and _LINE.fullmatch(text) and running:
        return _in_running(running[0], int(text))
    if at_line is not None:
        return _at(session, at_line["where"], int(at_line["line"]), running)
    if not is_name(text):
        raise PlaceError(f"'{text}' is neither a name nor FILE:LINE")
    return NamePlace(text.removeprefix("::"))


def _in_running(source: Source, line: int) -> LinePlace:
    shown = source.name or "input"
    found = _INPUT.fullmatch(shown)
    bracketed = None if found is None else found["bracketed"]
    number = None if bracketed is None else int(bracketed)
    return LinePlace(path_of(source), shown, _stop_in(source.text, shown, line), number)


def _at(session: Session, where: str, line: int, running: Sequence[Source]) -> LinePlace:
    found = _INPUT.fullmatch(where)
    if found is not None:
        number = int(found["bracketed"] or found["bare"])
        shown = f"In[{number}]"
        sources = [source for source in running if source.name == shown]
        sources += input_sources(session, number)
        if not sources:
            raise PlaceError(f"there is no input {shown}")
        stop = _stop_in(sources[0].text, shown, line)
        return LinePlace(path_of(sources[0]), shown, stop, number)
    path = _file_named(session, where)
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise PlaceError(f"cannot read {where}: {why_unusable(error)}") from None
    return LinePlace(path, where, _stop_in(text, where, line))


def input_sources(session: Session, number: int) -> list[Source]:
    """Return the texts of the inputs of a number; in a notebook a cell may have several."""
    return [Source(code, done.name) for each, code, done in session.inputs if each == number]


def _stop_in(text: str, shown: str, line: int) -> int:
    """Return the line to stop at. Raises PlaceError."""
    try:
        stop = statement_lines(text).stop_for(line)
    except PuppetError as error:
        raise PlaceError(str(error)) from None
    if stop is None:
        raise PlaceError(f"{NO_CODE} in {shown}")
    return stop


def _file_named(session: Session, name: str) -> str:
    """Return the real path of a file, or of one of a module: ``ntp/manifests/init.pp``."""
    given = os.path.expanduser(name)
    reach = session.reach
    if os.path.isfile(given) and (reach is None or reach.allows_typed(name)):
        return os.path.realpath(given)
    ending = f"/{name}"
    found = [path for shown, path in code_files(session) if f"/{shown}".endswith(ending)]
    if not found:
        raise PlaceError(f"there is no file {name}, and none of that name in the modules")
    if len(found) > 1:
        raise PlaceError(f"{name} may be {found[0]} or {found[1]}")
    return os.path.realpath(found[0])


def code_files(session: Session) -> Iterator[tuple[str, str]]:
    """Yield name and path of each file of code that a session could load, by module."""
    environment = session.environment
    if environment is None:
        return
    if environment.directory is not None:
        for path in _files_below(session, environment.directory):
            yield os.path.relpath(path, environment.directory), path
    for module in sorted(environment.modules.values(), key=lambda module: module.name):
        for path in _files_below(session, module.path):
            yield f"{module.name}/{os.path.relpath(path, module.path)}", path


def _files_below(session: Session, root: str) -> Iterator[str]:
    reach = session.reach
    for directory in CODE_DIRECTORIES:
        for path in sorted(Path(root, directory).rglob(f"*{SUFFIX}")):
            if reach is None or reach.allows(str(path)):
                yield str(path)
