"""The opening of the full-screen prompt: the banner, and a first prompt that is there at once.

What reads keys, prompt_toolkit on asyncio, takes most of the time of the start to import. The first
prompt is written before that, as text; the terminal keeps the keys meanwhile, and the real one is
drawn over it.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager

from puppet_repl.base.safe_text import is_visible, visible
from puppet_repl.base.version import __version__
from puppet_repl.frontends.terminal.palette import light_by_environment, make_palette
from puppet_repl.frontends.terminal.typing_ahead import TypingAhead
from puppet_repl.tools.rendering.fragments import ansi, joined
from puppet_repl.tools.rendering.width import display_width
from puppet_repl.tools.rendering.wrapping import wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.host.host import Host
    from puppet_repl.tools.rendering.fragments import Fragment

SHORT_HELP = ":help explains, Ctrl-D leaves."
HELP = f":tour shows around, {SHORT_HELP}"
# Columns that a banner has at least, and those of a terminal that does not tell.
_LEAST = 20
_USUAL = 80
# Bracketed paste: line ends in pasted text are not the user's Enter.
_PASTES_APART = "\x1b[?2004h"
_PASTES_AS_KEYS = "\x1b[?2004l"
_ERASE_LINE = "\r\x1b[K"


def open_terminal(host: Host, *, color: bool) -> int:
    """Open the prompt and stay until the user leaves; return the exit status."""
    typing = TypingAhead(sys.stdin, sys.stdout)
    with typing.kept():
        with _first_prompt(host, typing, color=color) as is_there:
            from puppet_repl.frontends.terminal.quick_asyncio import import_asyncio

            import_asyncio()
            from puppet_repl.frontends.terminal.app import Terminal

            terminal = Terminal(host, color=color, typing=typing)
        if is_there:
            terminal.draw_over_prompt()
        else:
            terminal.screen.print([*_banner(host, terminal.width), ("", "\n")])
            terminal.begin()
        return terminal.run()


@contextmanager
def _first_prompt(host: Host, typing: TypingAhead, *, color: bool) -> Iterator[bool]:
    """While the block runs, show banner and prompt; yield whether they can be shown.

    They cannot where the terminal keeps no keys, where something may have to be said before the
    first input, and where the prompt takes more than one row or is not shown as it is.
    """
    prompt = host.prompt_text()
    columns = _columns()
    is_simple = is_visible(prompt) and display_width(prompt) < columns
    if not (is_simple and typing.is_kept and host.starts_at_once):
        yield False
        return
    banner = _banner(host, max(columns, _LEAST))
    text = ansi([*banner, ("", "\n"), ("prompt", prompt)], _palette(host, color=color))
    with typing.all_keys_kept():
        _write(text + _PASTES_APART)
        try:
            yield True
        except BaseException:
            _write(_ERASE_LINE + _PASTES_AS_KEYS)
            raise


def banner_text(host: Host) -> str:
    """Return the line above the first prompt, which names the version and ``:help``."""
    text = f"puppet-repl {__version__}, {host.session.options.profile.title}"
    around = host.surroundings
    return text + (f", {visible(around)}. {SHORT_HELP}" if around else f". {HELP}")


def _banner(host: Host, width: int) -> list[Fragment]:
    return joined(wrapped([("dim", banner_text(host))], width))


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or _USUAL
    except OSError:
        return _USUAL


def _palette(host: Host, *, color: bool) -> dict[str, str]:
    """Return the SGR parameters of banner and prompt, which are those of the theme."""
    if not color or os.environ.get("NO_COLOR") or "PROMPT_TOOLKIT_COLOR_DEPTH" in os.environ:
        return {"prompt": "1"}
    background = host.settings["background"]
    if background == "auto":
        light = bool(light_by_environment(os.environ.get("COLORFGBG")))
    else:
        light = background == "light"
    light = light and os.environ.get("TERM") != "linux"  # which has sixteen colours
    palette = make_palette(light=light)
    return {"prompt": palette["prompt"], "dim": palette["dim"] if light else "90"}


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
