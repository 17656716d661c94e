"""The one question that the model leaves to the layer above: which type does a value have?

Whether a value is an ``Iterable[T]``, an ``Iterator[T]`` or a ``Sensitive[T]`` depends on its
inferred type, and inference builds all types. ``making.factory``, from which every type by name
comes, connects the two.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.types.model.base import PuppetType


def _not_connected(value: object) -> PuppetType:
    raise RuntimeError("import puppet_repl.language.types.making.factory before types are asked")


_infer: Callable[[object], PuppetType] = _not_connected


def connect(infer: Callable[[object], PuppetType]) -> None:
    """Set the function that infers the type of a value."""
    global _infer
    _infer = infer


def inferred(value: object) -> PuppetType:
    """Return the narrowest type of a value."""
    return _infer(value)
