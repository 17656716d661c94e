"""What a command is called with."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from puppet_repl.commands.registry import Command
    from puppet_repl.commands.results import Report
    from puppet_repl.frontend.host import Host
    from puppet_repl.session import Session


class Call:
    """One use of a command: ``argument`` is everything behind its name.

    ``forced`` is whether the name has an exclamation mark, as in ``:save! FILE``.
    """

    __slots__ = ("argument", "command", "forced", "host", "session")

    def __init__(
        self,
        command: Command,
        argument: str,
        session: Session,
        host: Host,
        *,
        forced: bool = False,
    ) -> None:
        self.command = command
        self.forced = forced
        self.argument = argument
        self.session = session
        self.host = host

    @property
    def words(self) -> list[str]:
        """The argument split at whitespace."""
        return self.argument.split()


if TYPE_CHECKING:
    Runner: TypeAlias = Callable[[Call], Report]
