"""The origins of the attributes of a resource.

Nothing is stored for it: the class of a Parameter says what kind of code has set it, its location
is kept for messages, expressions are found in the text, and data are looked up again.
"""

from __future__ import annotations

from typing import NamedTuple

from puppet_repl.catalog.json import parameters
from puppet_repl.catalog.stated_expressions import (
    StatedExpressions,
    looked_up,
    without_parentheses,
)
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.catalog.resource import OriginKind, Parameter, Resource
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.values.protocols import Value

    # Key, strategy, scope and value: the places of data that have given the value.
    FindData: TypeAlias = Callable[[str, "str | None", Scope, Value], "list[Origin]"]

# Steps through variables and parameters: code may go round in circles.
_MOST_STEPS = 20
_WORDS = {
    "code": "",
    "collector": "collector",
    "container": "from",
    "data": "Hiera",
    "exported": "exported by",
    "function": "function",
    "override": "override",
    "parameter default": "parameter default",
    "relationship": "arrow",
    "resource default": "resource default",
}


class Origin(NamedTuple):
    """The origin of a value.

    ``kind`` is "code" (the declaration, or an assignment), "resource default" (``File { }``),
    "override" (``File['/x'] { }``), "collector" (``File <| |> { }``), "parameter default" (of a
    class or define), "data", "container" (a metaparameter of what contains the resource),
    "relationship" (an arrow), "function" (create_resources() and the like) or "exported" (by
    another node). ``name`` is the key of data, the container, or the other node.
    """

    kind: OriginKind
    file: str | None = None
    line: int | None = None
    name: str | None = None
    layer: str | None = None
    """Of data, the layer: "global", "environment", "module NAME" or "given"."""
    level: str | None = None
    """Of data, the name of the level in hiera.yaml."""

    def to_dict(self) -> dict[str, Any]:
        """Return the known fields by name, for JSON."""
        return {name: value for name, value in self._asdict().items() if value is not None}

    def text(self, path: str | None) -> str:
        """Return it in words, ``Hiera site.yaml:3``; ``path`` is what the file is called."""
        place = path or ""
        if self.line is not None:
            place = f"{place}:{self.line}" if place else f"line {self.line}"
        name = self.name if self.kind in ("container", "exported") or not place else None
        return " ".join([part for part in (_WORDS[self.kind], name, place) if part]) or "code"


def text_of(origins: list[Origin], path: Callable[[Origin], str | None]) -> str:
    """Return in words how a value came about; ``path`` names the file of an origin.

    An arrow leads to the next step, a plus joins merged data.
    """
    text, last = "", None
    for one in origins:
        is_merged = last is not None and (last.kind, one.kind) == ("data", "data")
        sign = "" if last is None else " + " if is_merged and one.name == last.name else " → "
        text += sign + one.text(path(one))
        last = one
    return text


