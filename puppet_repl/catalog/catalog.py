"""The catalog of a session: ``context.catalog``.

Compiled code calls ``statements`` and ``relationships``, functions ``classes`` and the methods
here. Bodies of defines, collectors and relationships wait until the code of an input has run
(``end_input``).

Every input is a layer: a resource, class or define of an earlier input may be declared again, and
then the newer one replaces it. With the option ``bind_once`` Puppet's rules hold throughout.
"""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.catalog import issues, tags
from puppet_repl.catalog.bodies import Bodies
from puppet_repl.catalog.classes import Classes
from puppet_repl.catalog.collectors import Collector, Collectors
from puppet_repl.catalog.defaults import Defaults
from puppet_repl.catalog.definitions import Definitions
from puppet_repl.catalog.finishing import Finishing
from puppet_repl.catalog.overrides import Overrides
from puppet_repl.catalog.redeclaration import KeptStatements, taken_over
from puppet_repl.catalog.references import reference_text, type_title
from puppet_repl.catalog.relationships import Relationships
from puppet_repl.catalog.resource_types import METAPARAMETER_SET, NativeType
from puppet_repl.catalog.resources import Resources
from puppet_repl.catalog.state import State
from puppet_repl.catalog.statements import Statements
from puppet_repl.catalog.used_files import UsedFiles
from puppet_repl.language.runtime.declarations import Definition
from puppet_repl.language.runtime.issues import unknown_resource
from puppet_repl.language.types.model.resource import CatalogEntryType, ClassType, ResourceType
from puppet_repl.language.types.model.scalar import is_regexp
from puppet_repl.language.values.array import flatten
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.catalog.resource import Resource
    from puppet_repl.catalog.state import Mark, Tables
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.values.protocols import Value


