"""``:watch``: a file or code that is run again whenever a file that it uses changes."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.log_levels import NOTE
from puppet_repl.base.stamp import stamp_of
from puppet_repl.base.wording import why_unusable
from puppet_repl.catalog.difference import compare
from puppet_repl.catalog.difference_choice import Choice
from puppet_repl.frontends.commands import debugging
from puppet_repl.frontends.commands.files import file_names, path_of
from puppet_repl.frontends.commands.reach import check_path
from puppet_repl.host.catalogs import content_now
from puppet_repl.tools.reports.parts import Action, CommandError, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.stamp import Stamp
    from puppet_repl.catalog.content import CatalogContent
    from puppet_repl.catalog.difference import Difference
    from puppet_repl.environment.modules.environment import Environment
    from puppet_repl.host.command_model import Call
    from puppet_repl.session import Session
    from puppet_repl.session.outcome import Outcome

# Seconds between two looks at the files, and how long one may be away while it is replaced.
INTERVAL = 0.3
_REPLACED = 1.0
# What the code is called in messages.
LABEL = "watched"
LAST_RUN = "the last run"
THIS_RUN = "this run"


def watch(call: Call) -> Report:
    """``:watch FILE|EXPR``; ``:display`` while code is stopped."""
    if call.host.stopped_stack is not None:
        return debugging.display(call)
    text = call.argument.strip()
    if not text:
        raise CommandError("what?", "for example :watch site.pp or :watch include ntp")
    if not call.host.has_screen:
        raise CommandError("there is no screen to watch on", "a prompt in a terminal has one")
    return Report(action=Action("watch", watch=Watch(call.session, text)))


class Watch:
    """A file or code, and the files that it used when it was run last.

    Each run finds the session as it was at the beginning, and evaluates all classes that it
    includes. Raises CommandError for a file that cannot be read.
    """

    def __init__(self, session: Session, text: str) -> None:
        self._session = session
        self._path = _file_of(session, text)
        self._code = text if self._path is None else _read(self._path)
        self.name = text
        self._used: dict[str, Stamp | None] = {}
        # The catalog of the last run that succeeded.
        self._content: CatalogContent | None = None

    @property
    def label(self) -> str:
        """What errors call it."""
        return LABEL if self._path is None else self._path

    @property
    def count(self) -> int:
        """How many files are watched that are there."""
        return sum(os.path.isfile(path) for path in self._used)

    @property
    def can_change(self) -> bool:
        """Whether there is anything to wait for."""
        return bool(self._used)

    @contextmanager
    def running(self) -> Iterator[tuple[Outcome, float]]:
        """Run the code; the block gets the outcome, which belongs to the session, and the seconds.

        The session is rolled back after the block.
        """
        earlier = {path: stamp_of(path) for path in self._used}
        self._used = {}
        if self._path is not None:
            self._used[self._path] = stamp_of(self._path)
            self._code = _read(self._path)
        session = self._session
        environment = session.environment
        directories = () if environment is None else environment.modulepath
        before = {path: stamp_of(path) for path in directories}
        # What a run that fails has found changed is taken for unchanged again afterwards.
        loaded = () if environment is None else environment.autoloader.loaded
        known = {path: stamp_of(path) for path in loaded}
        with session.temporarily():
            start = time.perf_counter()
            with _evaluating_again(session), _without_notes(session):
                outcome = session.execute(self._code, self._path, record=False)
            seconds = time.perf_counter() - start
            if environment is not None:
                self._used |= used_files(environment, known)
            if outcome.error is not None:  # a module may be missing, and not all files were used
                self._used = earlier | before | self._used
            yield outcome, seconds

    def difference(self) -> Difference | None:
        """Return how the catalog differs from that of the last run that succeeded, if there is one.

        To be called after each run that succeeds, before the session is rolled back.
        """
        before, self._content = self._content, content_now(self._session)
        if before is None:
            return None
        return compare(before, self._content, Choice(), from_name=LAST_RUN, to_name=THIS_RUN)

    def wait(self) -> list[str]:
        """Return the paths that have changed since it was run, as soon as there are any."""
        while True:
            time.sleep(INTERVAL)
            changed = [path for path, stamp in self._used.items() if stamp_of(path) != stamp]
            if changed:
                self._wait_for(changed)
                return sorted(changed)

    def _wait_for(self, paths: list[str]) -> None:
        """Wait a moment for files that are gone: editors replace them."""
        end = time.monotonic() + _REPLACED
        while any(stamp_of(path) is None for path in paths) and time.monotonic() < end:
            time.sleep(INTERVAL / 10)


@contextmanager
def _evaluating_again(session: Session) -> Iterator[None]:
    """Let inputs evaluate classes again that are in the catalog."""
    classes = session.catalog.classes
    classes.evaluates_again = True
    try:
        yield
    finally:
        classes.evaluates_again = False


@contextmanager
def _without_notes(session: Session) -> Iterator[None]:
    """Keep the session's own notes from the log, such as those on files that have changed."""
    log = session.log
    if log is not None:
        session.log = lambda level, text: None if level == NOTE else log(level, text)
    try:
        yield
    finally:
        session.log = log


def _file_of(session: Session, text: str) -> str | None:
    """Return the path of a file, None for code."""
    names = file_names(text)
    if len(names) != 1:
        return None
    if not names[0].endswith(".pp") and "/" not in names[0] and not os.path.isfile(names[0]):
        return None
    check_path(session, names[0])
    path = os.fspath(path_of(names[0]))
    return path if os.path.isfile(path) or path.endswith(".pp") else None


def _read(path: str) -> str:
    try:
        return read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"cannot read {path}: {why_unusable(error)}", "") from error


def used_files(environment: Environment, known: dict[str, Stamp | None]) -> dict[str, Stamp | None]:
    """Return the files of code, templates and data by path, as the input has found them first.

    Those that were not there are None. An input that failed counts as well. Files of Ruby are
    those that Ruby has loaded so far. ``known`` are the files that were loaded before it, as they
    were then.
    """
    autoloader = environment.autoloader
    files = {path: entry.stamp for path, entry in autoloader.loaded.items()} | known
    files |= autoloader.asked
    files |= environment.data_files()
    context = environment.context
    if context.has_ruby:
        files |= context.ruby.files
    return files