class Origins:
    """The origins of attributes in a catalog; ``find_data`` says where data come from."""

    def __init__(self, catalog: Catalog, find_data: FindData) -> None:
        self._catalog = catalog
        self._find_data = find_data
        self._stated = StatedExpressions()
        self._steps = 0

    def of_resource(self, resource: Resource) -> dict[str, list[Origin]]:
        """Return the origins of each attribute that the catalog shows; see ``of_attribute``."""
        return {name: self.of_attribute(resource, name) for name in parameters(resource)}

    def of_attribute(self, resource: Resource, name: str) -> list[Origin]:
        """Return the origins of an attribute, from the source of its value to what set it.

        There are several where a variable has the value of a parameter or of data, where levels of
        data are merged, and where code has added to a value (``+>``, an arrow).
        """
        found = resource.parameters.get(name)
        if found is None:
            lower = {each.lower(): one for each, one in resource.parameters.items()}
            found = lower.get(name) or lower.get("name")
        if found is None:  # the title says it
            return [Origin("code", resource.file, resource.line)]
        self._steps = 0
        return self._of_parameter(resource, found)

    def _of_parameter(self, resource: Resource, one: Parameter) -> list[Origin]:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            return []
        before = [] if one.before is None else self._of_parameter(resource, one.before)
        if one.kind == "data" or one.kind == "parameter default":
            own = self._of_bound(resource, one)
        elif one.kind == "container":
            own = self._of_container(resource, one)
        elif one.kind == "relationship":
            own = [Origin("relationship")]
        elif one.source is None or one.line is None:
            own = [_without_statement(resource, one)]
        else:
            expression = self._stated.of_attribute(one.source, one.line, one.name)
            own = self._of_expression(expression, one.source, self._body(resource, one), one.value)
            own.append(Origin(one.kind, one.source.name, one.line))
        return before + [origin for origin in own if origin not in before]

    def _body(self, resource: Resource, one: Parameter) -> Resource | None:
        """Return the resource whose body has the statement that set a parameter, if it is known."""
        if one.kind == "code":
            return resource.container
        resources = self._catalog.resources
        if one.definer is self._catalog.definitions.main:
            return resources.main_resource
        return resources.find("class", one.definer.name) if one.definer.kind == "class" else None

    def _of_bound(self, resource: Resource, one: Parameter) -> list[Origin]:
        """Return the origins of a parameter that was given no value."""
        definition = resource.instance_of
        if definition is None:
            return [Origin(one.kind)]
        if one.kind == "data":
            scope = self._catalog.bodies.class_scope(definition.name)
            key = f"{definition.name}::{one.name}"
            return self._of_data(key, None, scope, one.value)
        stated = self._stated.of_parameter(definition, one.name)
        if stated is None:
            return [Origin(one.kind, definition.file)]
        own = self._of_expression(stated.expression, definition.source, resource, one.value)
        return [*own, Origin(one.kind, definition.file, stated.line)]

    def _of_container(self, resource: Resource, one: Parameter) -> list[Origin]:
        """Return the origins of a metaparameter that a container, or one around it, has set."""
        container = resource.container
        while container is not None:
            of_it = container.parameters.get(one.name)
            if of_it is not None and of_it.kind != "container":
                found = self._of_parameter(container, of_it)
                return [*found, Origin("container", name=container.ref)]
            if container is container.container:
                break
            container = container.container
        return [Origin("container")]

    # Expressions

    def _of_expression(
        self, expression: ast.Node | None, source: Source, body: Resource | None, value: Value
    ) -> list[Origin]:
        """Return the origins of a variable or a lookup; all other expressions count as code.

        ``body`` is the resource whose body has the expression.
        """
        expression = without_parentheses(expression)
        if body is None or expression is None:
            return []
        if isinstance(expression, ast.VariableExpression):
            return self._of_variable(expression.name, source, body, value)
        asked = looked_up(expression)
        if asked is None:
            return []
        definition = body.instance_of
        scope = None
        if definition is not None and definition.kind != "define":
            scope = self._catalog.bodies.class_scope(definition.name)
        return self._of_data(*asked, scope, value, is_certain=False)

    def _of_variable(self, name: str, source: Source, body: Resource, value: Value) -> list[Origin]:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            return []
        class_name, _, leaf = name.removeprefix("::").rpartition("::")
        owner: Resource | None = body
        if class_name:
            owner = self._catalog.resources.find("class", class_name)
        if owner is None:
            return []
        definition = _definition_of(owner, self._catalog)
        if definition is not None and any(one.name == leaf for one in definition.parameters):
            given = owner.parameters.get(leaf)
            return [] if given is None else self._of_parameter(owner, given)
        if definition is None and class_name:
            return []
        stated = self._stated.of_variable(source, definition, leaf)
        if stated is None:
            return []
        source = source if definition is None else definition.source
        own = self._of_expression(stated.expression, source, owner, value)
        return [*own, Origin("code", source.name, stated.line)]

    def _of_data(
        self,
        key: str,
        merge: str | None,
        scope: Scope | None,
        value: Value,
        *,
        is_certain: bool = True,
    ) -> list[Origin]:
        """Return the places of data; not found, only the key if it ``is_certain``."""
        found = self._find_data(key, merge, scope or self._catalog.context.top, value)
        return found or ([Origin("data", name=key)] if is_certain else [])


def _definition_of(body: Resource, catalog: Catalog) -> Definition | None:
    """Return the class, define or node of a body, None for the code outside of definitions."""
    definition = body.instance_of
    return None if definition is catalog.definitions.main else definition


def _without_statement(resource: Resource, one: Parameter) -> Origin:
    """Return the origin of a parameter that no statement has set by itself."""
    if one.kind == "code" and resource.origin is not None:
        return Origin("exported", name=resource.origin)
    if one.kind == "function" and not resource.is_of_function:  # require() in its body
        body = resource.instance_of
        return Origin(one.kind, None if body is None else body.file)
    return Origin(one.kind, resource.file, resource.line)
