"""The parameters of classes and defines, and checking what they are given."""

from __future__ import annotations

from puppet_repl.catalog.resource_types import METAPARAMETER_SET, METAPARAMETERS
from puppet_repl.errors import RuntimeFailure, Subject
from puppet_repl.types.model.base import ANY
from puppet_repl.values.hash import PuppetHash
from puppet_repl.values.protocols import Instance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.catalog.resource import Resource
    from puppet_repl.runtime.context import Context
    from puppet_repl.runtime.declarations import Definition
    from puppet_repl.types.model.base import PuppetType
    from puppet_repl.types.model.collection import StructType
    from puppet_repl.values.protocols import Value


class DefinitionSignature:
    """The parameters of a class or define, with their types resolved."""

    __slots__ = ("checks", "defaults", "definition_name", "names", "required", "types")

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
        self.required = tuple(name for name in self.names if name not in self.defaults)

    def accepts(self, given: dict[str, Value]) -> bool:
        """Tell whether values can be given to the parameters as they are."""
        types = self.types
        checks = self.checks
        for name, value in given.items():
            check = checks.get(name)
            if check is not None:
                if not check(value):
                    return False
            elif name not in types and name not in METAPARAMETER_SET and name != "name":
                return False
        return all(name in given for name in self.required)

    def struct(self) -> StructType:
        """Return the Struct that the parameters have to match."""
        from puppet_repl.types.model.collection import StructElement, StructType

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
    for name, value in given.items():
        if isinstance(value, Instance) and value.object_name == "Deferred":
            _check_deferred(context, resource, name, signature.types.get(name), value)
    if signature.accepts(given):
        return
    from puppet_repl.types.text.mismatch import parameters_mismatch

    problem = parameters_mismatch(
        resource.ref, signature.struct(), PuppetHash.of_strings(dict(given))
    )
    if problem is not None:
        raise RuntimeFailure(problem, subject=_subject(signature, given))


def _subject(signature: DefinitionSignature, given: dict[str, Value]) -> Subject | None:
    """Return the unknown parameter, or which parameters are undef that have a default."""
    known = (*signature.types, *METAPARAMETERS, "name")
    for name in given:
        if name not in known:
            return Subject("attribute", name, known)
    undef = [name for name, value in given.items() if value is None and name in signature.defaults]
    return Subject("undef parameters", signature.definition_name, undef) if undef else None


def _check_deferred(
    context: Context,
    resource: Resource,
    name: str,
    expected: PuppetType | None,
    deferred: Instance,
) -> None:
    """Check what a deferred call will return, as far as its function declares it."""
    content = deferred.init_hash()
    function = context.lookup_function(content["name"])
    returns = None
    count = len(content.get("arguments", ()))
    from puppet_repl.functions.registry import Function

    for dispatch in function.dispatches if isinstance(function, Function) else ():
        dispatch.prepare()
        if dispatch.accepts_shape(count, False) and dispatch.returns != "Any":
            returns = dispatch.returns
    if returns is None:
        context.warn_once(
            f"deferred {content['name']}",
            f"Deferred function {content['name']} has no return_type, unable to guarantee "
            "value type during compilation.\n   (file & line not available)",
        )
        return
    if expected is None:
        return
    from puppet_repl.types.making.parse import parse_type

    actual = parse_type(returns)
    if not expected.generalize().accepts_type(actual.generalize()):
        from puppet_repl.types.text.mismatch import describe

        problems = describe(expected, actual, (("parameter", name),))
        raise RuntimeFailure(
            "\n ".join([f"{resource.ref}:", *[problem.format() for problem in problems]])
            if len(problems) > 1
            else f"{resource.ref}:{problems[0].format()}"
        )
