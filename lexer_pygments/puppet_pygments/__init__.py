"""Pygments lexers for Puppet: manifests, EPP templates and REPL transcripts.

Importing this package imports no lexer; each one is loaded when it is first asked for.
"""

from __future__ import annotations

__all__ = ["EppLexer", "HtmlEppLexer", "PuppetConsoleLexer", "PuppetLexer", "install"]

_MODULES = {
    "EppLexer": "epp",
    "HtmlEppLexer": "epp",
    "PuppetConsoleLexer": "console",
    "PuppetLexer": "lexer",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def install() -> None:
    """Let these lexers answer for the alias ``puppet`` and for ``*.pp`` in this process.

    Pygments asks its own lexers before those of other packages, so without this
    ``get_lexer_by_name("puppet")`` gives the lexer that Pygments brings. Call this only in a
    program of your own; a library has no business changing what its users get.
    """
    from pygments import lexers

    from puppet_pygments.lexer import PuppetLexer

    lexers.LEXERS["PuppetLexer"] = (
        PuppetLexer.__module__,
        PuppetLexer.name,
        tuple(PuppetLexer.aliases),
        tuple(PuppetLexer.filenames),
        tuple(PuppetLexer.mimetypes),
    )
    lexers._lexer_cache.pop(PuppetLexer.name, None)
