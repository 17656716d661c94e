"""What a class or define is given as a Deferred: the type that the call is declared to return."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.registry import Function, LegacyFunction
from puppet_repl.language.runtime.closure import UserFunction
from puppet_repl.language.types.model.base import ANY
from puppet_repl.language.values.ruby import ruby_inspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.layers import AnyFunction
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Instance, Value

# Only these of the built-in functions and of stdlib's declare their result in Ruby; the
# documentation of the others does not count.
_DECLARING = frozenset(
    (
        *("alert", "crit", "debug", "emerg", "err", "info", "notice", "warning"),
        *("ensure_packages", "epp", "inline_epp", "merge", "os_version_gte", "sprintf_hash"),
        *("stdlib::crc32", "stdlib::end_with", "stdlib::ensure_packages", "stdlib::extname"),
        *("stdlib::fqdn_rotate", "stdlib::has_function", "stdlib::has_interface_with"),
        *("stdlib::ip_in_range", "stdlib::merge", "stdlib::nested_values", "stdlib::sha256"),
        *("stdlib::os_version_gte", "stdlib::start_with", "stdlib::str2resource"),
        *("stdlib::to_toml", "stdlib::xml_encode", "to_toml"),
    )
)


def deferred_result(context: Context, deferred: Instance) -> PuppetType | None:
    """Return the type that the function of a Deferred declares to return.

    None, with a warning, if it declares no type. Raises RuntimeFailure if the function is unknown,
    or does not take the arguments.
    """
    content = deferred.init_hash()
    name = content["name"]
    function = context.lookup_function(name)
    if function is None:
        raise RuntimeFailure("undefined method `dispatcher' for NilClass:Class")
    result = _result(function, name, content.get("arguments"))
    if result is None:
        context.warn_once(
            f"deferred {name}",
            f"Deferred function {name} has no return_type, unable to guarantee "
            "value type during compilation.\n   (file & line not available)",
        )
    return result


def _result(
    function: AnyFunction, name: str, arguments: tuple[Value, ...] | None
) -> PuppetType | None:
    if isinstance(function, UserFunction):
        signature = function.signature()
        if arguments is not None and (signature.params or ANY).accepts_value(arguments):
            return signature.returns
        raise _no_signature(name, arguments)
    if isinstance(function, Function) and arguments is not None:
        if isinstance(function, LegacyFunction):
            return None
        return _declared(function, arguments)
    raise _no_signature(name, arguments)


def _declared(function: Function, arguments: tuple[Value, ...]) -> PuppetType | None:
    count = len(arguments)
    for dispatch in function.dispatches:
        dispatch.prepare()
        if dispatch.accepts_shape(count, False) and all(
            type(arguments[index]) in classes or accepts(arguments[index])
            for index, classes, accepts in dispatch.tests(count)
        ):
            is_declared = dispatch.returns != "Any" and _declares(function)
            return dispatch.type.returns if is_declared else None
    raise _no_signature(function.name, arguments)


def _declares(function: Function) -> bool:
    # Functions of modules are classes of their own, and have what their files declare.
    return type(function) is not Function or function.name in _DECLARING


def _no_signature(name: str, arguments: tuple[Value, ...] | None) -> RuntimeFailure:
    shown = "" if arguments is None else ruby_inspect(arguments)
    return RuntimeFailure(f"No matching arity found for {name} with arguments {shown}")
