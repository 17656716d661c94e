"""Running the bodies of classes, defines and nodes."""

from __future__ import annotations

from puppet_repl.base.errors import EvaluationIssue, RuntimeFailure
from puppet_repl.catalog import issues, tags
from puppet_repl.catalog.resource import ContainerParameter, DataParameter, DefaultParameter
from puppet_repl.catalog.signatures import check_parameters
from puppet_repl.catalog.statement_values import attribute_value
from puppet_repl.language.runtime.declarations import Definition
from puppet_repl.language.runtime.scope import ParameterScope, Scope
from puppet_repl.language.runtime.signals import Signal
from puppet_repl.language.types.model.resource import ResourceType
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.iterator import PuppetIterator
from puppet_repl.language.values.ruby import ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.catalog.definitions import Definitions
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.catalog.resources import Resources
    from puppet_repl.catalog.signatures import DefinitionSignature
    from puppet_repl.catalog.state import State
    from puppet_repl.catalog.used_files import UsedFiles
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.puppet_settings import PuppetSettings
    from puppet_repl.language.values.protocols import Value

    Arguments = dict[str, Value]


class Bodies:
    """The bodies of classes, defines and nodes that were declared, and the scopes they ran in."""

    def __init__(
        self,
        context: Context,
        state: State,
        definitions: Definitions,
        resources: Resources,
        used_files: UsedFiles,
    ) -> None:
        self.context = context
        self.state = state
        self.definitions = definitions
        self.resources = resources
        self.used_files = used_files

    def evaluate(self, resource: Resource) -> None:
        """Run the body of a class, a define instance or a node, once."""
        if resource.evaluated:
            return
        definition = resource.definition
        if type(definition) is not Definition:
            return
        self.state.touch(resource)
        if definition.kind == "define":
            # A virtual instance may have waited for it while it was defined again.
            name = definition.name
            known = self.state.tables.defines.get(name) or self.definitions.find_define(name)
            definition = known or definition
            resource.definition = definition
        resource.evaluated = True
        resource.add_container_tags()
        context = self.context
        parent_scope = None if definition.parent is None else self._parent_scope(definition)
        around = parent_scope or resource.scope
        scope = Scope(context, definition.kind, around, resource, definition)
        scope.inherited = parent_scope
        if definition.pattern is not None:
            scope.match = definition.pattern(self.context.node_name)
        if definition.kind != "define":
            tables = self.state.writable()
            tables.classes[definition.name] = None
            tags.add(tables.tags, definition.name)
        outer_files, outer = context.body_files, context.scope
        context.body_files = self.used_files.begin_body(resource)
        result: Value = None
        try:
            self._bind_parameters(resource, definition, scope)
            if resource.is_class:
                self._add_to_stage(resource)
            if definition.body is not None:
                context.scope = scope
                result = definition.body(scope)
        finally:
            context.scope, context.body_files = outer, outer_files
            if definition.pattern is not None:
                scope.match = None  # defines, which are evaluated later, see none
        _check_result(result)

    def _parent_scope(self, definition: Definition) -> Scope | None:
        if definition.parent is None or definition.kind != "class":
            return None
        parent = self.definitions.find_parent(definition, definition.parent)
        declared = self.resources.find("class", parent.name)
        if declared is None:
            return None
        self.evaluate(declared)
        return self.class_scope(parent.name)

    # Parameters

    def _bind_parameters(self, resource: Resource, definition: Definition, scope: Scope) -> None:
        variables = scope.variables
        given = resource.parameters
        of_module = given["module_name"].value if "module_name" in given else None
        variables["module_name"] = of_module or definition.module_name or ""
        caller = scope.parent.source if scope.parent is not None else None
        variables["caller_module_name"] = (caller and caller.module_name) or ""
        signature = self.definitions.signature_of(definition)
        kind = definition.kind
        if kind == "class":
            self._look_up_parameters(resource, definition, signature, scope)
            variables["title"] = resource.title.lower()
            variables["name"] = str(resource.name).lower()
        else:
            variables["title"] = title = resource.title
            variables["name"] = resource.name if "name" in given else title
        if kind != "define":
            self.state.writable().class_scopes[definition.name] = scope
        arguments = {
            key: parameter.value
            for key, parameter in given.items()
            if key != "name" and key != "title"
        }
        if signature.defaults:
            arguments = self._with_defaults(resource, signature, scope, arguments)
        check_parameters(self.context, resource, signature, arguments)
        resource.checked = True
        scope.assign_all(arguments)

    def _look_up_parameters(
        self,
        resource: Resource,
        definition: Definition,
        signature: DefinitionSignature,
        scope: Scope,
    ) -> None:
        """Take what a class was not given from the data of the environment.

        Data may refer to the module of the class, whose name its own ``scope`` has by now.
        """
        environment = self.context.environment
        if environment is None:
            return
        for name in signature.names:
            parameter = resource.parameters.get(name)
            if parameter is not None and parameter.value is not None:
                continue
            key = f"{definition.name}::{name}"
            is_found, value = environment.data_lookup(key, scope)
            if not is_found and name not in signature.defaults:
                secret = environment.placeholder(key, scope, signature.types[name])
                is_found, value = secret is not UNSET, secret
            if is_found and not (value is None and name in signature.defaults):
                resource.parameters[name] = DataParameter(name, value, resource.definer)

    def _with_defaults(
        self, resource: Resource, signature: DefinitionSignature, scope: Scope, arguments: Arguments
    ) -> Arguments:
        """Return the arguments and the values of defaults, evaluated from left to right."""
        given = arguments.get
        missing = [name for name in signature.defaults if given(name) is None]
        plain = signature.plain
        if not missing or plain.keys() >= set(missing):
            for name in missing:
                value = arguments[name] = plain[name]
                self._take_default(resource, name, value)
            return arguments
        callee = resource.ref
        parameters = ParameterScope(scope, callee, signature.names)
        values = parameters.variables
        values.update(arguments)
        context = self.context
        outer = context.scope
        context.scope = parameters
        if resource.is_class:
            scope.parameters = parameters
        try:
            for name in missing:
                try:
                    value = attribute_value(parameters.evaluate(name, signature.defaults[name]))
                except RuntimeFailure as failure:
                    if failure.message.startswith(f"{callee}: "):
                        raise RuntimeFailure(failure.message) from None
                    raise context.locate(failure) from None
                except (EvaluationIssue, Signal) as error:
                    raise context.locate(error) from None
                values[name] = value
                self._take_default(resource, name, value)
        finally:
            context.scope = outer
            scope.parameters = None
            values.scope = scope  # not a cycle that waits for the collector of garbage
        return values

    def _take_default(self, resource: Resource, name: str, value: Value) -> None:
        resource.parameters[name] = DefaultParameter(name, value, resource.definer)
        self.state.count_change(name)
        if name == "tag":
            tags.tag_resource(resource, value)

    def _add_to_stage(self, resource: Resource) -> None:
        given = resource.value("stage")
        container = resource.container
        if (given is None or given is False) and container is not None:
            given = container.value("stage")
        name = "main" if given is None or given is False else ruby_text(given)
        stage = self.resources.find("stage", name)
        if stage is None:
            raise issues.stage_not_found(name, resource)
        if stage.title != "main" and resource.value("stage") is None:
            resource.parameters["stage"] = ContainerParameter(
                "stage", stage.title, resource.definer
            )
        self.state.writable().contain(stage, resource)

    # Scopes of classes

    def class_scope(self, name: str) -> Scope | None:
        """Return the scope of an evaluated class."""
        scope = self.state.tables.class_scopes.get(name)
        if scope is None:
            name = name.removeprefix("::").lower()
            scope = self.state.tables.class_scopes.get(name)
            settings = self.resources.find("class", name) if name == "settings" else None
            if scope is None and settings is not None:
                scope = self.bind_settings(settings)
        return scope

    def bind_settings(self, resource: Resource) -> Scope:
        """Return the scope of ``$settings::name``, as of a server that runs on the node itself."""
        from puppet_repl.language.runtime.puppet_settings import SettingProblem

        context = self.context
        settings = self.settings()
        try:
            values = settings.all()
        except SettingProblem as problem:  # environment.conf has a value that Puppet refuses
            raise RuntimeFailure(str(problem)) from None
        for warning in settings.warnings:
            context.warn_once(warning, warning)
        for name, default in context.options.profile.settings.items():
            if default is None:
                del values[name]
        scope = self.state.tables.class_scopes.get("settings")
        if scope is None:
            scope = Scope(context, "class", context.top, resource)
        all_local = PuppetHash.of_strings(values)
        own = {"name": "settings", "title": "settings", "all_local": all_local}
        for name, value in (values | own).items():
            scope.bind(name, value)
        self.state.writable().class_scopes["settings"] = scope
        return scope

    def settings(self) -> PuppetSettings:
        """Return Puppet's settings as they are in this session."""
        # Most programs read no setting, and Puppet has many.
        from puppet_repl.language.runtime.puppet_settings import PuppetSettings

        return PuppetSettings(self.context.options.puppet_settings, self._settings_of_session())

    def _settings_of_session(self) -> dict[str, object]:
        """Return the settings that follow from the language, the options and the environment."""
        options = self.context.options
        environment = self.context.environment
        found: dict[str, object] = {
            **{name: each for name, each in options.profile.settings.items() if each is not None},
            "certname": self.context.node_name,
            "environment": options.environment_name,
            "storeconfigs": options.storeconfigs,
            "strict": options.strict,
            "strict_variables": options.strict_variables,
            **({} if environment is None else environment.settings),
        }
        if options.hiera_config is not None:
            found["hiera_config"] = options.hiera_config
        return found


def _check_result(result: Value) -> None:
    """Refuse a value of the last statement of a body that no attribute can have.

    Puppet converts it like an attribute; iterators of tree_each are of a class of their own.
    """
    if type(result) is PuppetIterator and result.runtime_class is not None:
        return
    if type(result) is tuple and len(result) == 1:  # of a resource expression
        only = result[0]
        if type(only) is ResourceType and only.title is not None:
            return
    attribute_value(result)
