"""Values that only Ruby understands: objects of its classes, and its blocks."""

from __future__ import annotations

from puppet_repl.language.compiler.program import SourceTree
from puppet_repl.language.runtime.closure import CallableSpec, Closure, ParameterSpec
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.types.model.base import UNIT
from puppet_repl.language.values.protocols import RuntimeValue
from puppet_repl.language.values.quote import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any


class RubyObject(RuntimeValue):
    """A Ruby object without an equivalent in Python.

    ``number`` is its place in Ruby's table; it is added to ``released`` when the object dies.
    """

    __slots__ = ("class_name", "inspected", "number", "released", "text")

    def __init__(
        self, number: int, class_name: str, text: str, inspected: str, released: list[int]
    ) -> None:
        self.number = number
        self.class_name = class_name
        self.text = text
        self.inspected = inspected
        self.released = released

    @property
    def ruby_class(self) -> str:
        """The class in Ruby."""
        return self.class_name

    def puppet_text(self) -> str:
        """Return what ``to_s`` returned when it came."""
        return self.text

    def puppet_program(self) -> str:
        """Return the text as a string."""
        return quote(self.text)

    def ruby_inspect(self) -> str:
        """Return what ``inspect`` returned when it came."""
        return self.inspected

    def puppet_equals(self, other: object) -> bool:
        """Compare by what Ruby shows: an object without a text of its own shows its address."""
        return type(other) is RubyObject and other.puppet_key() == self.puppet_key()

    def puppet_key(self) -> Hashable:
        """Return what tells objects apart."""
        return (RubyObject, self.class_name, self.inspected)

    def __del__(self) -> None:
        self.released.append(self.number)


class RubyBlock(Closure):
    """A block of Ruby code that was passed to a function of ours; see RubyObject."""

    __slots__ = ("number", "released")
    ruby_class = "Proc"

    def __init__(
        self,
        number: int,
        parameters: list[list[str]],
        run: Callable[..., Any],
        released: list[int],
    ) -> None:
        self.number = number
        self.released = released
        specs = [
            ParameterSpec(name, kind == "opt", kind == "rest", 0)
            for kind, name in (part if len(part) == 2 else (part[0], "") for part in parameters)
            if kind in ("req", "opt", "rest")
        ]
        spec = CallableSpec("lambda", tuple(specs), SourceTree(Source("")), 0, 0, 0)
        types = (*[UNIT] * len(specs), None)
        super().__init__(run, spec, lambda: types)

    def __del__(self) -> None:
        self.released.append(self.number)
