"""Examples in documents, run and compared: ``puppet-repl doctest FILE...``.

There are two formats of results. In that of the language specification a comment has the value of
an expression, its log message, or its error:

    [1, 2] + 3          # => [1, 2, 3]
    notice("x")         # notice: x
    1 / 0               # error: Division by zero

A session that was saved (``:save web_spec.pp``) is in the first one; its parts are inputs. And
a transcript of a session shows inputs after ``>>``, with their output below them.

Blocks without results can be parsed, or compiled, too.
"""

from __future__ import annotations

from puppet_repl.frontends.doctest.documents import Block, blocks_of
from puppet_repl.frontends.doctest.examples import Example, examples_of
from puppet_repl.frontends.doctest.findings import Difference
from puppet_repl.frontends.doctest.runner import Runner

__all__ = [
    "Block",
    "Difference",
    "Example",
    "Runner",
    "blocks_of",
    "examples_of",
]
