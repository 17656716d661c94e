"""What every front end is made from: a session with settings, a history and the user's files.

The terminal, its line mode, the kernel, the command line, ``batch`` and ``doctest`` differ in what
they read and how they show it. Everything else is here, so that a setting or an option means the
same in all of them.
"""

from __future__ import annotations

import os

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.log_levels import NOTE
from puppet_repl.base.recursion import NO_CONTEXT, NoContext
from puppet_repl.base.user_directories import user_directory
from puppet_repl.base.wording import why_unusable
from puppet_repl.language.runtime.options import hermetic_problem
from puppet_repl.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from puppet_repl.base.errors import PuppetError
    from puppet_repl.catalog.exports import ExportStore
    from puppet_repl.catalog.exports_file import ExportsFile
    from puppet_repl.frontends.commands.saving import SavedFile
    from puppet_repl.frontends.tour.guide import Tour
    from puppet_repl.host.history import History
    from puppet_repl.host.settings import Settings
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Options, Outcome, Shared
    from puppet_repl.session.debugging.debugger import Debugger
    from puppet_repl.session.debugging.stack import Stack

    Log = Callable[[str, str], None]

IN_COMMANDS = "compile --format json and lookup --explain show Puppet's messages"
"""How users of a command line see the warnings of failed interpolations, which are counted."""
_AT_PROMPT = ":set log_level info, then :reset shows Puppet's messages"

CONFIGURATION = "config.toml"
STARTUP = "startup.pp"
HISTORY = "history"


class Stopping:
    """A context in which what the session of a host runs may be stopped."""

    __slots__ = ("_host",)

    def __init__(self, host: Host) -> None:
        self._host = host

    def __enter__(self) -> None:
        self._host.begin_stopping()

    def __exit__(self, *_: object) -> None:
        self._host.end_stopping()


