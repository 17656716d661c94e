"""Declaring classes and nodes: like resources, and by include and its kin."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.catalog import issues
from puppet_repl.catalog.references import class_title
from puppet_repl.catalog.resource import (
    DECLARED_CLASS,
    UNKNOWN,
    FunctionParameter,
    Parameter,
    Resource,
)
from puppet_repl.catalog.used_files import bodies_in
from puppet_repl.language.types.model.resource import ClassType, ResourceType
from puppet_repl.language.values.array import flatten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.catalog.bodies import Bodies
    from puppet_repl.catalog.definitions import Definitions
    from puppet_repl.catalog.resource import ResourceKind
    from puppet_repl.catalog.resources import Resources
    from puppet_repl.catalog.state import State
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.values.hash import PuppetHash
    from puppet_repl.language.values.protocols import Value


class Classes:
    """The classes of a session, as resources of its catalog."""

    def __init__(
        self,
        context: Context,
        state: State,
        definitions: Definitions,
        resources: Resources,
        bodies: Bodies,
    ) -> None:
        self.context = context
        self.state = state
        self.definitions = definitions
        self.resources = resources
        self.bodies = bodies
        # Whether an input evaluates all classes again that it includes, even unchanged ones.
        self.evaluates_again = False

    # Declared like resources

    def declare(
        self,
        scope: Scope,
        titles: Iterable[str],
        attributes: dict[str, Parameter],
        source: Source | None,
        line: int | None,
        *,
        is_of_function: bool = False,
    ) -> list[ResourceType]:
        """Add each class with its parameters and evaluate it: ``class { 'a': ... }``."""
        resources = self.resources
        references = []
        for title in titles:
            definition = self.definitions.find_class(title)
            if definition is None:
                raise issues.declared_class_not_found(title)
            resource = self._make_resource(scope, definition, DECLARED_CLASS, source, line)
            resource.is_of_function = is_of_function
            resource.parameters = dict(attributes)
            resources.prepare(resource)
            self._ensure_parent(scope, definition)
            self.state.writable().tags.update(resource.tags)
            existing = resources.find("class", definition.name)
            containers = []
            if existing is not None and resources.is_older(existing):
                containers = self._remove(existing)
            resources.add(resource)
            self._contain(containers, resource)
            self._note_uses(scope, [definition.name])
            self.bodies.evaluate(resource)
            references.append(ResourceType("Class", resource.title))
        return references

    def run_settings(self, definition: Definition) -> None:
        """Run a user's own class settings, as Puppet does before the code of the top scope."""
        resource = self.resources.find("class", definition.name)
        assert resource is not None
        self.state.touch(resource)
        resource.definition, resource.evaluated = definition, False
        self.bodies.evaluate(resource)
        self.bodies.bind_settings(resource)
        members, main = self.state.writable().members, self.resources.main_resource
        members[main] = members.pop(main)  # it comes after what that class declares

    def _make_resource(
        self,
        scope: Scope,
        definition: Definition,
        kind: ResourceKind,
        source: Source | None = None,
        line: int | None = None,
    ) -> Resource:
        is_node = definition.kind == "node"
        is_declared = kind == DECLARED_CLASS
        return Resource(
            "Node" if is_node else "Class",
            definition.name if is_node else class_title(definition.name),
            scope=scope,
            definer=self.definitions.definer_of(scope) if is_declared else definition,
            definition=definition,
            kind=kind,
            source=source,
            line=line,
            tags={"node" if is_node else "class": None},
        )

    def _ensure_parent(self, scope: Scope, definition: Definition) -> None:
        """Add the class inherited from to the catalog if it is not there, or outdated."""
        if definition.parent is None or definition.kind != "class":
            return
        self._ensure(scope, self.definitions.find_parent(definition, definition.parent))

    def _ensure(self, scope: Scope, definition: Definition) -> Resource:
        """Return the resource of a class or node, added without parameters if it is not there.

        A class of an earlier input that is outdated is replaced, with the parameters it was given.
        """
        type_name = "node" if definition.kind == "node" else "class"
        existing = self.resources.find(type_name, definition.name)
        containers: list[Resource] = []
        if existing is not None:
            if not self._is_outdated(existing):
                return existing
            containers = self._remove(existing)
        resource = self._make_resource(scope, definition, UNKNOWN)
        if existing is not None and existing.kind == DECLARED_CLASS:
            resource.kind = DECLARED_CLASS
            resource.parameters = {
                name: given for name, given in existing.parameters.items() if given.line is not None
            }
        self.resources.prepare(resource)
        self._ensure_parent(scope, definition)
        self.state.writable().tags.update(resource.tags)
        self.resources.add(resource)
        self._contain(containers, resource)
        return resource

    # Evaluating again

    def _is_outdated(self, resource: Resource) -> bool:
        """Tell whether an earlier input evaluated a class that would be another one by now.

        It was defined again, or the class that it inherits from, or one that its body includes; or
        a file has changed that its body has used.
        """
        if not self.resources.is_older(resource):
            return False
        return self.evaluates_again or self._has_changed(resource, set())

    def _has_changed(self, resource: Resource, seen: set[Resource]) -> bool:
        definition = resource.instance_of
        if definition is None or definition is self.definitions.main or resource in seen:
            return False
        seen.add(resource)
        if definition.kind != "class":
            return False
        if self.definitions.find_class(definition.name) is not definition:
            return True
        tables = self.state.tables
        names = {name for body in bodies_in(resource) for name in tables.uses.get(body, ())}
        if definition.parent is not None:
            names.add(definition.parent)
        for name in names:
            used = self.resources.find("class", name)
            if used is None or self._has_changed(used, seen):
                return True
        return self.bodies.used_files.have_changed(resource)

    def _remove(self, resource: Resource) -> list[Resource]:
        """Take a class out; return the resources that contain it, but for its stage."""
        containers = [
            container
            for container, member in self.state.tables.edges
            if member is resource and container.type != "Stage"
        ]
        self.resources.remove(resource)
        return containers

    def forget(self, name: str) -> None:
        """Remove a class that is no longer defined from the catalog, with all that it declared."""
        resource = self.resources.find("class", name)
        if resource is not None:
            self._remove(resource)

    def _contain(self, containers: list[Resource], resource: Resource) -> None:
        tables = self.state.writable()
        for container in containers:
            if container in tables.members:
                tables.contain(container, resource)

    # Functions

    def include(self, scope: Scope, names: tuple[Value, ...]) -> tuple[ClassType, ...]:
        """Evaluate the classes that are new; return references to all of them."""
        given = class_names(names)
        self._evaluate(scope, given)
        return _references(given)

    def contain(self, scope: Scope, names: tuple[Value, ...]) -> tuple[ClassType, ...]:
        """Include classes, and contain them in the class whose body runs."""
        given = class_names(names)
        for resource in self._evaluate(scope, given):
            tables = self.state.writable()
            tables.contain(self.resources.resource_of(scope), resource)
            tables.has_contained_classes = True
        return _references(given)

    def require(self, scope: Scope, names: tuple[Value, ...]) -> tuple[ClassType, ...]:
        """Include classes, and make the resource whose body runs require them."""
        given = class_names(names)
        self._evaluate(scope, given)
        resource = self.resources.resource_of(scope)
        self.state.touch(resource)
        references = _references(given)
        required = [item for item in flatten((resource.value("require"),)) if item is not None]
        old = resource.parameters.get("require")
        new: Parameter = FunctionParameter("require", references, resource.definer)
        if old is not None:
            new = new.extending(old, (*required, *references))
        resource.parameters["require"] = new
        self.state.count_change("require")
        return references

    def _evaluate(self, scope: Scope, names: list[str]) -> list[Resource]:
        """Evaluate classes that are new; return the resources of all, known ones first.

        A class that is outdated since an earlier input included it is evaluated again.
        """
        resources = self.resources
        self._note_uses(scope, names)
        definitions = []
        for name in names:
            definition = self.definitions.find_class(name)
            if definition is None:
                raise issues.class_not_found(name, self.context.node_name)
            definitions.append(definition)
        known, new = [], []
        for definition in definitions:
            resource = resources.find("class", definition.name)
            if resource is not None and self._is_outdated(resource):
                resource = None
            if resource is not None and self.bodies.class_scope(definition.name) is not None:
                known.append(resource)
            else:
                new.append(self._ensure(scope, definition))
        for resource in new:
            self.bodies.evaluate(resource)
        return known + new

    def _note_uses(self, scope: Scope, names: list[str]) -> None:
        """Note which classes the body of a class or define includes or declares."""
        user = scope.resource
        if user is None or user is self.resources.main_resource:
            return
        if self.context.options.bind_once:
            return
        uses = self.state.writable().uses
        uses[user] = (*uses.get(user, ()), *[name.removeprefix("::") for name in names])

    # Nodes

    def evaluate_node(self, *, has_to_apply: bool) -> Scope | None:
        """Evaluate the node block that applies to the node, if there are any; return its scope.

        If no block applies, that is an error with ``has_to_apply``, else a note.
        """
        blocks = self.state.tables.nodes
        if not blocks:
            return None
        name = self.context.node_name
        definition = self.definitions.find_node(name)
        if definition is not None:
            self._evaluate_node(definition)
            return self.state.tables.class_scopes[definition.name]
        if has_to_apply:
            raise issues.node_not_found(name, blocks.values())
        self.context.note(issues.no_node_applies(name, blocks.values()))
        return None

    def declare_given(self, scope: Scope, classes: Iterable[tuple[str, PuppetHash | None]]) -> None:
        """Add the classes of a classifier; their bodies are evaluated with those that wait.

        One without parameters may be in the catalog already.
        """
        known = [(self._given(name), given) for name, given in classes]
        for definition, given in known:
            if given is None:
                self._ensure(scope, definition)
                continue
            resource = self._make_resource(scope, definition, UNKNOWN)
            resource.parameters = {
                str(name): Parameter(str(name), value, definition) for name, value in given.items()
            }
            self.resources.prepare(resource)
            self._ensure_parent(scope, definition)
            self.state.writable().tags.update(resource.tags)
            self.resources.add(resource)

    def _given(self, name: str) -> Definition:
        definition = self.definitions.find_class(name)
        if definition is None:
            failure = issues.class_not_found(name, self.context.node_name)
            raise PuppetError(failure.message, subject=failure.subject)
        return definition

    def apply_typed_nodes(self) -> None:
        """Evaluate the node block that applies to the node if the current input has it.

        A note says which node block applies, or that none does.
        """
        typed = self.definitions.nodes_of_input()
        if not typed:
            return
        name = self.context.node_name
        definition = self.definitions.find_node(name)
        if definition is not None and definition in typed:
            self.context.note(f"node {definition.label} applies to {name}")
            self._evaluate_node(definition)
        else:
            self.context.note(issues.nodes_pass(name, typed, definition))

    def _evaluate_node(self, definition: Definition) -> None:
        existing = self.resources.find("node", definition.name)
        if existing is not None:
            if existing.definition is definition or not self.resources.is_older(existing):
                return
            self.resources.remove(existing)
        difference = self.definitions.difference_of_node(definition)
        if difference is not None:
            place = definition.source.position(definition.label_at)
            self.context.warn_of_difference(difference, definition.source, place)
        self.bodies.evaluate(self._ensure(self.context.top, definition))


def class_names(values: tuple[Value, ...]) -> list[str]:
    """Return the absolute names that include() and its kin are given, in lower case."""
    return [_absolute(_class_name(value)).lower() for value in flatten(values)]


def _class_name(value: Value) -> str:
    if value is None:
        raise issues.undef_class_name()
    if type(value) is str:
        if not value:
            raise issues.empty_class_name()
        return value
    if type(value) is ClassType:
        if value.class_name is None:
            raise issues.unspecific_class()
        return value.class_name
    if isinstance(value, ResourceType):
        if value.lower_name != "class" or value.title is None:
            raise issues.resource_as_class_name(value.type_name)
        return value.title
    from puppet_repl.language.types.algebra.infer import infer

    raise issues.value_as_class_name(str(infer(value).generalize()))


def _absolute(name: str) -> str:
    return name if name.startswith("::") else f"::{name}"


def _references(names: list[str]) -> tuple[ClassType, ...]:
    return tuple([ClassType(name.removeprefix("::")) for name in names])
