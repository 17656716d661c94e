"""Colours: the roles of render.fragments, and the parts of the screen.

The theme 'puppet' uses the sixteen colours of the terminal, so that it fits any background; every
style of Pygments is a theme too.
"""

from __future__ import annotations

from prompt_toolkit.styles import BaseStyle, Style, merge_styles

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
# What is not code looks the same in every theme.
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
    "scrollbar.background": "bg:ansibrightblack",
    "scrollbar.button": "bg:ansiwhite",
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


def make_style(theme: str) -> BaseStyle:
    """Return the style of a theme; an unknown one looks like 'puppet'."""
    roles = dict(BASE)
    if theme != "puppet":
        roles.update(_pygments_roles(theme))
    return merge_styles([Style.from_dict(roles), Style.from_dict(SCREEN)])


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
