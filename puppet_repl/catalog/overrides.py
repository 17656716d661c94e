"""Overrides of attributes: which are allowed, and what they change."""

from __future__ import annotations

from puppet_repl.catalog import issues, tags
from puppet_repl.language.values.array import flatten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.catalog.defaults import Defaults
    from puppet_repl.catalog.definitions import Definitions
    from puppet_repl.catalog.redeclaration import KeptStatements
    from puppet_repl.catalog.resource import Parameter, Resource
    from puppet_repl.catalog.resources import Resources
    from puppet_repl.catalog.state import State
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.syntax.source import Source


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


class Overrides:
    """The overrides of a session, with those that wait for their resource."""

    def __init__(
        self,
        context: Context,
        state: State,
        definitions: Definitions,
        defaults: Defaults,
        resources: Resources,
        kept: KeptStatements,
    ) -> None:
        self.context = context
        self.state = state
        self.definitions = definitions
        self.defaults = defaults
        self.resources = resources
        self.kept = kept

    def apply(self, override: Override) -> None:
        """Override attributes of a resource, now or when it is declared."""
        override.input = self.state.input
        resource = self.resources.find(override.type, override.title)
        if resource is not None:
            self._merge_statement(resource, override)
            return
        waiting = self.state.writable().overrides
        key = (override.type, override.title)
        waiting[key] = (*waiting.get(key, ()), override)

    def merge_waiting(self) -> None:
        """Apply the overrides that came before their resource."""
        tables = self.state.tables
        for key, overrides in list(tables.overrides.items()):
            resource = tables.resources.get(key)
            if resource is not None:
                del self.state.writable().overrides[key]
                for override in overrides:
                    self._merge_statement(resource, override)

    def _merge_statement(self, resource: Resource, override: Override) -> None:
        before = dict(resource.parameters)
        self.merge(resource, override)
        self.kept.add_override(resource, override, before)

    def fail_on_waiting(self) -> None:
        """Raise the error of overrides whose resource never came."""
        waiting = self.state.tables.overrides.values()
        references = [override.ref for overrides in waiting for override in overrides]
        if references:
            raise issues.overrides_left(references)

    def merge(self, resource: Resource, override: Override) -> None:
        """Apply an override to a resource if Puppet's rules allow it."""
        definer = override.definer
        if definer is not resource.definer and not self._is_child(definer, resource.definer):
            raise issues.only_subclasses_can_override(override)
        if resource.evaluated and resource.instance_of is not None:
            strict = self.context.options.strict
            message = issues.already_evaluated(resource)
            if strict == "error":
                raise issues.at_line(message, override.source, override.line)
            if strict == "warning":
                self.context.log("warning", message)
        self.state.touch(resource)
        resource.checked = False
        if resource.instance_of is not None:
            self.state.spread = True
        for parameter in override.parameters.values():
            self._override_parameter(resource, parameter, override)

    def _is_child(self, definition: Definition, ancestor: Definition) -> bool:
        """Tell whether a class inherits from another.

        After a collector with overrides everything is allowed.
        """
        free_definers = self.state.tables.free_definers
        if definition in free_definers:
            return True
        while definition.parent is not None:
            parent = self.definitions.find_class(definition.parent)
            if parent is None:
                return False
            if parent is ancestor or parent in free_definers:
                return True
            definition = parent
        return False

    def _is_of_other_input(self, override: Override, resource: Resource) -> bool:
        """Tell whether another input, an earlier or the present one, declared the resource."""
        if self.resources.is_older(resource):
            return True
        has_waited = 0 < override.input < self.state.input
        return has_waited and not self.context.options.bind_once

    def _override_parameter(self, resource: Resource, new: Parameter, override: Override) -> None:
        name = new.name
        old = resource.parameters.get(name)
        if old is not None:
            is_default = self.defaults.is_default
            if is_default(resource, new):
                return
            allowed = self._is_child(new.definer, old.definer) or (
                new.definer is old.definer and is_default(resource, old)
            )
            if not allowed and not self._is_of_other_input(override, resource):
                raise issues.parameter_already_set(resource, new, old)
            if new.append:
                new = new.extending(old, flatten((old.value, new.value)))
        if name == "tag":
            tags.tag_resource(resource, new.value)
        resource.parameters[name] = new
        self.state.count_change(name)
