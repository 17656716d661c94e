"""What a client shows of work that takes long: how many files have been looked at."""

from __future__ import annotations

from itertools import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.frontends.language_server.wire import Message

# Work with fewer files is done before anybody could read about it.
_FILES = 100
_NUMBERS = count(1)


class Progress:
    """The progress of one piece of work, which a client shows once it has taken many files.

    ``token`` is the client's name for it, None for work that nobody has asked for: then ``create``
    asks the client for a place to show it, and calls its argument when there is one.
    """

    def __init__(
        self,
        title: str,
        send: Callable[[Message], None],
        token: object = None,
        create: Callable[[str, Callable[[], None]], None] | None = None,
    ) -> None:
        self._title = title
        self._send = send
        self._token = token
        self._create = create
        self._files = 0
        self._is_shown = self._is_over = False

    def step(self) -> None:
        """Note that a file has been looked at; nothing after the end of the work."""
        if self._is_over:
            return
        self._files += 1
        if self._files % _FILES:
            return
        if self._is_shown:
            self._tell({"kind": "report", "message": self._count})
        elif self._token is not None:
            self._begin()
        elif self._create is not None:
            create, self._create = self._create, None
            # A client that is asked again for the same token may refuse it.
            token = f"puppet-repl {self._title} {next(_NUMBERS)}"

            def created() -> None:
                self._token = token
                self._begin()

            create(token, created)

    def _begin(self) -> None:
        if not self._is_over:
            self._is_shown = True
            self._tell({"kind": "begin", "title": self._title, "message": self._count})

    def end(self) -> None:
        """Note that the work is done."""
        self._is_over = True
        if self._is_shown:
            self._tell({"kind": "end", "message": self._count})

    @property
    def _count(self) -> str:
        return f"{self._files} files"

    def _tell(self, value: dict[str, Any]) -> None:
        given = {"token": self._token, "value": value}
        self._send({"jsonrpc": "2.0", "method": "$/progress", "params": given})
