"""Why nothing was found in a document that was named: a typing error there looks like success."""

from __future__ import annotations

from puppet_repl.frontends.doctest.documents import ENDINGS, TEMPLATE, all_blocks

__all__ = ["IN_DIRECTORY", "why_nothing"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontends.doctest.documents import Block

IN_DIRECTORY = "no document in it has a block of Puppet code, or an example with a result"
"""What is said of a directory."""


def why_nothing(name: str, text: str, *, checks: bool) -> str:
    """Return why a document has no block to check, or no example to run."""
    if name.endswith(".ipynb"):
        return "notebooks are not read: what they show is compared by running them"
    blocks = [block for block in all_blocks(name, text) if _is_puppet(block)]
    if blocks and checks:
        return "its examples are run without --syntax"
    if blocks:
        return "no example has a result (1 + 1 # => 2); --syntax or --compile checks every block"
    if name.endswith((".pp", ".rb")):
        return "no comment has an @example"
    if name.endswith(ENDINGS):
        return "no block says puppet"
    if checks:
        return "only Markdown (.md), reStructuredText (.rst), manifests and Ruby have blocks"
    return "no paragraph has a result (1 + 1 # => 2)"


def _is_puppet(block: Block) -> bool:
    return block.is_code or block.is_console or block.language == TEMPLATE
