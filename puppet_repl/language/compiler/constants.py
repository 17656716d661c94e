"""The values that compiled code needs and Python has no literals for, made from recipes.

A recipe is plain data that marshal can write: the kind of the value, and its parts. So the code of
a program can be stored in a file, and its constants are made when it is loaded.
"""

from __future__ import annotations

from puppet_repl.language.runtime import issues
from puppet_repl.language.runtime.closure import CallableSpec, ParameterSpec
from puppet_repl.language.runtime.declarations import (
    AttributeShape,
    Fixed,
    ResourceShape,
    StatementShape,
    UnsupportedOperand,
)
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from puppet_repl.language.compiler.program import SourceTree
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

    # The kind of a value, and the arguments of what makes it.
    Recipe: TypeAlias = tuple[Any, ...]
    Maker: TypeAlias = Callable[..., object]

# Types in memory.
_MAX_INTERNED = 4096
_LITERALS = frozenset(("str", "int", "bool", "undef"))
# Making such a type may give a warning, and two equal ranges of times are different keys.
_MADE_EACH_TIME = frozenset(("Regexp", "SemVer", "Timespan", "Timestamp"))
CATALOG_KINDS = frozenset(("Class", "Resource", "CatalogEntry", "Object", "TypeSet", "Runtime"))


class NotConstantError(Exception):
    """An expression depends on more than its text."""


def builtin_type(written: str) -> PuppetType | None:
    """Return the built-in type of a name as it is written in a program."""
    key = written.removeprefix("::").lower()
    from puppet_repl.language.types.making.factory import lookup

    return lookup(key)


# Values of Puppet. Their recipes: ("str", text), and the same for int, bool and undef (None),
# ("float", its text), ("default", None), ("regexp", pattern), ("type", name),
# ("access", recipe, recipes of keys), ("array", recipes), ("hash", pairs of recipes). Literals
# have their kinds, because 1, 1.0 and true are equal in Python.


class _Interned:
    """Types by their recipes: many files declare the same ones, whose predicates are compiled once.

    When there are too many, all are forgotten.
    """

    __slots__ = ("_types",)

    def __init__(self) -> None:
        self._types: dict[tuple[str, str, Recipe], Value] = {}

    def value(self, recipe: Recipe, context: Context) -> Value:
        """Return ``value_of(recipe)``, the same object each time."""
        options = context.options
        key = (options.language, options.strict, recipe)
        known = self._types.get(key)
        if known is None:
            known = value_of(recipe, context)
            if len(self._types) > _MAX_INTERNED:
                self._types = {}
            self._types[key] = known
        return known


interned_value = _Interned().value


def value_of(recipe: Recipe, context: Context) -> Value:
    """Return the value of an expression of literals and built-in types.

    Raises NotConstantError, and whatever evaluating it raises.
    """
    kind = recipe[0]
    if kind in _LITERALS:
        return recipe[1]
    if kind == "type":
        found = builtin_type(recipe[1])
        if found is None or found.kind in CATALOG_KINDS or found.kind == "TypeReference":
            raise NotConstantError
        return found
    if kind == "access":
        target = value_of(recipe[1], context)
        if not isinstance(target, PuppetType) or target.kind in _MADE_EACH_TIME:
            raise NotConstantError
        keys = tuple([value_of(key, context) for key in recipe[2]])
        from puppet_repl.language.types.making.access import access

        return access(target, keys, context)
    if kind == "default":
        return DEFAULT
    if kind == "float":
        return float(recipe[1])
    if kind == "regexp":
        return regexp(recipe[1])
    if kind == "array":
        return tuple([value_of(item, context) for item in recipe[1]])
    assert kind == "hash"
    return PuppetHash([(value_of(key, context), value_of(of, context)) for key, of in recipe[1]])


def regexp(pattern: str) -> Any:
    """Return the value of a regular expression literal."""
    from puppet_repl.language.values.regex import Regexp

    return Regexp(pattern)


# Constants: each maker gets the tree of the text and the context, then the rest of the recipe.


