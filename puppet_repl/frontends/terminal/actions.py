"""What a command asks of the terminal: to leave, edit, run inputs, watch, start a program."""

from __future__ import annotations

from puppet_repl.base.safe_text import visible
from puppet_repl.frontends.shared.watch_display import show_watched
from puppet_repl.frontends.terminal.programs import EditorError, edit_text, give_to_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontends.commands.watch import Watch
    from puppet_repl.frontends.terminal.app import Terminal
    from puppet_repl.tools.rendering.fragments import Fragment
    from puppet_repl.tools.reports.parts import Action


def act(terminal: Terminal, action: Action) -> bool:
    """Do what a command asks for; return whether to stay."""
    if action.kind == "quit":
        return False
    if action.kind == "edit":
        _edit(terminal, action.text)
    elif action.kind == "run":
        return _run_again(terminal, action.texts)
    elif action.kind == "pipe":
        _pipe(terminal, action)
    elif action.watch is not None:
        _watch(terminal, action.watch)
    return True


def _edit(terminal: Terminal, text: str) -> None:
    """Open an editor on a text; show and run the edited text."""
    try:
        with terminal.typing.usual():
            edited = edit_text(text)
    except EditorError as error:
        terminal.screen.print([("error", "Error: "), ("", f"{visible(str(error))}\n")])
        return
    if edited is None:
        terminal.screen.print([("error", "Error: "), ("", "the editor could not be run\n")])
    elif edited.strip():
        terminal.screen.print([("dim", edited.rstrip("\n") + "\n")])
        terminal.handle(edited.rstrip("\n"))


def _run_again(terminal: Terminal, texts: tuple[str, ...]) -> bool:
    """Show and run entries up to one that fails; return whether to stay."""
    terminal.host.is_rerunning = True
    try:
        for text in texts:
            terminal.screen.print([("dim", text.strip("\n") + "\n")])
            if not terminal.handle(text):
                return False
            if terminal.has_failed:
                break
        return True
    finally:
        terminal.host.is_rerunning = False


def _pipe(terminal: Terminal, action: Action) -> None:
    """Give the text of a command to a program, which has the terminal meanwhile."""
    terminal.screen.flush()
    with terminal.typing.usual():
        failure = give_to_program("".join(action.texts), action.text)
    terminal.has_failed = failure is not None
    if failure:
        terminal.screen.print([("error", "Error: "), ("", f"{visible(failure)}\n")])


def _watch(terminal: Terminal, watch: Watch) -> None:
    """Run something again and again, until Ctrl-C."""
    screen = terminal.screen

    def show(fragments: list[Fragment]) -> None:
        screen.print([*fragments, ("", "\n")])
        screen.flush()

    show_watched(terminal.host, watch, show, lambda: terminal.width)
