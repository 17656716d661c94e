"""Resource expressions, defaults, overrides and collectors, which compiled code calls."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.catalog import issues, statement_values, tags
from puppet_repl.catalog.collectors import Collector
from puppet_repl.catalog.overrides import Override
from puppet_repl.catalog.queries import make_query
from puppet_repl.catalog.references import reference_text, type_title
from puppet_repl.catalog.resource import (
    CollectorParameter,
    FunctionParameter,
    OverrideParameter,
    Parameter,
    Resource,
    TypeDefaultParameter,
)
from puppet_repl.catalog.statement_values import (
    attribute_value,
    general_type,
    parameters_in_loop,
    parameters_of,
)
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.types.model.resource import ResourceType
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.labels import value_label
from puppet_repl.language.values.ruby import no_conversion, ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import NoReturn

    from puppet_repl.catalog.classes import Classes
    from puppet_repl.catalog.collectors import Collectors
    from puppet_repl.catalog.defaults import Defaults
    from puppet_repl.catalog.definitions import DeclarableType, Definitions
    from puppet_repl.catalog.overrides import Overrides
    from puppet_repl.catalog.resources import Resources
    from puppet_repl.catalog.statement_values import Attributes, LastAttributes
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.declarations import (
        Definition,
        ResourceShape,
        StatementShape,
    )
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.syntax.ast import ResourceForm
    from puppet_repl.language.values.protocols import Value

    # The title by itself is a literal, which needs no tuple in the code.
    Titles = str | tuple[Value, ...]
    # Titles, and the values of attributes.
    Body = tuple[Titles, tuple[Value, ...]]

_FORMS: dict[str, ResourceForm] = {"": "regular", "@": "virtual", "@@": "exported"}
UNNAMED = Source("", "unknown")
"""The source of resources of create_resources(), when it was called in typed text."""


class Statements:
    """What the resource statements of a program do."""

    attribute_hash = staticmethod(statement_values.attribute_hash)
    attribute_value = staticmethod(statement_values.attribute_value)
    resource_type_name = staticmethod(statement_values.resource_type_name)
    titles = staticmethod(statement_values.titles)

    def __init__(
        self,
        context: Context,
        definitions: Definitions,
        resources: Resources,
        type_defaults: Defaults,
        overrides: Overrides,
        collectors: Collectors,
        classes: Classes,
    ) -> None:
        self.context = context
        self.definitions = definitions
        self.resources = resources
        self.type_defaults = type_defaults
        self.overrides = overrides
        self.collectors = collectors
        self.classes = classes
        self._last: LastAttributes = {}

    def begin_input(self) -> None:
        """Forget the attributes of the last input."""
        self._last = {}

    def declare_titled(
        self, scope: Scope, shape: ResourceShape, title: str, values: tuple[Value, ...]
    ) -> tuple[ResourceType, ...]:
        """Evaluate a resource expression with one body and one title; return its reference."""
        source, line = shape.source, shape.line
        definer = scope.source or self.definitions.main
        attributes = parameters_in_loop(shape.bodies[0], values, definer, source, self._last)
        declarable = self.definitions.declarable_types[shape.type_name]
        if declarable is None:
            return tuple(self.classes.declare(scope, (title,), attributes, source, line))
        form = shape.form
        return (self._add(scope, definer, declarable, title, attributes, form, source, line),)

    def declare(
        self, scope: Scope, shape: ResourceShape, type_name: str, bodies: tuple[Body, ...]
    ) -> tuple[ResourceType, ...]:
        """Evaluate a resource expression; return references to the declared resources."""
        references: list[ResourceType] = []
        for titles, attributes in self._bodies(scope, shape, bodies):
            references += self._create(
                scope, type_name, titles, attributes, shape.form, shape.source, shape.line
            )
        return tuple(references)

    def warn_of_export(self, shape: ResourceShape) -> ResourceShape:
        """Return the shape of a resource expression that exports, with a warning if need be."""
        if not self.context.options.storeconfigs:
            self.context.log("warning", issues.EXPORT_IGNORED)
        return shape

    def warn_of_collection(self) -> bool:
        """Return True, for a collector of exported resources, with a warning if need be."""
        if not self.context.options.storeconfigs:
            self.context.log("warning", issues.COLLECTION_IGNORED)
        return True

    def _bodies(
        self, scope: Scope, shape: ResourceShape, bodies: tuple[Body, ...]
    ) -> list[tuple[list[str], Attributes]]:
        """Return titles and attributes of each body, with those of the body ``default:``."""
        definer = self.definitions.definer_of(scope)
        common: Attributes = {}
        evaluated: list[tuple[list[str], Attributes]] = []
        seen: set[str] = set()
        for (titles, values), body in zip(bodies, shape.bodies, strict=True):
            attributes = parameters_in_loop(body, values, definer, shape.source, self._last)
            names = []
            for title in (titles,) if type(titles) is str else titles:
                key = title if type(title) is str else "default"
                if key in seen:
                    raise issues.duplicate_title(key)
                seen.add(key)
                if type(title) is str:
                    names.append(title)
                else:
                    common = attributes
            evaluated.append((names, attributes))
        if not common:
            return evaluated
        return [(names, {**common, **attributes}) for names, attributes in evaluated]

    def _create(
        self,
        scope: Scope,
        type_name: str,
        titles: Iterable[str],
        attributes: Attributes,
        form: ResourceForm,
        source: Source | None,
        line: int | None,
        *,
        is_of_function: bool = False,
        string_titles: bool = True,
    ) -> list[ResourceType]:
        """Add resources with the same attributes; return references to them."""
        declarable = self.definitions.declarable_types[type_name]
        if declarable is None:
            return self.classes.declare(
                scope, titles, attributes, source, line, is_of_function=is_of_function
            )
        definer = self.definitions.definer_of(scope)
        return [
            self._add(
                scope,
                definer,
                declarable,
                title,
                dict(attributes),
                form,
                source,
                line,
                is_of_function,
                string_titles,
            )
            for title in titles
        ]

    def _add(
        self,
        scope: Scope,
        definer: Definition,
        declarable: DeclarableType,
        title: str,
        attributes: Attributes,
        form: ResourceForm,
        source: Source | None,
        line: int | None,
        is_of_function: bool = False,
        has_string_title: bool = True,
    ) -> ResourceType:
        """Add a resource, which takes over the attributes; return a reference to it."""
        resource = Resource(
            declarable.title,
            title,
            scope,
            definer,
            declarable.definition,
            declarable.kind,
            source,
            line,
            form != "regular",
            attributes,
            declarable.tags,
        )
        if form == "exported":
            resource.exported = True
        if is_of_function:
            resource.is_of_function = True
            resource.has_string_title = has_string_title
        resources = self.resources
        resources.prepare(resource)
        resources.add(resource)
        return ResourceType(declarable.name, title)

    def create_resources(self, scope: Scope, args: tuple[Value, ...]) -> None:
        """Evaluate ``create_resources(type, hash, defaults)``."""
        hashes = _hashes(args)
        given = reference_text(args[0])
        type_name = given.removeprefix("@").removeprefix("@").lower()
        form = _FORMS[given[: len(given) - len(type_name)]]
        source, line = self.context.call_site()
        if type_name == "class" and form != "regular":
            message = f"Evaluation Error: {issues.class_not_virtualizable().message}"
            raise issues.at_line(message, source, line)
        source = source if source is None or source.name is not None else UNNAMED
        defaults = hashes[1] if len(hashes) == 2 else PuppetHash.EMPTY
        definer = self.definitions.definer_of(scope)
        common = _parameters(defaults, definer)
        for title, attributes in hashes[0].items():
            if type(attributes) is not PuppetHash:
                raise no_conversion(attributes, "Hash")
            parameters = {**common, **_parameters(attributes, definer)}
            for item in title if type(title) is tuple else (title,):
                self._create(
                    scope,
                    type_name,
                    (item if type(item) is str else ruby_text(item),),
                    parameters if type(item) is str else _named(item, parameters, definer),
                    form,
                    source,
                    line,
                    is_of_function=True,
                    string_titles=type(item) is str,
                )

    def set_defaults(
        self, scope: Scope, shape: StatementShape, value: Value, values: tuple[Value, ...]
    ) -> Value:
        """Set defaults for resources in this scope or inside of it: ``File { ... }``."""
        if type(value) is not ResourceType or value.type_name is None or value.title is not None:
            raise issues.illegal_resource_type(general_type(value), "type_ref")
        type_name = type_title(value.type_name.removeprefix("::").lower())

        def again(second: Parameter) -> NoReturn:
            raise issues.default_already_defined(type_name, second.name, second.source, second.line)

        attributes = self._attributes(scope, shape, values, again, TypeDefaultParameter)
        self.type_defaults.add(scope, type_name, attributes)
        return value

    def override(
        self, scope: Scope, shape: StatementShape, value: Value, values: tuple[Value, ...]
    ) -> Value:
        """Set attributes of resources, now or when they are declared: ``File['/x'] { ... }``."""
        definer = self.definitions.definer_of(scope)
        repeated: list[Parameter] = []
        attributes = self._attributes(scope, shape, values, repeated.append, OverrideParameter)
        for reference in flatten((value,)):
            if not isinstance(reference, ResourceType) or reference.lower_name == "class":
                raise issues.illegal_overridden_type(value_label(reference))
            if repeated:
                name, text = repeated[0].name, reference_text(reference)
                raise issues.duplicate_parameter(name, text, shape.source, shape.line)
            name = (reference.type_name or "").removeprefix("::")
            if reference.title is None:
                raise issues.no_title_of_name(name.lower())
            if not reference.title:
                raise issues.no_title(reference_text(reference))
            self.definitions.find_resource_type(name)  # this may load a module's file
            if "tag" in attributes:
                tags.check(attributes["tag"].value, shape.source, shape.line)
            self.overrides.apply(
                Override(
                    type_title(name.lower()),
                    reference.title,
                    definer,
                    dict(attributes),
                    shape.source,
                    shape.line,
                )
            )
        return value

    def collect(
        self,
        scope: Scope,
        shape: StatementShape,
        type_name: str,
        exported: bool,
        query: Value,
        values: tuple[Value, ...],
    ) -> Collector:
        """Note a collector: ``File <| query |> { ... }``."""
        lower = type_name.lower()
        if lower == "class":
            raise issues.classes_cannot_be_collected()
        definition = self.definitions.find_resource_type(lower)
        definition = definition or self.definitions.assumed_type(lower)
        if definition is None:
            raise issues.collected_type_not_found(lower)
        repeated: list[Parameter] = []
        collector = Collector(
            type_title(definition.name),
            scope,
            self.definitions.definer_of(scope),
            query=make_query(query),
            filter=query,
            exported=exported,
            overrides=self._attributes(scope, shape, values, repeated.append, CollectorParameter),
            source=shape.source,
            line=shape.line,
        )
        collector.repeated = repeated
        self.collectors.add(collector)
        return collector

    def _attributes(
        self,
        scope: Scope,
        shape: StatementShape,
        values: tuple[Value, ...],
        repeated: Callable[[Parameter], object],
        make: type[Parameter],
    ) -> Attributes:
        definer = self.definitions.definer_of(scope)
        return parameters_of(shape.attributes, values, definer, shape.source, repeated, make=make)


def _named(title: Value, parameters: Attributes, definer: Definition) -> Attributes:
    """Return attributes with the name that a title gives which is not a string."""
    name = FunctionParameter("name", ruby_text(title), definer)
    return {"name": name, **parameters}


def _parameters(values: PuppetHash, definer: Definition) -> Attributes:
    """Return the attributes that a Hash gives, those that are undef among them."""
    names = {reference_text(name): value for name, value in values.items()}
    return {
        name: FunctionParameter(name, attribute_value(value), definer)
        for name, value in names.items()
    }


def _hashes(args: tuple[Value, ...]) -> list[PuppetHash]:
    """Return the Hashes that create_resources() is given, one or two."""
    if len(args) > 3:
        raise RuntimeFailure(
            f"create_resources(): wrong number of arguments ({len(args)}; must be 2 or 3)"
        )
    hashes = []
    for value, message in zip(args[1:], _NOT_HASH, strict=False):
        if type(value) is not PuppetHash:
            raise RuntimeFailure(f"create_resources(): {message} must be a hash")
        hashes.append(value)
    return hashes


_NOT_HASH = ("second argument", "third argument, if provided,")
