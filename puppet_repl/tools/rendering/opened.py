"""Values that stand for others, as these: iterators as their elements, collectors as references.

Puppet's own texts for them (``Iterator[Integer]-Value``) tell nothing of what they hold. Only what
is shown is opened: strings that code makes are those of Puppet.
"""

from __future__ import annotations

from puppet_repl.language.values.protocols import Holder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value

# Of an iterator that is shown; a longer one keeps Puppet's text.
MAX_OPENED = 100_000


def opened(value: Value) -> Value:
    """Return the elements of an iterator, or what a collector has found, as an array.

    Any other value is returned itself, and so is an iterator of more than MAX_OPENED elements.
    Iterators stay where they are.
    """
    if not isinstance(value, Holder):
        return value
    found = value.held(MAX_OPENED)
    return value if found is None else found
