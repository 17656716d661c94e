"""What a session knows by name. Nothing here evaluates, autoloads or changes anything.

Completion and inspection run beside the user's typing, perhaps while code is running, so every
view copies what it looks at and takes a name that has just gone for one that was never there.
"""

from __future__ import annotations

from puppet_repl.syntax import tokens
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

    from puppet_repl.catalog.resource import Resource
    from puppet_repl.catalog.resource_types import NativeType
    from puppet_repl.catalog.state import Tables
    from puppet_repl.functions.registry import Function
    from puppet_repl.runtime.closure import UserFunction
    from puppet_repl.runtime.declarations import Definition
    from puppet_repl.session import Session
    from puppet_repl.syntax.ast import Node
    from puppet_repl.syntax.source import Source
    from puppet_repl.types.model.base import PuppetType

# Words that the lexer only keeps for later are no use to anybody.
KEYWORDS = tuple(sorted({"false", "true", *tokens.KEYWORDS} - {"attr", "private"}))
STATEMENT_KEYWORDS = ("case", "class", "define", "function", "if", "node", "type", "unless")
EXPRESSION_KEYWORDS = ("case", "default", "false", "if", "in", "true", "undef", "unless")
DATA_TYPES = (
    "Any",
    "Array",
    "Binary",
    "Boolean",
    "Callable",
    "CatalogEntry",
    "Class",
    "Collection",
    "Data",
    "Default",
    "Deferred",
    "Enum",
    "Error",
    "Float",
    "Hash",
    "Init",
    "Integer",
    "Iterable",
    "Iterator",
    "NotUndef",
    "Numeric",
    "Object",
    "Optional",
    "Pattern",
    "Regexp",
    "Resource",
    "RichData",
    "Runtime",
    "Scalar",
    "ScalarData",
    "SemVer",
    "SemVerRange",
    "Sensitive",
    "String",
    "Struct",
    "Timespan",
    "Timestamp",
    "Tuple",
    "Type",
    "TypeAlias",
    "TypeReference",
    "TypeSet",
    "URI",
    "Undef",
    "Variant",
)


# Variables of the top scope that nobody assigns; they are worked out when first asked for.
GIVEN_VARIABLES = ("facts", "trusted", "server_facts")


