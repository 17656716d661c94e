"""The names that a session knows. Nothing here evaluates, autoloads or changes anything.

Completion and inspection run while the user types, perhaps while code is running. So every view is
a copy, and names that are removed concurrently count as absent.
"""

from __future__ import annotations

import os

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_reading import read_text
from puppet_repl.catalog import core_types
from puppet_repl.catalog.resource_types import METAPARAMETERS
from puppet_repl.language.syntax import ast, tokens
from puppet_repl.language.syntax.bindings import class_bindings
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.types.data_types import DOCUMENTED
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.session.top_scope import SERVER_VARIABLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal, TypeAlias

    from puppet_repl.catalog.resource import Resource
    from puppet_repl.catalog.resource_types import NativeType
    from puppet_repl.catalog.state import Tables
    from puppet_repl.environment.ruby.function_docs import FunctionDescription
    from puppet_repl.language.functions.registry import Function
    from puppet_repl.language.runtime.closure import UserFunction
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.syntax.bindings import Binding
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Session

    NamedDefinition: TypeAlias = (
        ast.HostClassDefinition | ast.ResourceTypeDefinition | ast.FunctionDefinition
    )
    ModuleNames: TypeAlias = Literal[
        "functions", "types", "classes", "defined_types", "resource_types"
    ]

# Reserved words without a meaning are not offered as completions.
KEYWORDS = tuple(sorted({"false", "true", *tokens.KEYWORDS} - {"attr", "private"}))
STATEMENT_KEYWORDS = ("case", "class", "define", "function", "if", "node", "type", "unless")
EXPRESSION_KEYWORDS = ("case", "default", "false", "if", "in", "true", "undef", "unless")

# Variables of the top scope that no code assigns, with their types; they are computed on first
# access.
GIVEN_VARIABLES = {
    "facts": "Hash",
    "trusted": "Hash",
    "server_facts": "Hash",
    "environment": "String",
}