class Catalog:
    """The catalog of one session. Each part knows only the parts that are made before it.

    ``node`` is the option at its creation: the option changes before the catalog goes.
    ``given_classes`` are the names of classes as a classifier has them.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.node = context.options.node
        self.given_classes: tuple[str, ...] = ()
        state = self.state = State()
        self.definitions = Definitions(context, state)
        self.defaults = Defaults(context, state)
        kept = KeptStatements(context, state)
        self.resources = Resources(context, state, self.definitions, self.defaults, kept)
        overrides = Overrides(context, state, self.definitions, self.defaults, self.resources, kept)
        self.collectors = Collectors(
            context, state, self.definitions, self.defaults, self.resources, overrides, kept
        )
        self.used_files = UsedFiles(context, state)
        self.bodies = Bodies(context, state, self.definitions, self.resources, self.used_files)
        self.classes = Classes(context, state, self.definitions, self.resources, self.bodies)
        self.statements: Statements = Statements(
            context,
            self.definitions,
            self.resources,
            self.defaults,
            overrides,
            self.collectors,
            self.classes,
        )
        self.relationships = Relationships(context, state, self.resources, kept)
        self._finishing = Finishing(
            context,
            state,
            self.definitions,
            self.resources,
            overrides,
            self.collectors,
            self.bodies,
            self.relationships,
        )

    # Inputs

    def begin_input(self) -> None:
        """Start a layer."""
        self.state.begin_input()
        self.statements.begin_input()
        self.used_files.begin_input()

    def end_input(self, *, is_last: bool = False) -> None:
        """Evaluate what waits for the end of the code, and check what the input added.

        Nothing that the input that ``is_last`` refers to may wait for a later one.
        """
        state = self.state
        if not (state.written or state.fresh or is_last):
            return
        self.classes.apply_typed_nodes()
        self._finishing.finish_input(is_whole=is_last or self.context.options.bind_once)
        self.used_files.end_input()
        # A body that was declared again itself has lost nothing.
        members = state.tables.members
        lost = [pair for pair in state.replaced if pair[0].body is None or pair[0].body in members]
        for note in taken_over(lost):
            self.context.note(note)

    def tag_with(self, names: Iterable[str]) -> None:
        """Tag the catalog with the names of classes that a classifier gives the node."""
        self.given_classes = tuple(names)
        for name in self.given_classes:
            tags.add(self.state.writable().tags, name)

    def end_site(self, classes: Iterable[tuple[str, PuppetHash | None]], *, has_node: bool) -> None:
        """Evaluate the node block of the node and all that waits; refuse references to nothing.

        ``classes`` are those of a classifier, with their parameters. With ``has_node`` the user has
        chosen the node, so one of the node blocks must apply.
        """
        scope = self.classes.evaluate_node(has_to_apply=has_node)
        self.classes.declare_given(scope or self.context.top, classes)
        self._finishing.finish_input(is_whole=True)
        self.used_files.end_input()

    def finish(self) -> None:
        """Check what a whole program has to hold: nothing may wait for a later input."""
        self._finishing.finish_catalog()

    def mark(self) -> Mark:
        """Return the state of the catalog, for ``return_to``."""
        return self.state.mark()

    def return_to(self, mark: Mark) -> None:
        """Return to a mark, earlier or later; call it again after an interrupt."""
        self.state.return_to(mark)
        self.definitions.forget_lookups()

    def has_changed(self, mark: Mark | None) -> bool:
        """Tell whether anything has changed since a mark; without one, since it was created."""
        return not self.state.is_initial if mark is None else self.state.version != mark[0]

    def forget(self, name: str) -> bool:
        """Drop a class or define by its name, the class from the catalog too; False if unknown."""
        is_known = self.definitions.forget(name)
        if is_known:
            self.classes.forget(name)
        return is_known

    @property
    def tables(self) -> Tables:
        """The tables of the catalog, for readers only."""
        return self.state.tables

    # Functions and the access operator

    def resource_attribute(
        self, reference: ClassType | ResourceType, keys: tuple[Value, ...]
    ) -> tuple[Value, ...]:
        """Return an attribute of a declared resource for each key: ``File['/x']['mode']``."""
        if isinstance(reference, ClassType):
            type_name, title = "class", reference.class_name or ""
        else:
            type_name = (reference.type_name or "").removeprefix("::")
            title = reference.title or ""
        resource = self.resources.find(type_name, title)
        shown = type_title(type_name)
        if resource is None:
            raise unknown_resource(shown, title)
        values = []
        for key in keys:
            if type(key) is not str or not self._is_attribute(resource, key):
                raise issues.unknown_resource_parameter(shown, title, _key_text(key))
            values.append(self.attribute_value(resource, key))
        return tuple(values)

    def attribute_value(self, resource: Resource, name: str) -> Value:
        """Return the value of an attribute, or its default that applies; None without either."""
        value = resource.value(name)
        if value is None:
            default = self.defaults.for_type(resource.scope, resource.type).get(name)
            value = None if default is None else default.value
        return value

    def _is_attribute(self, resource: Resource, name: str) -> bool:
        definition = resource.definition
        if isinstance(definition, Definition):
            signature = self.definitions.signature_of(definition)
            return name in signature.types or name in METAPARAMETER_SET or name == "name"
        return isinstance(definition, NativeType) and definition.has_attribute(name)

    def realize(self, scope: Scope, args: tuple[Value, ...]) -> None:
        """Realize virtual resources, now or when they are declared."""
        wanted = flatten((args,))
        if any(type(each) is ClassType and each.class_name is None for each in wanted):
            raise issues.no_title("class")
        definer = self.definitions.definer_of(scope)
        self.collectors.add(Collector(None, scope, definer, wanted=wanted))

    def tag(self, scope: Scope, args: tuple[Value, ...]) -> None:
        """Tag the resource whose body runs."""
        resource = self.resources.resource_of(scope)
        self.state.touch(resource)
        self.state.spread = True
        tags.tag_resource(resource, args)
        self.state.count_change("tag")

    def tagged(self, scope: Scope, args: tuple[Value, ...]) -> bool:
        """Tell whether the catalog or the resource whose body runs has every one of the tags."""
        tags_of_body = self.resources.resource_of(scope).tags
        for tag in args:
            name = reference_text(tag).lower()
            if name not in self.state.tables.tags and name not in tags_of_body:
                return False
        return True

    def defined(self, scope: Scope, values: tuple[Value, ...]) -> bool:
        """Tell whether any of the things is defined, or declared."""
        return any(self._is_defined(scope, value) for value in values)

    def _is_defined(self, scope: Scope, value: Value) -> bool:
        if type(value) is str:
            return self._is_name_defined(scope, value)
        if isinstance(value, ResourceType):
            if value.type_name is None:
                raise RuntimeFailure("The given resource type is a reference to all kind of types")
            if value.title is None:
                return self.definitions.find_resource_type(value.type_name) is not None
            if value.lower_name == "node":
                return False  # not a resource type to Puppet's function
            return self.resources.find(value.type_name, value.title) is not None
        if isinstance(value, ClassType):
            return self.resources.find("class", _class_name(value)) is not None
        from puppet_repl.language.types.model.wrapper import WrappingType

        if isinstance(value, WrappingType) and isinstance(value.type, CatalogEntryType):
            if isinstance(value.type, ClassType):
                return self.definitions.find_class(_class_name(value.type)) is not None
            if isinstance(value.type, ResourceType):
                return self._is_defined(scope, value.type)
        raise RuntimeFailure("Invalid argument to 'defined'")

    def _is_name_defined(self, scope: Scope, name: str) -> bool:
        if name[:1] == "$" and len(name) > 1:
            return scope.exists(name[1:])
        if name == "":
            return False
        return (
            name == "main"
            or self.definitions.find_resource_type(name.removeprefix("::")) is not None
            or self.definitions.find_class(name) is not None
        )


def _key_text(key: Value) -> str:
    """Return what the error about an attribute that is not a name calls it."""
    return ruby_text(key) if type(key) is PuppetHash or is_regexp(key) else reference_text(key)


def _class_name(reference: ClassType) -> str:
    if reference.class_name is None:
        raise RuntimeFailure("The given class type is a reference to all classes")
    return reference.class_name
