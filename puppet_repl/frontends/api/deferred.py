"""``Deferred``: a value that the agent computes, by a call of a function."""

from __future__ import annotations

from collections.abc import Sequence

from puppet_repl.language.types.making.builtin_objects import DEFERRED
from puppet_repl.language.types.making.new import construct
from puppet_repl.language.types.making.puppet_object import PuppetObject
from puppet_repl.language.values.python import from_python


def Deferred(name: str, arguments: Sequence[object] | None = None) -> PuppetObject:  # noqa: N802
    """Return the value of ``Deferred(name, arguments)``: a call that the agent makes.

    Its attributes are in the mapping ``values``. Raises PuppetError for what names no function.
    """
    given = (name,) if arguments is None else (name, from_python(arguments))
    made = construct(DEFERRED, given)
    assert isinstance(made, PuppetObject)
    return made
