"""The arguments of compiled code to the catalog: definitions, and shapes of resource statements.

Compiled code evaluates titles and attributes itself. The static parts of a statement (names, lines,
operators) are its shape, which is created once. Compiled code calls the functions here, which find
the catalog of the scope: code cannot hold methods of a catalog, since an error in the input that
began the catalog ends it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import Literal, TypeAlias

    from puppet_repl.catalog.collectors import Collector
    from puppet_repl.catalog.statements import Body
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.syntax.ast import ResourceForm
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.types.model.resource import ResourceType
    from puppet_repl.language.values.protocols import Value

    DefinitionKind: TypeAlias = Literal["class", "define", "node"]


class Fixed:
    """Stands for a function that returns the same each time: types, or the default in a scope."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __call__(self, scope: object = None) -> object:
        return self.value


class DefinitionParameter:
    """A parameter of a class or define; ``type`` returns its type, None without a declared one."""

    __slots__ = ("default", "name", "type")

    def __init__(
        self,
        name: str,
        type: Callable[[], PuppetType] | None = None,
        default: Callable[[Scope], object] | None = None,
    ) -> None:
        self.name = name
        self.type = type
        self.default = default


class Definition:
    """A class, a define or a node.

    ``name`` is in lower case, without leading colons. ``body`` runs the body in a scope and handles
    return() and next(). ``pattern`` tells whether a name matches, if the node is written as a
    regular expression. ``label`` is the text after ``node``, as it is written at ``label_at``.
    """

    __slots__ = (
        "body",
        "kind",
        "label",
        "label_at",
        "module_name",
        "name",
        "parameters",
        "parent",
        "pattern",
        "source",
        "start",
    )

    def __init__(
        self,
        kind: DefinitionKind,
        name: str,
        *,
        source: Source,
        start: int,
        parameters: tuple[DefinitionParameter, ...] = (),
        parent: str | None = None,
        body: Callable[[Scope], object] | None = None,
        module_name: str | None = None,
        pattern: Callable[[str], re.Match[str] | None] | None = None,
        label: str = "",
        label_at: int = 0,
    ) -> None:
        self.kind: DefinitionKind = kind
        self.name = name
        self.parent = parent
        self.parameters = parameters
        self.body = body
        self.source = source
        self.start = start
        self.module_name = module_name
        self.pattern = pattern
        self.label = label
        self.label_at = label_at

    @property
    def line(self) -> int:
        """Line of the definition in its file, from 1."""
        return self.source.position(self.start)[0]

    @property
    def file(self) -> str | None:
        """The file of the definition, None for text that was typed."""
        return self.source.name

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"


class AttributeShape:
    """The attribute operations of one body; ``* => hash`` has the name None.

    ``appends`` are the indexes of ``+>``. ``plain`` are the names if all operations are
    ``name => value`` and no name occurs twice, else it is empty. ``is_used`` tells
    whether the body was evaluated before: most are evaluated once.
    """

    __slots__ = ("appends", "is_used", "lines", "names", "plain")

    def __init__(
        self,
        names: tuple[str | None, ...],
        lines: tuple[int, ...],
        appends: frozenset[int] = frozenset(),
    ) -> None:
        self.names = names
        self.lines = lines
        self.appends = appends
        self.is_used = False
        is_plain = not appends and None not in names and len(set(names)) == len(names)
        self.plain: tuple[str, ...] = names if is_plain else ()  # type: ignore[assignment]


class ResourceShape:
    """A resource expression; its form says whether it is virtual or exported.

    ``type_name`` is the type if it is a bare word, else ''.
    """

    __slots__ = ("bodies", "form", "line", "source", "type_name")

    def __init__(
        self,
        form: ResourceForm,
        line: int,
        source: Source,
        bodies: tuple[AttributeShape, ...],
        type_name: str = "",
    ) -> None:
        self.form = form
        self.line = line
        self.source = source
        self.bodies = bodies
        self.type_name = type_name


class StatementShape:
    """A defaults statement, an override or a collector."""

    __slots__ = ("attributes", "line", "source")

    def __init__(self, line: int, source: Source, attributes: AttributeShape) -> None:
        self.line = line
        self.source = source
        self.attributes = attributes


class UnsupportedOperand:
    """An expression in the query of a collector that Puppet does not accept there.

    ``kind`` is the class of its node in the syntax tree.
    """

    __slots__ = ("kind",)

    def __init__(self, kind: str) -> None:
        self.kind = kind


def declare_titled(
    scope: Scope, shape: ResourceShape, title: str, values: tuple[Value, ...]
) -> tuple[ResourceType, ...]:
    """Evaluate ``type { 'title': attributes }``; the title is not empty."""
    return scope.context.catalog.statements.declare_titled(scope, shape, title, values)


def declare_body(
    scope: Scope, shape: ResourceShape, titles: tuple[Value, ...], values: tuple[Value, ...]
) -> tuple[ResourceType, ...]:
    """Evaluate ``type { titles: attributes }``."""
    statements = scope.context.catalog.statements
    if len(titles) == 1 and type(title := titles[0]) is str:
        return statements.declare_titled(scope, shape, title, values)
    return statements.declare(scope, shape, shape.type_name, ((titles, values),))


def declare(
    scope: Scope, shape: ResourceShape, type_name: str, bodies: tuple[Body, ...]
) -> tuple[ResourceType, ...]:
    """Evaluate any resource expression."""
    return scope.context.catalog.statements.declare(scope, shape, type_name, bodies)


def set_defaults(
    scope: Scope, shape: StatementShape, value: Value, values: tuple[Value, ...]
) -> Value:
    """Evaluate ``Type { attributes }``."""
    return scope.context.catalog.statements.set_defaults(scope, shape, value, values)


def override(scope: Scope, shape: StatementShape, value: Value, values: tuple[Value, ...]) -> Value:
    """Evaluate ``Type[title] { attributes }``."""
    return scope.context.catalog.statements.override(scope, shape, value, values)


def collect(
    scope: Scope,
    shape: StatementShape,
    type_name: str,
    exported: bool,
    query: Value,
    values: tuple[Value, ...],
) -> Collector:
    """Evaluate ``Type <| query |> { attributes }``."""
    statements = scope.context.catalog.statements
    return statements.collect(scope, shape, type_name, exported, query, values)


def relate(scope: Scope, arrow: str, left: Value, right: Value) -> Value:
    """Evaluate ``left -> right``."""
    return scope.context.catalog.relationships.relate(scope, arrow, left, right)
