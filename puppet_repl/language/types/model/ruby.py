"""Runtime types: names of classes of the host language, which no Puppet value is an instance of."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.types.model import issues
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.model.inference import inferred
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.quote import literal_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.types.model.base import Expansion, Predicate
    from puppet_repl.language.types.model.guard import Guard


class RuntimeType(PuppetType):
    """``Runtime[ruby, 'Name']``; a pattern and its substitution occur in type mappings."""

    __slots__ = ("class_name", "runtime")
    kind = "Runtime"

    def __init__(
        self, runtime: str | None = None, class_name: str | tuple[object, str] | None = None
    ) -> None:
        self.runtime = runtime
        self.class_name = class_name

    @property
    def default(self) -> PuppetType:
        return RUNTIME

    def parts(self) -> tuple[object, ...]:
        return (self.runtime, self.class_name)

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        if self.runtime is None and self.class_name is None:
            return []
        return ["undef" if self.runtime is None else self.runtime, literal_text(self.class_name)]

    def _compile(self) -> Predicate:
        def check(value: object) -> bool:
            return self.accepts_type(inferred(value))

        return check

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        if not isinstance(other, RuntimeType):
            return False
        if self.runtime is not None and self.runtime != other.runtime:
            return False
        return self.class_name is None or self.class_name == other.class_name

    def is_iterable(self) -> bool:
        return str(self.class_name).startswith("Puppet::Pops::Types::Itera")

    def access(self, keys: tuple[Any, ...], context: Any) -> PuppetType:
        """``Runtime['ruby', 'Name']``; a pattern with its substitution is for mappings only."""
        keys = flatten(keys)
        if len(keys) != 2:
            raise issues.type_arity(self, 1, 2, len(keys))
        for index, key in enumerate(keys):
            if type(key) is not str:
                raise issues.wrong_key(self, key, "String or String", index)
        return _of_class(*keys)


def ruby_type(name: str) -> RuntimeType:
    """Return the type of a Ruby class by its name, which must not be empty."""
    return _of_class("ruby", name)


def _of_class(runtime: str, name: str) -> RuntimeType:
    if not name:
        raise RuntimeFailure(
            "Runtime 'name_or_pattern' has wrong type, expects a value of type String[1] or "
            "Tuple[Regexp, String[1]], got String"
        )
    return RuntimeType(runtime, name)


RUNTIME = RuntimeType()