class Host:
    """One front end's session, settings and history.

    ``shared`` is what the session has in common with others of the process, ``exports`` what other
    nodes export. ``overrides`` are settings that the command line chose; they win over the
    configuration file. The file of the option ``puppetdb`` keeps exported resources;
    ExportsError is raised if it cannot be read.
    ``look`` is set by front ends that let users look at code that is stopped, from its thread: it
    returns when ``debugger`` is resumed, and what it raises ends the input.
    ``can_edit`` is set by front ends that can give an input back to be changed, ``can_rerun`` by
    those that can run inputs again, and ``is_rerunning`` while they do, ``has_screen`` by those
    with a screen and somebody before it, ``may_redirect`` by those that run nothing
    pasted before the user has seen it, so that commands may send their text to a file or a program,
    ``can_tour`` by those that show what the ``tour`` says about an entry (it is None until somebody
    asks for it), ``show_value`` by those that show a value in several ways: it returns them by MIME
    type. Those where one entry may be several inputs set ``typed``: it returns what ``entries``
    does. Without ``read_user_files`` nothing is read from the user's directories or written there,
    but for ``save_setting``. Front ends with keys of their own set ``keys``: it returns keys and
    what they do, by headings. Those that can put a text on the clipboard set ``copy``.
    ``saved_files`` are those of ``:save``, by their real paths.
    ``facts_from`` are the options that gave the facts of the session, with their values,
    ``options_from`` names the file of a repository and the profile that gave options, and
    ``of_profile`` has those of the profile, as a command line gives them.
    """

    def __init__(
        self,
        options: Options | None = None,
        *,
        facts: Mapping[str, object] | None = None,
        session: Session | None = None,
        shared: Shared | None = None,
        exports: ExportStore | None = None,
        overrides: Mapping[str, object] | None = None,
    ) -> None:
        if session is None:
            puppetdb = None if options is None or exports is not None else options.puppetdb
            file = _exports_file(puppetdb) if puppetdb is not None else None
            if file is not None:
                exports = file.store()
            session = Session(options, facts=facts, shared=shared, exports=exports)
            if file is not None:
                opened = session
                session.storeconfigs.changed = lambda store: _write_exports(opened, file, store)
        self.session = session
        session.on_break = self._stop_here
        session.earlier_inputs = self._earlier_inputs
        self.can_edit = False
        self.can_rerun = False
        self.can_tour = False
        self.tour: Tour | None = None
        self.is_rerunning = False
        self.has_screen = False
        self.may_redirect = False
        self.show_value: Callable[[Value], dict[str, str]] | None = None
        self.typed: Callable[[], list[tuple[int, str, int]]] | None = None
        self._entry = -1
        self.keys: Callable[[], list[tuple[str, list[tuple[str, str]]]]] | None = None
        self.copy: Callable[[str], None] | None = None
        self.saved_files: dict[str, SavedFile] = {}
        self.facts_from: list[tuple[str, str]] = []
        self.options_from: list[str] = []
        self.of_profile: Mapping[str, Any] = {}
        self.problems: list[str] = []
        self._overrides = overrides or {}
        self._settings: Settings | None = None
        self._history: History | None = None
        self._startup: str | None = None
        self.has_begun = False
        self.look: Callable[[], None] | None = None
        self._debugger: Debugger | None = None
        self._is_running = False

    @property
    def debugger(self) -> Debugger:
        """The debugger, for front ends that have set ``look``; made when it is first needed."""
        if self._debugger is None:
            from puppet_repl.session.debugging.debugger import Debugger

            assert self.look is not None
            self._debugger = Debugger(self.session, self.look)
            if self._is_running:
                self._debugger.join()
        return self._debugger

    @property
    def stopped_stack(self) -> Stack | None:
        """The frames of the code that is stopped, None while none is."""
        return None if self._debugger is None else self._debugger.stack

    def stopping(self) -> Stopping | NoContext:
        """Let breakpoints and ``debug::break()`` stop the code that runs in this context.

        It has no effect inside of another such context, or in a front end without ``look``.
        """
        if self.look is None or self._is_running:
            return NO_CONTEXT
        return Stopping(self)

    def begin_stopping(self) -> None:
        """Begin what ``stopping`` is for."""
        self._is_running = True
        try:
            if self._debugger is not None:
                self._debugger.start()
        except BaseException:
            self.end_stopping()
            raise

    def end_stopping(self) -> None:
        """End it, and tell which breakpoints were lost."""
        self._is_running = False
        if self._debugger is not None:
            self._debugger.end()
            self._tell_of_lost(self._debugger)

    def _tell_of_lost(self, debugger: Debugger) -> None:
        for placed in debugger.drop_lost():
            if self.session.log is not None:
                told = f"breakpoint {placed.number} at {placed.text} is deleted"
                self.session.log(NOTE, f"{told}: that input has another text now")

    def _earlier_inputs(self) -> Iterator[tuple[int, str]]:
        return self.history.newest_numbered()

    def _stop_here(self) -> bool:
        return self._is_running and self.debugger.stop_here()

    @property
    def surroundings(self) -> str:
        """The checkout of the working directory and the files that gave options; '' for none."""
        found = self.session.options.found
        return ", ".join([*([] if found is None else [found.text]), *self.options_from])

    @property
    def settings(self) -> Settings:
        """The settings in force; they begin as the options of the session."""
        if self._settings is None:
            from puppet_repl.host.settings import Settings

            self._settings = Settings()
            self._settings.take_from(self.session.options)
            self._settings.values.update(self._overrides)
            self._settings.chosen.update(self._overrides)
            self._settings.changed.append(self._setting_changed)
        return self._settings

    @property
    def history(self) -> History:
        """Earlier inputs; only inputs of this session if no user files were read."""
        if self._history is None:
            from puppet_repl.host.history import History

            self._history = History()
        return self._history

    def entries(self) -> list[tuple[int, str, int]]:
        """Return the inputs of the session, as the user has typed them.

        Each is its number, its text, and the number of its entry in the history, from 0 on, or -1
        for an input that was not typed.
        """
        if self.typed is not None:
            return self.typed()
        self._note_entry()
        return [
            (number, text, -1 if each.entry is None else each.entry)
            for number, text, each in self.session.inputs
        ]

    def remember(self, text: str) -> str:
        """Add a text to the history before it runs; return a new problem of the history, or ''."""
        self._note_entry()
        self.history.add(text)
        self._entry = self.history.added - 1
        return self.history.new_problem()

    def _note_entry(self) -> None:
        """Note at the inputs since the last entry that they come from it."""
        for _, _, outcome in reversed(self.session.inputs):
            if outcome.entry is not None:
                break
            outcome.entry = self._entry

    def read_user_files(self) -> None:
        """Take settings and history from the user's directories.

        ``problems`` then has a line for each error. Options of the command line stay.
        """
        from puppet_repl.host.history import History

        directory = config_directory()
        configuration = os.path.join(directory, CONFIGURATION)
        kept = {name: self.settings[name] for name in ("puppet_settings", "ruby")}
        self.problems += self.settings.load(configuration)
        if self.session.options.hermetic:
            for name in kept:
                problem = hermetic_problem({name: self.settings[name]})
                if problem is not None:
                    self.problems.append(f"{configuration}: {problem[1]}")
                    self.settings.values[name] = kept[name]
        self.settings.values.update(self._overrides)
        language = self.session.options.language
        self.settings.apply_to(self.session.options)
        if self.session.options.language != language:
            self.session.reset()  # its facts and its server are those of the other language
        self._startup = os.path.join(directory, STARTUP)
        self._history = History(os.path.join(data_directory(), HISTORY))

    def save_setting(self, name: str, *, restored: bool) -> tuple[str, bool]:
        """Keep the value of a setting in the user's configuration file.

        Return the path of that file, and whether it has changed. One that was ``restored`` to its
        default is removed from the file.

        Raises OSError and SettingError where that file cannot be changed.
        """
        path = os.path.join(config_directory(), CONFIGURATION)
        return path, self.settings.save(path, name, restored=restored)

    def open_prompt(self) -> None:
        """Let inputs refer to what later ones declare, unless the user has chosen otherwise.

        Hints name commands from now on. The frames of an error are kept for those who ask where
        it was.
        """
        self.session.options.spell("setting")
        self.session.keep_failures()
        if "references" not in self.settings.chosen:
            self.settings.put("references", "warn")

    def prompt_text(self) -> str:
        """Return the prompt of the next input, or of the code that is stopped."""
        stack = self.stopped_stack
        if stack is not None:
            return f"debug [{stack.selected + 1}]> "
        return str(self.settings["prompt"]).replace("{n}", str(self.session.count + 1))

    @property
    def starts_at_once(self) -> bool:
        """Whether ``start`` has nothing to run and nothing to tell."""
        if self.problems:
            return False
        if self.has_begun:
            return True
        has_startup = self._startup is not None and os.path.lexists(self._startup)
        return not self.session.options.runs_site and not has_startup

    def start(self) -> Iterator[str | PuppetError]:
        """Run the code before the first input; yield its failures, in order.

        First run the manifests of the environment, then the user's start-up file if user files are
        read. After a failure the rest and the first input run as usual. Nothing runs if a program
        ``has_begun`` the session.
        """
        yield from self.problems
        if self.has_begun:
            return
        self.session.keep_failed_catalog()
        problems = [*_problems_of(self.session.run_site, "the manifests of the environment")]
        yield from problems
        if any(not isinstance(each, str) for each in problems):
            yield advice_after_site(self.session)
        if self._startup is not None:
            yield from self._run_startup(self._startup)

    def _run_startup(self, path: str) -> Iterator[str | PuppetError]:
        try:
            text = read_text(path)
        except FileNotFoundError:
            return
        except (OSError, UnicodeDecodeError) as error:
            yield f"cannot read {path}: {why_unusable(error)}"
            return
        self.session.prelude = (text, path)
        yield from _problems_of(self.session.run_prelude, path)

    def show_logs(self, write: Log, *, every_level: bool = False) -> None:
        """Pass each log message to ``write`` as it is logged.

        Unless ``every_level`` is set, messages below the setting ``log_level`` are left out.
        Failed interpolations of hiera.yaml are counted in one message for each input, unless
        ``log_level`` is lower than usual.
        """
        if every_level:
            self.session.log = write
            self.session.count_failed_interpolations(IN_COMMANDS)
            return

        def log(level: str, message: str) -> None:
            if self.settings.shows(level):
                write(level, message)

        self.session.log = log
        self._count_failed()

    def _count_failed(self) -> None:
        is_wanted = self.settings.shows("info")
        self.session.count_failed_interpolations(None if is_wanted else _AT_PROMPT)

    def _setting_changed(self, name: str) -> None:
        self.settings.apply_to(self.session.options)
        if name == "log_level":
            self._count_failed()


