"""Sphinx extension: Puppet code in a documentation is highlighted by these lexers.

One line in ``conf.py`` is all: ``extensions = ["puppet_pygments.sphinx"]``. Then ``code-block``,
``literalinclude``, ``highlight``, fenced blocks of MyST, inline code roles and notebooks use the
lexers for ``puppet``, ``epp`` and ``puppet-console``, in place of the one that Pygments has for
``puppet``.
"""

from __future__ import annotations

from functools import partial

import puppet_pygments
from puppet_pygments.epp import EppLexer
from puppet_pygments.lexer import PuppetLexer

__all__ = ["setup"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the lexers under all their names."""
    add: Any = app.add_lexer  # declared for classes only, made for factories too
    # Sphinx distinguishes the case of names; names it does not know go to Pygments, which ignores
    # case
    spellings: dict[object, list[str]] = {PuppetLexer: ["Puppet", "PUPPET"], EppLexer: ["EPP"]}
    for name in puppet_pygments.LEXERS:
        lexer = getattr(puppet_pygments, name)
        for alias in [*lexer.aliases, *spellings.get(lexer, [])]:
            # a blank first line counts, or line numbers would be off by one
            add(alias, partial(lexer, stripnl=False))
    return {
        "version": puppet_pygments.__version__,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