class SessionSymbols:
    """The names of one session."""

    def __init__(self, session: Session) -> None:
        self.session = session

    # Variables and facts

    def variables(self) -> dict[str, Value]:
        """Return the variables of the top scope, by name."""
        return self.session.names.variables()

    def variable_names(self) -> list[str]:
        """Return the variables of the top scope, including those that are not computed yet."""
        return list(dict.fromkeys([*self.variables(), *GIVEN_VARIABLES]))

    def variable(self, path: tuple[str, ...]) -> tuple[bool, Value]:
        """Tell whether a variable and the keys below it exist, and return the value there."""
        name = path[0].removeprefix("::")
        if name in GIVEN_VARIABLES or name in SERVER_VARIABLES:
            self.session.names.has_variable(name)
        known = self.variables()
        if name in known:
            value = known[name]
        elif "::" in name:
            class_name, _, rest = name.rpartition("::")
            scope = self._class_scopes().get(class_name)
            of_the_class = {} if scope is None else dict(scope.variables)
            if rest in of_the_class:
                value = of_the_class[rest]
            elif class_name == "settings" and name in self.setting_variables():
                value = self.session.names.setting(rest)
            else:
                return False, None
        else:
            return False, None
        for key in path[1:]:
            found, value = _member(value, key)
            if not found:
                return False, None
        return True, value

    def class_variables(self) -> dict[str, Value]:
        """Return the variables of evaluated classes, by qualified name."""
        result: dict[str, Value] = {}
        for class_name, scope in self._class_scopes().items():
            if class_name in ("", "main", "settings") or scope.kind == "node":
                continue
            for name, value in list(scope.variables.items()):
                result[f"{class_name}::{name}"] = value
        return result

    def setting_variables(self) -> list[str]:
        """Return the names of the variables that are Puppet's settings: ``settings::confdir``."""
        # Few texts name a setting, and Puppet has many.
        from puppet_repl.language.runtime.puppet_settings_table import SETTINGS

        changed = self.session.options.profile.settings
        names = (name for name in (*SETTINGS, "all_local") if changed.get(name, True) is not None)
        return [f"settings::{name}" for name in names]

    def declared_classes(self) -> set[str]:
        """Return the names of the classes that have been evaluated."""
        return {name for name, scope in self._class_scopes().items() if scope.kind != "node"}

    def facts(self) -> PuppetHash:
        """Return the facts that the session was given, or those of this machine."""
        _, value = self.variable(("facts",))
        return value if type(value) is PuppetHash else PuppetHash.EMPTY

    # Functions

    def user_functions(self) -> dict[str, UserFunction]:
        """Return the functions that were defined or loaded from modules."""
        return self.session.names.functions()

    def function_names(self) -> list[str]:
        """Return the names of all functions, including those that modules could provide."""
        from puppet_repl.language.functions.index import THEMES

        return sorted({*THEMES, *self.user_functions(), *self._in_modules("functions")})

    def builtin_function(self, name: str) -> Function | FunctionDescription | None:
        """Return the function of Puppet or of stdlib, or what a module says of one in Ruby.

        Imports only the module of its theme.
        """
        from puppet_repl.language.functions.registry import find, find_added

        found = find(name) or find_added(name)
        if found is not None:
            return found.of(self.session.options.profile)
        environment = self.session.environment
        if environment is None:
            return None
        return environment.native_function(name) or environment.describe_function(name)

    def stdlib_function_names(self) -> list[str]:
        """Return the names of the functions that are those of stdlib, in alphabetical order."""
        from puppet_repl.language.functions.index import THEMES

        environment = self.session.environment
        if environment is None:
            return []
        others = {*THEMES, *self.user_functions()}
        return [
            name
            for name in self.function_names()
            if name not in others
            and (name.startswith("stdlib::") or environment.native_function(name) is not None)
        ]

    def theme_of(self, function: Function | FunctionDescription) -> str:
        """Return the theme of a function; that of a stdlib function begins with stdlib."""
        from puppet_repl.language.functions.registry import Function, find, find_added

        builtin = find(function.name) or find_added(function.name)
        if builtin is not None:
            builtin = builtin.of(self.session.options.profile)
        is_of_stdlib = isinstance(function, Function) and builtin is not function
        return f"stdlib, {function.theme}" if is_of_stdlib else function.theme

    # Types

    def type_aliases(self) -> dict[str, PuppetType]:
        """Return the types that were defined or loaded, by name as it is written."""
        aliases = {}
        for key, type_ in self.session.names.types().items():
            name = str(type_.name)
            aliases[name if name.lower() == key else type_spelling(key)] = type_
        return aliases

    def type_names(self) -> list[str]:
        """Return the names of data types and aliases."""
        return sorted({*DOCUMENTED, *self.type_aliases(), *self._in_modules("types")})

    # Classes, defines and resource types

    def definitions(self) -> dict[str, Definition]:
        """Return the known classes and nodes, by name."""
        tables = self._tables()
        return {} if tables is None else dict(tables.definitions)

    def defines(self) -> dict[str, Definition]:
        """Return the known defined types, by name."""
        tables = self._tables()
        return {} if tables is None else dict(tables.defines)

    def class_names(self) -> list[str]:
        """Return the names of the classes that are known or could be loaded."""
        names = [n for n, d in self.definitions().items() if n and d.kind == "class"]
        return sorted({*names, *self._in_modules("classes")} - {"main"})

    def defined_type_names(self) -> list[str]:
        """Return the names of the defined types that are known or could be loaded."""
        return sorted({*self.defines(), *self._in_modules("defined_types")})

    def module_names(self) -> set[str]:
        """Return the names of the modules on the module path."""
        environment = self.session.environment
        return set() if environment is None else set(environment.modules)

    def module_files(self, name: str, directory: str) -> Iterator[str]:
        """Yield the paths of the files below a directory of a module, relative to it."""
        environment = self.session.environment
        module = None if environment is None else environment.modules.get(name)
        if environment is not None and module is not None:
            for path in environment.listings.files_below(module.file(directory), ""):
                yield path.replace(os.sep, "/")

    def resource_type_names(self) -> list[str]:
        """Return the names of built-in resource types and of defined types."""
        missing = self.session.options.profile.without_types
        known = set(core_types.NAMES) - missing
        return sorted({*known, *self.defined_type_names(), *self._in_modules("resource_types")})

    def resource_type(self, name: str, *, evaluate: bool = False) -> NativeType | None:
        """Return a built-in resource type or one of a module.

        The file of a module is read; only with ``evaluate`` does Ruby run for it.
        """
        found = core_types.find(name, self.session.options.profile)
        environment = self.session.environment
        if found is not None or environment is None:
            return found
        if evaluate:
            try:
                return environment.find_resource_type(name)
            except PuppetError:
                pass  # what is wrong with the file is told where a resource is declared
        return environment.scan_resource_type(name)

    def providers(self, type_name: str) -> list[str]:
        """Return the names of the providers of a resource type, those of modules included."""
        found = dict.fromkeys(core_types.PROVIDERS.get(type_name, "").split())
        for module in sorted(self.module_names()):
            for path in self.module_files(module, f"lib/puppet/provider/{type_name}"):
                name, ending = os.path.splitext(path)
                if ending == ".rb" and "/" not in name:
                    found.setdefault(name)
        return [*found]

    def attributes(self, type_name: str, title: str) -> list[str]:
        """Return the attributes of a resource type, metaparameters last."""
        definition = (
            self.definitions().get(title.removeprefix("::"))
            if type_name == "class"
            else self.defines().get(type_name)
        )
        if definition is not None:
            own = self._parameters_now(definition)
        else:
            found = self.resource_type(type_name)
            own = [*found.properties, *found.parameters] if found is not None else []
            if found is None:
                own = self.parameters_in_module(title if type_name == "class" else type_name)
        return [*own, *(name for name in METAPARAMETERS if name not in own)]

    def _parameters_now(self, definition: Definition) -> list[str]:
        """Return the parameters of a definition, of a file that has changed as it is now."""
        environment = self.session.environment
        if environment is not None and environment.autoloader.has_changed(definition):
            found = self.in_module_file(definition.name)
            if found is not None:
                return [parameter.name for parameter in found[1].parameters]
        return [parameter.name for parameter in definition.parameters]

    # What modules have and is not loaded yet

    def in_module_file(self, name: str) -> tuple[Source, NamedDefinition] | None:
        """Return the definition of a class, define or function in its file, parsed only."""
        environment = self.session.environment
        if environment is None:
            return None
        first, _, rest = name.partition("::")
        module = environment.modules.get(first)
        if module is None:
            path = environment.own_file("functions", name)
            return None if path is None else self._definition_in(path, name)
        tail = rest.replace("::", "/") if rest else "init"
        for directory in ("manifests", "functions"):
            found = self._definition_in(module.file(directory, f"{tail}.pp"), name)
            if found is not None:
                return found
        return None

    def variables_in_module(self, class_name: str) -> dict[str, Binding]:
        """Return the variables of a class and of those it inherits from, by their local names."""
        variables: dict[str, Binding] = {}
        wanted: str | None = class_name
        seen = set()
        while wanted is not None and wanted not in seen:
            seen.add(wanted)
            found = self.in_module_file(wanted.removeprefix("::"))
            if found is None or not isinstance(found[1], ast.HostClassDefinition):
                break
            variables = {**class_bindings(found[0], found[1]), **variables}
            wanted = found[1].parent
        return variables

    def template_parameters(self, name: str) -> dict[str, tuple[str, str]] | None:
        """Return types and defaults of the parameters of a template that ``epp`` takes, else None.

        Without a default it is ''.
        """
        environment = self.session.environment
        module, _, path = name.partition("/")
        found = None if environment is None else environment.modules.get(module)
        if found is None or not path or ".." in path.split("/"):
            return None
        program = self.program_of(found.file("templates", *path.split("/")))
        if program is None or not isinstance(program.body, ast.LambdaExpression):
            return None
        return {
            each.name: (
                "Any" if each.type_expr is None else _words_of(program.source, each.type_expr),
                "" if each.value is None else _words_of(program.source, each.value),
            )
            for each in program.body.parameters
        }

    def text_variables(self) -> dict[str, Binding]:
        """Return the variables of the text around the cursor, the nearest first."""
        return {}

    def binding(self, name: str) -> Binding | None:
        """Return how the text, or a class in the file of a module, binds a variable."""
        class_name, colons, local = name.removeprefix("::").rpartition("::")
        if colons:
            return self.variables_in_module(class_name).get(local)
        return self.text_variables().get(name.removeprefix("::"))

    def in_type_file(self, name: str) -> tuple[Source, int, str] | None:
        """Return a type of a module as source, its start there, and what it stands for.

        The file is parsed only, in Puppet or in Ruby.
        """
        environment = self.session.environment
        first, _, rest = name.lower().partition("::")
        if environment is None:
            return None
        data_type = environment.data_types.get(name.lower())
        if data_type is not None:
            return self._in_data_type_file(data_type)
        module = environment.modules.get(first)
        path = environment.own_file("types", name.lower())
        if module is not None and rest:
            path = module.file("types", *rest.split("::")) + ".pp"
        if path is None:
            return None
        program = self.program_of(path)
        if program is None:
            return None
        source = program.source
        for node in program.definitions:
            if isinstance(node, ast.TypeAlias) and node.name.lower() == name.lower():
                type_ = node.type_expr
                return source, node.start, source.text[type_.start : type_.end]
        return None

    def _in_data_type_file(self, path: str) -> tuple[Source, int, str] | None:
        from puppet_repl.environment.ruby.data_type_files import read_data_type

        source = self.text_of(path)
        found = None if source is None else read_data_type(source.text)
        if source is None or found is None:
            return None
        return source, found.start, f"Object[{{{found.interface.rstrip()}}}]"

    def _definition_in(self, path: str, name: str) -> tuple[Source, NamedDefinition] | None:
        program = self.program_of(path)
        if program is None:
            return None
        for definition in program.definitions:
            if (
                isinstance(
                    definition,
                    ast.HostClassDefinition | ast.ResourceTypeDefinition | ast.FunctionDefinition,
                )
                and definition.name == name
            ):
                return program.source, definition
        return None

    def program_of(self, path: str) -> ast.Program | None:
        """Return the tree of a manifest or template, None for one that cannot be used."""
        source = self.text_of(path)
        try:
            return None if source is None else parse(source, epp=path.endswith(".epp"))
        except PuppetError:
            return None

    def text_of(self, path: str) -> Source | None:
        """Return the text of a file, None if it cannot be read."""
        reach = self.session.reach
        try:
            if reach is not None:
                reach.check(path)
            return Source(read_text(path), path)
        except (OSError, UnicodeDecodeError):
            return None

    # The catalog

    def resources(self) -> list[Resource]:
        """Return the resources of the catalog in the order of their declaration."""
        tables = self._tables()
        return [] if tables is None else list(tables.members)

    def typed_resources(self) -> list[Resource]:
        """Return the resources whose titles users write: node blocks of patterns have none."""
        tables = self._tables()
        blocks = {} if tables is None else dict(tables.nodes)
        patterns = {name for name, block in blocks.items() if block.pattern is not None}
        return [
            resource
            for resource in self.resources()
            if resource.type != "Node" or resource.title not in patterns
        ]

    def node_names(self) -> list[str]:
        """Return the names of the nodes that have data files."""
        return sorted(self.session.data_keys.named_nodes())

    def titles(self, type_name: str) -> list[str]:
        """Return the titles of the resources of a type, whose name may be in any case."""
        wanted = type_name.removeprefix("::").lower()
        return [
            resource.title for resource in self.typed_resources() if resource.type.lower() == wanted
        ]

    def references(self) -> list[tuple[str, str]]:
        """Return the types and titles of the resources that relationships may name."""
        return [(resource.type, resource.title) for resource in self.typed_resources()]

    def _tables(self) -> Tables | None:
        return self.session.catalog.tables if self.session.has_catalog else None

    def _class_scopes(self) -> dict[str, Scope]:
        tables = self._tables()
        return {} if tables is None else dict(tables.class_scopes)

    def parameters_in_module(self, name: str) -> list[str]:
        """Return the names of the parameters of what a module has under a name, parsed only."""
        found = self.in_module_file(name.removeprefix("::"))
        return [] if found is None else [parameter.name for parameter in found[1].parameters]

    def needed_parameters(self, name: str) -> set[str]:
        """Return the parameters without a default of what texts or modules have under a name."""
        found = self.in_module_file(name.removeprefix("::"))
        parameters = () if found is None else found[1].parameters
        return {each.name for each in parameters if each.value is None}

    def _in_modules(self, kind: ModuleNames) -> list[str]:
        """Return the names of that kind of thing that modules could provide."""
        environment = self.session.environment
        return [] if environment is None else environment.names_of(kind)


def type_spelling(name: str) -> str:
    """Return ``foo::bar`` as ``Foo::Bar``, as names of types are written."""
    return "::".join([part[:1].upper() + part[1:] for part in name.split("::")])


def _words_of(source: Source, node: ast.Node) -> str:
    return " ".join(source.text[node.start : node.end].split())


def _member(value: Value, key: str) -> tuple[bool, Value]:
    if type(value) is PuppetHash:
        if value.has(key):
            return True, value[key]
        if key.isdigit() and value.has(int(key)):
            return True, value[int(key)]
        return False, None
    if type(value) is tuple and key.isdigit() and int(key) < len(value):
        return True, value[int(key)]
    return False, None
