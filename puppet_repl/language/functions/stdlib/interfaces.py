"""Functions of stdlib about the network interfaces of the node, which read its facts."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.language.functions.legacy import look_up_variable
from puppet_repl.language.functions.registry import LegacyFunction
from puppet_repl.language.functions.stdlib.declaring import (
    TABLES,
    stdlib_function,
    stdlib_legacy_function,
)
from puppet_repl.language.functions.stdlib.deprecation import warn_of_autoloader
from puppet_repl.language.functions.stdlib.facts import networking_fact
from puppet_repl.language.values.compare import exact_equals
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import no_conversion, no_method

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.functions.registry import Function
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

# Names of facts of Facter 3 and older, with the keys of an interface since.
_KINDS = {"ipaddress": "ip", "macaddress": "mac"}


@stdlib_function(
    "stdlib::has_interface_with",
    "String[1] $interface",
    returns="Boolean",
    examples=("stdlib::has_interface_with('no_such_interface')  # => false",),
    versions=(9,),
)
def has_interface_with(interface: str, *, context: Context) -> bool:
    """Tell whether the node has a network interface of a name, or one with a value.

    With two arguments the first one names the property to compare: ip (or ipaddress), mac (or
    macaddress), netmask or network, in the facts networking.interfaces.

    @param interface the name of an interface, as the only argument
    @param kind the property to compare
    @param value the value that an interface has to have
    """
    interfaces = networking_fact(context, "interfaces")
    if type(interfaces) is not PuppetHash:
        raise no_method("key?", interfaces)
    return interfaces.has(interface)


@has_interface_with.dispatch(
    "Enum['macaddress', 'netmask', 'ipaddress', 'network', 'ip', 'mac'] $kind, String[1] $value",
    "Boolean",
)
def _has_interface_with_value(kind: str, value: str, *, context: Context) -> bool:
    key = _KINDS.get(kind, kind)
    interfaces = networking_fact(context, "interfaces")
    if type(interfaces) is not PuppetHash:
        raise no_method("any?", interfaces)
    return any(_value_of(interface, key) == value for interface in interfaces.values())


def _value_of(interface: Value, key: str) -> Value:
    """Return Ruby's ``interface[key]``."""
    if type(interface) is PuppetHash:
        return interface.get(key)
    if type(interface) is str:
        return key if key in interface else None
    if type(interface) is int or type(interface) is tuple:
        raise no_conversion(key, "Integer")
    raise no_method("[]", interface)


# The functions of stdlib 8 read facts of older Facters: interfaces, ipaddress_eth0 ...


@stdlib_legacy_function(
    "has_interface_with",
    "String $kind, String $value?",
    returns="Boolean",
    examples=("$interfaces = 'lo,eth0' has_interface_with('lo')  # => true",),
    counts=False,
    versions=(8,),
)
def has_interface_with_8(values: tuple[Value, ...], *, context: Context) -> bool:
    """Tell whether the node has a network interface of a name, or one with a value.

    With two arguments the first one names the property to compare: ipaddress, macaddress, netmask
    or network. The facts are those of Facter 3 and older: interfaces, ipaddress, ipaddress_eth0 ...

    @param kind the property to compare; as the only argument, the name of an interface
    @param value the value that an interface has to have
    """
    if len(values) not in (1, 2):
        raise RuntimeFailure(
            f"has_interface_with(): Wrong number of arguments given ({len(values)} for 1 or 2)"
        )
    interfaces = look_up_variable(context, "interfaces")
    if interfaces is None:
        return False
    if type(interfaces) is not str:
        raise no_method("split", interfaces)
    names = [name for name in interfaces.split(",") if name]
    if len(values) == 1:
        return values[0] in names
    kind, value = values
    if exact_equals(_fact(context, kind), value):
        return True
    return any(exact_equals(_fact(context, f"{kind}_{name.lower()}"), value) for name in names)


assert isinstance(has_interface_with_8, LegacyFunction)
TABLES[9].add_superseded(has_interface_with_8)


def _fact(context: Context, name: Value) -> Value:
    """Return the value of a variable, undef for an unknown variable."""
    if type(name) is not str:
        return None
    try:
        return context.scope.lookup(name) if context.scope.exists(name) else None
    except PuppetError:
        return None


def _with_interface(name: str, kind: str, doc: str) -> Function:
    """Declare a function that asks has_interface_with() of stdlib 8 for a kind of value."""

    def ask(values: tuple[Value, ...], *, context: Context) -> Value:
        if len(values) != 1:
            raise RuntimeFailure(f"{name}(): Wrong number of arguments given ({len(values)} for 1)")
        warn_of_autoloader(context, "has_interface_with")
        return has_interface_with_8.call(context, (kind, values[0]))

    ask.__doc__ = doc
    declare: Callable[..., Function] = stdlib_legacy_function(
        name,
        "String $address",
        returns="Boolean",
        examples=(f"$interfaces = 'lo' ${kind}_lo = '127.0.0.1' {name}('127.0.0.1')  # => true",),
        counts=False,
        versions=(8,),
    )
    declared = declare(ask)
    assert isinstance(declared, LegacyFunction)
    TABLES[9].add_superseded(declared)
    return declared


has_ip_address = _with_interface(
    "has_ip_address",
    "ipaddress",
    """Tell whether an interface of the node has an IP address.

    @param address the address
    """,
)
has_ip_network = _with_interface(
    "has_ip_network",
    "network",
    """Tell whether an interface of the node is in an IP network.

    @param address the address of the network
    """,
)
