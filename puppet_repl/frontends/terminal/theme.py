"""Colours: the roles of rendering.fragments, and the parts of the screen.

The theme 'puppet' uses the sixteen colours of the terminal, and darker ones on a background that is
known to be light; every style of Pygments is a theme too.
"""

from __future__ import annotations

from collections.abc import Mapping

from prompt_toolkit.styles import BaseStyle, Style, merge_styles

from puppet_repl.frontends.terminal.palette import make_palette

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontends.terminal.background import Background
    from puppet_repl.host.settings import Settings

BASE = {
    "string": "ansigreen",
    "number": "ansicyan",
    "keyword": "ansimagenta",
    "type": "ansiyellow",
    "regex": "ansired",
    "variable": "ansicyan",
    "function": "ansiblue",
    "attribute": "",
    "operator": "",
    "punctuation": "",
    "comment": "ansibrightblack italic",
    "bad": "ansired",
    "ok": "ansigreen",
}
# These styles, which are not for code, are the same in every theme.
SCREEN = {
    "dim": "ansibrightblack",
    "heading": "bold",
    "error": "ansired bold",
    "caret": "ansired",
    "warning": "ansiyellow",
    "notice": "ansicyan",
    "info": "ansigreen",
    "debug": "ansibrightblack",
    "hint": "ansicyan",
    "prompt": "ansiblue bold",
    "prompt.more": "ansibrightblack",
    "suggestion": "ansibrightblack",
    "syntax-error": "underline",
    "aborting": "ansibrightblack",
    "matching-bracket.cursor": "bold underline",
    "matching-bracket.other": "bold underline",
    "toolbar": "ansibrightblack noreverse",
    "toolbar.key": "bold",
    "signature": "ansibrightblack noreverse",
    "signature.current": "bold noreverse nodim",
    "documentation": "noreverse",
    "panel": "noreverse",
    "panel.title": "bold",
    "panel.selected": "reverse",
    "panel.matched": "bold underline",
    "completion-menu": "bg:ansibrightblack fg:ansiwhite",
    "completion-menu.completion": "bg:ansibrightblack fg:ansiwhite",
    "completion-menu.completion.current": "noreverse bg:ansiblue fg:ansiwhite bold",
    "completion-menu.meta.completion": "bg:ansibrightblack fg:ansigray",
    "completion-menu.meta.completion.current": "noreverse bg:ansiblue fg:ansiwhite",
    "mark.function": "ansibrightcyan",
    "mark.type": "ansibrightyellow",
    "mark.resource-type": "ansibrightgreen",
    "mark.class": "ansibrightmagenta",
    "completion-menu.meta.completion.current mark": "ansiwhite",
    "scrollbar.background": "bg:ansibrightblack",
    "scrollbar.button": "bg:ansiwhite",
}
# Of the 256 colours of terminals, those that white shows with a contrast of 4.5 at least.
LIGHT = {
    "ansigreen": "#008700",
    "ansicyan": "#005f87",
    "ansiyellow": "#875f00",
    "ansired": "#af0000",
    "ansimagenta": "#8700af",
    "ansiblue": "#005faf",
    "ansibrightblack": "#6c6c6c",
}
# A role, and the type of Pygments tokens whose style shows it.
_TOKENS = {
    "string": "Literal.String",
    "number": "Literal.Number",
    "keyword": "Keyword",
    "type": "Keyword.Type",
    "regex": "Literal.String.Regex",
    "variable": "Name.Variable",
    "function": "Name.Function",
    "attribute": "Name.Attribute",
    "operator": "Operator",
    "punctuation": "Punctuation",
    "comment": "Comment",
    "bad": "Error",
}


def make_style(theme: str, *, light: bool = False) -> BaseStyle:
    """Return the style of a theme for a background; an unknown one looks like 'puppet'."""
    roles, screen = dict(BASE), SCREEN
    if light:
        roles = {name: _on_light(style) for name, style in roles.items()}
        screen = {name: _on_light(style) for name, style in SCREEN.items()}
    if theme != "puppet":
        roles.update(_pygments_roles(theme))
    return merge_styles([Style.from_dict(roles), Style.from_dict(screen)])


def _on_light(style: str) -> str:
    """Return a style with text of darker colours; grounds of its own stay as they are."""
    return style if "bg:" in style else " ".join(LIGHT.get(word, word) for word in style.split())


def _pygments_roles(theme: str) -> dict[str, str]:
    from pygments.styles import get_style_by_name
    from pygments.token import string_to_tokentype
    from pygments.util import ClassNotFound

    try:
        style = get_style_by_name(theme)
    except ClassNotFound:
        return {}
    roles = {}
    for role, name in _TOKENS.items():
        found = style.style_for_token(string_to_tokentype(name))
        parts = [f"#{found['color']}"] if found["color"] else []
        parts += [word for word in ("bold", "italic", "underline") if found[word]]
        roles[role] = " ".join(parts)
    return roles


class Colors:
    """The colours of one terminal, by its settings ``theme`` and ``background``."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._style: tuple[tuple[str, bool], BaseStyle] | None = None
        self.background: Background | None = None

    def is_light(self) -> bool:
        """Tell whether the background is light, as was chosen, or as far as it is known."""
        chosen = self._settings["background"]
        if chosen == "auto":
            return self.background is not None and bool(self.background.is_light)
        return bool(chosen == "light")

    def ask(self) -> None:
        """Ask the terminal for its background, unless it was chosen."""
        if self._settings["background"] == "auto" and self.background is not None:
            self.background.ask()

    def style(self) -> BaseStyle:
        """Return the style for prompt_toolkit."""
        wanted = (str(self._settings["theme"]), self.is_light())
        if self._style is None or self._style[0] != wanted:
            self._style = (wanted, make_style(wanted[0], light=wanted[1]))
        return self._style[1]

    def palette(self) -> Mapping[str, str]:
        """Return the colours for text that prompt_toolkit does not draw."""
        return make_palette(light=self.is_light())
