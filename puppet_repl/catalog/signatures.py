"""The parameters of classes and defines, and checking what they are given."""

from __future__ import annotations

from puppet_repl.base.checked import CHECKED
from puppet_repl.base.errors import RuntimeFailure, Subject
from puppet_repl.catalog.resource_types import METAPARAMETER_SET, METAPARAMETERS
from puppet_repl.language.runtime.declarations import Fixed
from puppet_repl.language.types.model.base import ANY
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import is_deferred

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.catalog.resource import Resource
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.types.model.collection import StructType
    from puppet_repl.language.values.protocols import Value

_PLAIN = frozenset((str, int, bool, float, type(None)))


class DefinitionSignature:
    """The parameters of a class or define, with their types resolved.

    ``plain`` are the values of those defaults that are literals and stay as they are in a catalog.
    """

    __slots__ = ("checks", "defaults", "definition_name", "names", "plain", "required", "types")

    def __init__(self, definition: Definition) -> None:
        parameters = definition.parameters
        self.definition_name = definition.name
        self.names = tuple(parameter.name for parameter in parameters)
        self.types: dict[str, PuppetType | None] = {}
        self.checks: dict[str, Callable[[object], bool]] = {}
        for parameter in parameters:
            type_ = None if parameter.type is None else parameter.type()
            self.types[parameter.name] = type_
            if type_ is not None:
                self.checks[parameter.name] = type_.predicate()
        self.defaults = {
            parameter.name: parameter.default
            for parameter in parameters
            if parameter.default is not None
        }
        self.plain: dict[str, Value] = {
            name: default.value
            for name, default in self.defaults.items()
            if type(default) is Fixed and type(default.value) in _PLAIN
        }
        self.required = frozenset([name for name in self.names if name not in self.defaults])

    def accepts(self, given: dict[str, Value]) -> bool:
        """Tell whether values can be given to the parameters as they are."""
        types = self.types
        checks = self.checks
        for name, value in given.items():
            if name in checks:
                if not checks[name](value):
                    return False
            elif name not in types and name not in METAPARAMETER_SET and name != "name":
                return False
            if type(value) not in _PLAIN and is_deferred(value):
                return False
        return given.keys() >= self.required

    def struct(self) -> StructType:
        """Return the Struct that the parameters have to match."""
        from puppet_repl.language.types.model.collection import StructElement, StructType

        elements = [StructElement("name", True, ANY)]
        elements += [StructElement(name, True, ANY) for name in METAPARAMETERS]
        elements = [element for element in elements if element.name not in self.types]
        for name, type_ in self.types.items():
            elements.append(StructElement(name, name in self.defaults, type_ or ANY))
        return StructType(tuple(elements))


def check_parameters(
    context: Context, resource: Resource, signature: DefinitionSignature, given: dict[str, Value]
) -> None:
    """Raise everything that is wrong with the values given to a class or define."""
    before = CHECKED.set((context, resource))
    try:
        if not signature.accepts(given):
            _refuse(context, resource, signature, given)
    except RecursionError:  # a type alias that refers to itself
        raise RuntimeFailure("stack level too deep") from None
    finally:
        CHECKED.reset(before)


def _refuse(
    context: Context, resource: Resource, signature: DefinitionSignature, given: dict[str, Value]
) -> None:
    """Raise the mismatches of the values, if results of deferred calls do not undo them."""
    from puppet_repl.catalog.deferred_results import deferred_result
    from puppet_repl.language.runtime.placeholders import notes_on
    from puppet_repl.language.types.text.mismatch import parameters_mismatch

    problem = parameters_mismatch(
        resource.ref,
        signature.struct(),
        PuppetHash.of_strings(dict(given)),
        lambda deferred: deferred_result(context, deferred),
    )
    if problem is not None:
        culprit = _culprit(signature, given)
        raise RuntimeFailure(
            problem,
            subject=_subject(signature, given),
            culprit=culprit,
            notes=(
                *notes_on(None if culprit is None else given[culprit]),
                *_notes_on_data(context, resource, signature, given),
            ),
        )


def _notes_on_data(
    context: Context, resource: Resource, signature: DefinitionSignature, given: dict[str, Value]
) -> list[str]:
    """Return notes that name the files of the data which wrong parameters are from."""
    definition, environment = resource.instance_of, context.environment
    if definition is None or environment is None:
        return []
    scope = context.catalog.bodies.class_scope(definition.name) or context.top
    types = signature.struct().named
    wrong = [
        name
        for name, value in given.items()
        if name in types and not types[name].value.accepts_value(value)
    ]
    return [
        f"the value{f' of {name}' if len(wrong) > 1 else ''} is from {' and '.join(places)}"
        for name in wrong
        if name in resource.parameters and resource.parameters[name].kind == "data"
        if (places := environment.data_places(f"{definition.name}::{name}", scope))
    ]


def _culprit(signature: DefinitionSignature, given: dict[str, Value]) -> str | None:
    """Return the parameter of the first error in the message, None for a missing parameter."""
    types = signature.struct().named
    for name in given:
        if name not in types:
            return name
    for name, element in types.items():
        if name in given and not element.value.accepts_value(given[name]):
            return name
    return None


def _subject(signature: DefinitionSignature, given: dict[str, Value]) -> Subject | None:
    """Return the unknown parameter, or which parameters are undef that have a default."""
    known = (*signature.types, *METAPARAMETERS, "name")
    for name in given:
        if name not in known:
            return Subject("attribute", name, known)
    undef = [name for name, value in given.items() if value is None and name in signature.defaults]
    return Subject("undef parameters", signature.definition_name, undef) if undef else None
