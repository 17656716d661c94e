"""The prompt of code that is stopped: the same editor, within the input that runs."""

from __future__ import annotations

from puppet_repl.base.errors import InputEnded
from puppet_repl.frontends.shared.stopped_code import answer, entered, render_stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontends.terminal.app import Terminal


def look(terminal: Terminal) -> None:
    """Read and answer lines until the code is resumed.

    Ctrl-C drops the typed text. Raises InputEnded if the user ends the input.
    """
    host, screen = terminal.host, terminal.screen
    screen.show(render_stop(host, terminal.width))
    while not host.debugger.is_resumed:
        try:
            text = terminal.read()
        except KeyboardInterrupt:
            continue
        except EOFError:
            raise InputEnded from None
        text = entered(host, text)
        if text:
            _answer(terminal, text)


def _answer(terminal: Terminal, text: str) -> None:
    terminal.screen.before_output()
    failed = True
    try:
        answered = answer(terminal.host, text, terminal.width)
        failed = answered.failed
        terminal.screen.show(answered.fragments)
        if not terminal.host.debugger.is_resumed:
            terminal.history.add(text)
    except Exception as error:
        terminal.report_stop(error)
    finally:
        terminal.screen.after_output(failed=failed)