def constant_of(recipe: Recipe, tree: SourceTree, context: Context) -> object:
    """Return the constant that a recipe describes."""
    return _MAKERS[recipe[0]](tree, context, *recipe[1:])


def shape_recipe(shape: ResourceShape | StatementShape) -> Recipe:
    """Return the recipe of the shape of a resource, of defaults, an override or a collector."""
    if isinstance(shape, ResourceShape):
        bodies = tuple([_attributes_data(each) for each in shape.bodies])
        return "resource", shape.form, shape.line, bodies, shape.type_name
    return "statement", shape.line, _attributes_data(shape.attributes)


def spec_recipe(spec: CallableSpec) -> Recipe:
    """Return the recipe of the declaration of a function or lambda."""
    parameters = spec.parameters
    data = tuple([(one.name, one.has_default, one.captures_rest, one.start) for one in parameters])
    misplaced = None if spec.misplaced is None else parameters.index(spec.misplaced)
    return "spec", spec.name, data, spec.start, spec.end, spec.at, misplaced


def _attributes_data(shape: AttributeShape) -> tuple[object, ...]:
    return shape.names, shape.lines, tuple(sorted(shape.appends))


def _attributes(data: tuple[Any, ...]) -> AttributeShape:
    names, lines, appends = data
    return AttributeShape(names, lines, frozenset(appends))


def _resource(
    tree: SourceTree, _: Context, form: Any, line: int, bodies: Any, type_name: str
) -> ResourceShape:
    attributes = tuple([_attributes(each) for each in bodies])
    return ResourceShape(form, line, tree.source, attributes, type_name)


def _statement(tree: SourceTree, _: Context, line: int, attributes: Any) -> StatementShape:
    return StatementShape(line, tree.source, _attributes(attributes))


def _spec(
    tree: SourceTree,
    _: Context,
    name: str,
    parameters: tuple[tuple[str, bool, bool, int], ...],
    start: int,
    end: int,
    at: int,
    misplaced: int | None,
) -> CallableSpec:
    specs = tuple([ParameterSpec(*each) for each in parameters])
    spec = CallableSpec(name, specs, tree, start, end, at)
    spec.misplaced = None if misplaced is None else specs[misplaced]
    return spec


def _issue(_: SourceTree, __: Context, name: str, arguments: tuple[Any, ...]) -> object:
    return getattr(issues, name)(*arguments)


def _unknown_resource_type(_: SourceTree, __: Context, name: str) -> object:
    from puppet_repl.language.types.model.issues import unknown_resource_type

    return unknown_resource_type(name)


def _test(_: SourceTree, context: Context, recipe: Recipe) -> object:
    type_ = interned_value(recipe, context)
    assert isinstance(type_, PuppetType)
    return type_.predicate()


def _types(_: SourceTree, context: Context, recipes: tuple[Recipe | None, ...]) -> Fixed:
    return Fixed(
        tuple([None if each is None else interned_value(each, context) for each in recipes])
    )


def _fixed(_: SourceTree, context: Context, recipe: Recipe) -> Fixed:
    if recipe[0] in _LITERALS:
        return Fixed(recipe[1])
    return Fixed(interned_value(recipe, context))


def _qualified_default(tree: SourceTree, _: Context, variable: str, start: int) -> object:
    from puppet_repl.language.compiler.defaults import QualifiedDefault

    return QualifiedDefault(variable, tree, start)


def _cell(_: SourceTree, __: Context) -> object:
    from puppet_repl.language.runtime.types import TypeCell

    return TypeCell()


_MAKERS: dict[str, Maker] = {
    "cell": _cell,
    "fixed": _fixed,
    "issue": _issue,
    "operand": lambda _, __, kind: UnsupportedOperand(kind),
    "qualified default": _qualified_default,
    "regexp": lambda _, __, pattern: regexp(pattern),
    "resource": _resource,
    "search": lambda _, __, pattern: regexp(pattern).search,
    "spec": _spec,
    "statement": _statement,
    "test": _test,
    "type": lambda _, __, name: builtin_type(name),
    "types": _types,
    "unknown resource type": _unknown_resource_type,
    "value": lambda _, context, recipe: value_of(recipe, context),
}
