"""Pygments lexers for Puppet: manifests, EPP templates, transcripts and cells of notebooks.

Importing this package imports no lexer; each one is imported at its first use. Whether a slash
divides is decided as in Puppet, by the token before it. The rule for the header of a heredoc ends
at the line end; its text is lexed line by line, with a stack of its own. Everything that crosses
the end of a line is in the state, so a terminal can lex one line at a time and keep the results.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_pygments.cell import PuppetCellLexer
    from puppet_pygments.console import PuppetConsoleLexer
    from puppet_pygments.epp import EppLexer
    from puppet_pygments.epp_hosts import (
        HtmlEppLexer,
        IniEppLexer,
        JsonEppLexer,
        PowerShellEppLexer,
        PropertiesEppLexer,
        ShellEppLexer,
        SystemdEppLexer,
        TomlEppLexer,
        UnixConfEppLexer,
        XmlEppLexer,
        YamlEppLexer,
    )
    from puppet_pygments.lexer import PuppetLexer

__all__ = [
    "LEXERS",
    "EppLexer",
    "HtmlEppLexer",
    "IniEppLexer",
    "JsonEppLexer",
    "PowerShellEppLexer",
    "PropertiesEppLexer",
    "PuppetCellLexer",
    "PuppetConsoleLexer",
    "PuppetLexer",
    "ShellEppLexer",
    "SystemdEppLexer",
    "TomlEppLexer",
    "UnixConfEppLexer",
    "XmlEppLexer",
    "YamlEppLexer",
    "install",
]

__version__ = "0.1.0"

#: The lexers, each with its module.
LEXERS = {
    "EppLexer": "epp",
    "HtmlEppLexer": "epp_hosts",
    "IniEppLexer": "epp_hosts",
    "JsonEppLexer": "epp_hosts",
    "PowerShellEppLexer": "epp_hosts",
    "PropertiesEppLexer": "epp_hosts",
    "ShellEppLexer": "epp_hosts",
    "SystemdEppLexer": "epp_hosts",
    "TomlEppLexer": "epp_hosts",
    "UnixConfEppLexer": "epp_hosts",
    "XmlEppLexer": "epp_hosts",
    "YamlEppLexer": "epp_hosts",
    "PuppetCellLexer": "cell",
    "PuppetConsoleLexer": "console",
    "PuppetLexer": "lexer",
}


def __getattr__(name: str) -> object:
    if name not in LEXERS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{LEXERS[name]}"), name)


def install() -> None:
    """Register these lexers for the alias ``puppet`` and for ``*.pp`` in this process.

    Pygments looks at its own lexers before those of other packages, so without this
    ``get_lexer_by_name("puppet")`` returns the lexer that comes with Pygments. Call this only in an
    application, not in a library: it changes the result for all code of the process.
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
