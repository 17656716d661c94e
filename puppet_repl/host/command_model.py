"""The model of a command, and the arguments of its call."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal, TypeAlias

    from puppet_repl.host.host import Host
    from puppet_repl.session import Session
    from puppet_repl.tools.reports.parts import Report

    ArgumentKind: TypeAlias = Literal[
        "catalog",
        "data key",
        "directory",
        "earlier input",
        "expression",
        "extension",
        "fact",
        "file",
        "graph part",
        "machine",
        "name",
        "node",
        "place",
        "resource",
        "setting",
        "user-defined",
        "value",
        "variable",
    ]
    Argument: TypeAlias = ArgumentKind | tuple[str, ...]
    WhenStopped: TypeAlias = Literal["waits", "looks", "resumes", "steps"]


@dataclass(slots=True, eq=False)
class Command:
    """One command.

    ``arguments`` is its usage as ``:help`` shows it. ``completes`` has the kind of completion of
    each argument; the last item is also for all further ones; a tuple holds words. ``run`` names
    the function that runs it, as ``module.function`` of the package ``frontends.commands``: the
    prompt reads the table when it opens, and must not load these modules. ``can_force`` is whether
    ``:name!`` skips the precautions of ``:name``. ``when_stopped`` is its effect while code is
    stopped: it "waits" for the end of that code, "looks" at values, with an expression in the
    selected frame, "resumes" the code, or "steps", which an empty line repeats.
    """

    group: str
    name: str
    arguments: str
    summary: str
    completes: tuple[Argument, ...] = ()
    _: KW_ONLY
    run: str
    aliases: tuple[str, ...] = ()
    details: str = ""
    examples: tuple[str, ...] = ()
    can_force: bool = False
    when_stopped: WhenStopped = "waits"

    @property
    def usage(self) -> str:
        """``:name ARGUMENTS``."""
        force = "[!]" if self.can_force else ""
        return f":{self.name}{force} {self.arguments}".rstrip()

    @property
    def takes_code(self) -> bool:
        """Whether the last argument is Puppet code, which may span several lines."""
        return "expression" in self.completes

    def code_at(self, argument: str) -> int:
        """Return where the code of an argument starts: after a word for its form, if one is there.

        Such words are the first item of ``completes``.
        """
        first = self.completes[0]
        word, blank, rest = argument.partition(" ")
        if not isinstance(first, tuple) or word not in first:
            return 0
        return len(word) + len(blank) + len(rest) - len(rest.lstrip())


@dataclass(slots=True, eq=False)
class Call:
    """One use of a command: ``argument`` is everything after its name.

    ``forced`` is whether the name has an exclamation mark, as in ``:save! FILE``.
    """

    command: Command
    argument: str
    session: Session
    host: Host
    _: KW_ONLY
    forced: bool = False

    @property
    def words(self) -> list[str]:
        """The argument split at whitespace."""
        return self.argument.split()


if TYPE_CHECKING:
    Runner: TypeAlias = Callable[[Call], Report]
