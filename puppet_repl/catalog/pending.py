"""Records of what waits for the end of an input: overrides, collectors and relationships."""

from __future__ import annotations

from puppet_repl.language.types.model.resource import ResourceType
from puppet_repl.language.types.model.ruby import RuntimeType
from puppet_repl.language.values.protocols import Holder, RuntimeValue, Typed
from puppet_repl.language.values.quote import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container
    from typing import TypeAlias

    from puppet_repl.catalog.resource import Parameter, Resource
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.types.model.resource import CatalogEntryType
    from puppet_repl.language.values.protocols import Value

    Query: TypeAlias = Callable[[Resource], bool]
    CollectorState: TypeAlias = tuple[dict[Resource, None], tuple[Value, ...]]
    Operand: TypeAlias = "CatalogEntryType | Collector"


class Override:
    """Attributes that a statement or a collector sets on a resource that is declared elsewhere.

    ``definer`` is the class, define or node that contains the override, ``input`` the number of the
    input that stated it.
    """

    __slots__ = ("definer", "input", "line", "parameters", "source", "title", "type")

    def __init__(
        self,
        type: str,
        title: str,
        definer: Definition,
        parameters: dict[str, Parameter],
        source: Source | None,
        line: int | None,
    ) -> None:
        self.type = type
        self.title = title
        self.definer = definer
        self.parameters = parameters
        self.source = source
        self.line = line
        self.input = 0

    @property
    def ref(self) -> str:
        """``Type[title]`` of the resource, unquoted."""
        return f"{self.type}[{self.title}]"


class Collector(Typed, RuntimeValue, Holder):
    """One collector. ``type`` None means realize(), with ``wanted`` the references to realize.

    ``collected`` are the resources that matched so far, in order; ``alternative`` is the left
    operand that replaces the collector in a chain of relationships where nothing matched.
    ``filter`` is the query of a collector of exported resources (see ``make_query``).
    ``input`` is the number of the input that stated it.
    ``repeated`` are attributes that were given twice, which fails once anything matches.
    """

    __slots__ = (
        "alternative",
        "collected",
        "definer",
        "epoch",
        "exported",
        "filter",
        "input",
        "line",
        "overrides",
        "query",
        "repeated",
        "scope",
        "source",
        "type",
        "wanted",
    )

    def __init__(
        self,
        type: str | None,
        scope: Scope,
        definer: Definition,
        *,
        query: Query | None = None,
        filter: Value = None,
        exported: bool = False,
        overrides: dict[str, Parameter] | None = None,
        wanted: tuple[Value, ...] = (),
        source: Source | None = None,
        line: int | None = None,
    ) -> None:
        self.type = type
        self.scope = scope
        self.definer = definer
        self.query = query
        self.filter = filter
        self.exported = exported
        self.overrides = overrides
        self.wanted = wanted
        self.source = source
        self.line = line
        self.collected: dict[Resource, None] = {}
        self.alternative: tuple[Operand, ...] = ()
        self.repeated: list[Parameter] = []
        self.epoch = 0
        self.input = 0

    def mark(self) -> CollectorState:
        """Return a copy of everything that can change, for ``return_to``."""
        return dict(self.collected), self.wanted

    def return_to(self, mark: CollectorState) -> None:
        """Become what the collector was at a mark."""
        collected, self.wanted = mark
        self.collected = dict(collected)

    def puppet_text(self) -> str:
        """Return the text in an interpolated string."""
        return f"{self.puppet_label}[{self.type}]"

    def puppet_program(self) -> str:
        """Return the text as a string."""
        return quote(self.puppet_text())

    def held(self, most: int) -> tuple[Value, ...] | None:
        """Return references to the resources that matched so far; see ``Holder``."""
        if len(self.collected) > most:
            return None
        return tuple([ResourceType(found.type, found.title) for found in self.collected])

    @property
    def puppet_label(self) -> str:
        """The word for it in messages."""
        return f"{self._adjective}-Collector"

    @property
    def puppet_type(self) -> PuppetType:
        """The inferred type: Puppet has none of its own for this."""
        return RuntimeType(
            "ruby", f"Puppet::Pops::Evaluator::Collectors::{self._adjective}Collector"
        )

    @property
    def _adjective(self) -> str:
        return "Exported" if self.exported else "Catalog"


class Relationship:
    """One source, one target, and the metaparameter.

    ``definer`` is the class, define or node whose body it is from, ``input`` the number of the
    input that stated it. ``written`` are the pairs that an earlier input has written already.
    """

    __slots__ = ("definer", "input", "metaparameter", "source", "target", "written")

    def __init__(
        self,
        source: Operand,
        target: Operand,
        metaparameter: str,
        definer: Definition,
        input: int,
        written: frozenset[tuple[str, str]] = frozenset(),
    ) -> None:
        self.source = source
        self.target = target
        self.metaparameter = metaparameter
        self.definer = definer
        self.input = input
        self.written = written

    def without(self, sources: Container[str]) -> Relationship:
        """Return it without the pairs that were written to resources that are gone."""
        left = [pair for pair in self.written if pair[0] not in sources]
        return self if len(left) == len(self.written) else self.having(frozenset(left))

    def having(self, written: frozenset[tuple[str, str]]) -> Relationship:
        """Return it with other pairs written."""
        return Relationship(
            self.source, self.target, self.metaparameter, self.definer, self.input, written
        )

    @property
    def identity(self) -> tuple[object, ...]:
        """What those that state the same have in common."""
        return self.source, self.target, self.metaparameter, self.definer

    @property
    def has_collector(self) -> bool:
        """Whether later resources may belong to it too."""
        return type(self.source) is Collector or type(self.target) is Collector