class SessionSymbols:
    """The names of one session."""

    def __init__(self, session: Session) -> None:
        self.session = session

    # Variables and facts

    def variables(self) -> dict[str, Any]:
        """The variables of the top scope, by name."""
        return dict(self.session.context.top.variables)

    def variable_names(self) -> list[str]:
        """The variables of the top scope, those included that were not asked for yet."""
        return list(dict.fromkeys([*self.variables(), *GIVEN_VARIABLES]))

    def variable(self, path: tuple[str, ...]) -> tuple[bool, Any]:
        """Whether a variable and the keys below it exist, and the value there."""
        value: Any = None
        name = path[0].removeprefix("::")
        if name in GIVEN_VARIABLES:
            self.session.context.top.exists(name)
        known = self.variables()
        if name in known:
            value = known[name]
        elif "::" in name:
            class_name, _, rest = name.rpartition("::")
            scope = self._tables_attribute("class_scopes").get(class_name)
            if scope is None or rest not in dict(scope.variables):
                return False, None
            value = dict(scope.variables)[rest]
        else:
            return False, None
        for key in path[1:]:
            found, value = _member(value, key)
            if not found:
                return False, None
        return True, value

    def class_variables(self) -> dict[str, Any]:
        """The variables of evaluated classes, by qualified name."""
        result: dict[str, Any] = {}
        for class_name, scope in list(self._tables_attribute("class_scopes").items()):
            if class_name in ("", "main", "settings"):
                continue
            for name, value in list(scope.variables.items()):
                result[f"{class_name}::{name}"] = value
        return result

    def declared_classes(self) -> set[str]:
        """The classes that have been evaluated."""
        return set(self._tables_attribute("class_scopes"))

    def facts(self) -> PuppetHash:
        """The facts that the session was given, else those of this machine."""
        _, value = self.variable(("facts",))
        return value if type(value) is PuppetHash else PuppetHash.EMPTY

    # Functions

    def own_functions(self) -> dict[str, UserFunction]:
        """The functions that the session defined or loaded from modules."""
        return dict(self.session.context.functions)

    def function_names(self) -> list[str]:
        """All functions, those of modules that were not loaded yet included."""
        from puppet_repl.functions.index import THEMES

        return sorted({*THEMES, *self.own_functions(), *self._in_modules("functions")})

    def builtin_function(self, name: str) -> Function | None:
        """The built-in function of that name. Imports its theme, nothing else."""
        from puppet_repl.functions.registry import find

        return find(name)

    # Types

    def type_aliases(self) -> dict[str, PuppetType]:
        """The types that the session defined or loaded, by name as it is written."""
        aliases = {}
        for key, found in list(self.session.context.types.items()):
            name = str(getattr(found, "name", key))
            aliases[name if name.lower() == key else capitalized(key)] = found
        return aliases

    def type_names(self) -> list[str]:
        """Data types and aliases."""
        modules = [capitalized(name) for name in self._in_modules("types")]
        return sorted({*DATA_TYPES, *self.type_aliases(), *modules})

    # Classes, defines and resource types

    def definitions(self) -> dict[str, Definition]:
        """The classes that are known, by name."""
        return dict(self._tables_attribute("definitions"))

    def defines(self) -> dict[str, Definition]:
        """The defined types that are known, by name."""
        return dict(self._tables_attribute("defines"))

    def class_names(self) -> list[str]:
        """The classes that are known or could be loaded."""
        found = [n for n, d in self.definitions().items() if n and d.kind == "class"]
        return sorted({*found, *self._in_modules("classes")} - {"main"})

    def resource_type_names(self) -> list[str]:
        """The resource types of Puppet and the defined types."""
        from puppet_repl.catalog.core_types import NAMES

        return sorted({*NAMES, *self.defines(), *self._in_modules("resource_types")})

    def resource_type(self, name: str) -> NativeType | None:
        """A resource type that comes with Puppet, or with a module (its file is read only)."""
        from puppet_repl.catalog.core_types import find

        found = find(name)
        environment = self.session.context.environment
        if found is None and environment is not None:
            found = environment.find_resource_type(name)
        return found

    def attributes(self, type_name: str, title: str) -> list[str]:
        """What a resource of a type may set, metaparameters last."""
        from puppet_repl.catalog.resource_types import METAPARAMETERS

        definition = (
            self.definitions().get(title.removeprefix("::"))
            if type_name == "class"
            else self.defines().get(type_name)
        )
        if definition is not None:
            own = [parameter.name for parameter in definition.parameters]
        else:
            found = self.resource_type(type_name)
            own = [*found.properties, *found.parameters] if found is not None else []
            if found is None:
                own = self._parameters_in_module(title if type_name == "class" else type_name)
        return [*own, *(name for name in METAPARAMETERS if name not in own)]

    # What modules have and nobody asked for yet

    def in_module_file(self, name: str) -> tuple[Source, Node] | None:
        """The definition of a class, define or function in a module, read but not evaluated."""
        environment = self.session.context.environment
        first, _, rest = name.partition("::")
        module = None if environment is None else environment.modules.get(first)
        if module is None:
            return None
        tail = rest.replace("::", "/") if rest else "init"
        for folder in ("manifests", "functions"):
            found = _definition_in(module.file(folder, f"{tail}.pp"), name)
            if found is not None:
                return found
        return None

    # The catalog

    def resources(self) -> list[Resource]:
        """The resources of the catalog in the order of their declaration."""
        return list(self._tables_attribute("members"))

    def titles(self, type_name: str) -> list[str]:
        """The titles of the resources of a type, written in any case."""
        wanted = type_name.removeprefix("::").lower()
        return [resource.title for resource in self.resources() if resource.type.lower() == wanted]

    def _tables(self) -> Tables | None:
        context = self.session.context
        if not context.has_catalog:
            return None
        tables: Tables = context.catalog.tables
        return tables

    def _tables_attribute(self, name: str) -> dict[Any, Any]:
        tables = self._tables()
        found: dict[Any, Any] = {} if tables is None else getattr(tables, name)
        return found

    def _parameters_in_module(self, name: str) -> list[str]:
        found = self.in_module_file(name.removeprefix("::"))
        parameters = () if found is None else getattr(found[1], "parameters", ())
        return [parameter.name for parameter in parameters]

    def _in_modules(self, kind: str) -> list[str]:
        """Names of 'functions', 'types' or 'classes' that modules could provide."""
        environment = self.session.context.environment
        lister = getattr(environment, "names_of", None)
        return [] if lister is None else list(lister(kind))


def _definition_in(path: str, name: str) -> tuple[Source, Node] | None:
    from puppet_repl.errors import PuppetError
    from puppet_repl.syntax.parser import parse
    from puppet_repl.syntax.source import Source

    try:
        with open(path, encoding="utf-8") as file:
            source = Source(file.read(), path)
        program = parse(source)
    except (OSError, UnicodeDecodeError, PuppetError):
        return None
    for definition in program.definitions:
        if getattr(definition, "name", None) == name:
            return source, definition
    return None


def frame_name(frame: FrameType) -> str:
    """What Puppet calls the code that a Python frame runs: 'main', a function, 'lambda' ..."""
    from puppet_repl.compiler import locations

    return locations.frame_name(frame)


def capitalized(name: str) -> str:
    """``foo::bar`` as ``Foo::Bar``."""
    return "::".join([part[:1].upper() + part[1:] for part in name.split("::")])


def _member(value: Any, key: str) -> tuple[bool, Any]:
    if type(value) is PuppetHash:
        if value.has(key):
            return True, value[key]
        if key.isdigit() and value.has(int(key)):
            return True, value[int(key)]
        return False, None
    if type(value) is tuple and key.isdigit() and int(key) < len(value):
        return True, value[int(key)]
    return False, None
