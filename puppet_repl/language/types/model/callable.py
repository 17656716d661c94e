"""The type of functions and lambdas."""

from __future__ import annotations

from puppet_repl.language.types.model.base import ANY, UNDEF, UNIT, CompositeType, PuppetType
from puppet_repl.language.types.model.collection import TupleType
from puppet_repl.language.types.model.scalar import size_texts
from puppet_repl.language.values.protocols import CallableValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.types.model.base import Expansion, Predicate
    from puppet_repl.language.types.model.guard import Guard


class CallableType(CompositeType):
    """None means: any parameters for ``params``, no block for ``block``, Any for ``returns``."""

    __slots__ = ("block", "params", "returns")
    kind = "Callable"

    def __init__(
        self,
        params: TupleType | None = None,
        block: PuppetType | None = None,
        returns: PuppetType | None = None,
    ) -> None:
        self.params = params
        self.block = block
        self.returns = None if returns is None or returns == ANY else returns

    @property
    def default(self) -> PuppetType:
        return CALLABLE

    def contained(self) -> tuple[PuppetType, ...]:
        return tuple([one for one in (self.params, self.block, self.returns) if one is not None])

    def parts(self) -> tuple[object, ...]:
        return (self.params, self.block, self.returns)

    def generalized(self) -> PuppetType:
        return self.mapped(lambda part: part.generalize())

    def mapped(self, change: Callable[[PuppetType], PuppetType]) -> PuppetType:
        """Return the type with ``change`` applied to its parts; itself if no part changed."""
        params = self.params and change(self.params)
        block = self.block and change(self.block)
        returns = self.returns and change(self.returns)
        if params is self.params and block is self.block and returns is self.returns:
            return self
        return CallableType(params if isinstance(params, TupleType) else None, block, returns)

    def parameter_texts(self, expansion: Expansion | None) -> list[str]:
        if self.returns is None:
            return [] if self.params is None else self._params_texts(self.params, expansion)
        params = [] if self.params is None else self._params_texts(self.params, expansion)
        return [f"[{', '.join(params)}]", self.returns.text(expansion)]

    def _params_texts(self, params: TupleType, expansion: Expansion | None) -> list[str]:
        texts = [one.text(expansion) for one in params.types if one != UNIT]
        texts += size_texts(params.size) if params.types else ["0", "0"]
        if self.block is not None:
            texts.append(self.block.text(expansion))
        return texts

    def _compile(self) -> Predicate:
        def check(value: object) -> bool:
            if not isinstance(value, CallableValue):
                return False
            takes_all = self.params is None and self.returns is None
            return takes_all or self.accepts_type(value.signature())

        return check

    def _accepts(self, other: PuppetType, guard: Guard | None) -> bool:
        if not isinstance(other, CallableType):
            return False
        if self.returns is not None and not self.returns.accepts_type(other.returns or ANY, guard):
            return False
        if self.params is None:
            return True
        # Contravariant: the other type must take the arguments of this one.
        if other.params is None or not other.params.accepts_type(self.params, guard):
            return False
        return (other.block or UNDEF).accepts_type(self.block or UNDEF, guard)

    def is_callable_kind(self) -> bool:
        return True


CALLABLE = CallableType()