def advice_after_site(session: Session) -> str:
    """Return what to do after the manifests of the environment have failed."""
    advice = "the site manifests have declared nothing; :reset runs them again once this is fixed"
    looks = session.look_at_failed(lambda: True)
    return f"{advice}; :resources --failed lists the resources declared before" if looks else advice


def _problems_of(run: Callable[[], Outcome | None], name: str) -> Iterator[str | PuppetError]:
    """Run code before the first input; yield its failure or its interruption."""
    try:
        outcome = run()
    except KeyboardInterrupt:
        yield f"{name}: interrupted"
        return
    except Exception as error:
        from puppet_repl.base.defect import print_traceback
        from puppet_repl.base.stops import stop_message

        print_traceback(error)
        yield f"{name}: {stop_message(error)}"
        return
    if outcome is not None and outcome.error is not None:
        yield outcome.error


def _exports_file(path: str) -> ExportsFile | None:
    """Return the file that keeps exported resources; None for the address of a server."""
    from puppet_repl.catalog.exports_file import ExportsFile
    from puppet_repl.language.runtime.puppetdb_address import is_address

    return None if is_address(path) else ExportsFile(path)


def _write_exports(session: Session, file: ExportsFile, store: ExportStore) -> None:
    from puppet_repl.catalog.exports_file import ExportsError

    try:
        file.write(store)
    except ExportsError as error:
        session.warn(str(error))


def config_directory() -> str:
    """Return the directory of this user's settings and start-up file."""
    return user_directory("config")


def data_directory() -> str:
    """Return the directory of this user's history."""
    return user_directory("data")
