"""The functions of stdlib 8 that stdlib 9 keeps for a while, under their old names.

Each warns, once, and calls the function of the same name in the namespace of the module.
"""

from __future__ import annotations

from puppet_repl.language.functions.stdlib.declaring import stdlib_function
from puppet_repl.language.functions.stdlib.deprecation import warn_of_old_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


def _deprecated(name: str, example: str) -> None:
    """Declare the old name of a function, with an example of a call."""

    def call_moved(*args: Value, context: Context) -> Value:
        warn_of_old_name(name, context)
        return context.call_function(f"stdlib::{name}", args)

    call_moved.__doc__ = f"""Call stdlib::{name}(), after a warning that this name is deprecated.

    @param args the arguments of stdlib::{name}()
    """
    stdlib_function(name, "Any *$args", examples=(example,), versions=(9,))(call_moved)


_deprecated("batch_escape", 'batch_escape(\'a "b"\')  # => \'"a ""b"""\'')
_deprecated("fqdn_rand_string", "fqdn_rand_string(3, 'x')  # => 'xxx'")
_deprecated("fqdn_rotate", "fqdn_rotate(['a'])  # => ['a']")
_deprecated("has_interface_with", "has_interface_with('no_such_interface')  # => false")
_deprecated("has_ip_address", "has_ip_address('192.0.2.1')  # => false")
_deprecated("has_ip_network", "has_ip_network('192.0.2.0')  # => false")
_deprecated("os_version_gte", "os_version_gte('Debian', '8')  # => true")
_deprecated("parsehocon", "parsehocon('a: 1')  # => {'a' => 1}")
_deprecated("powershell_escape", "powershell_escape('a b')  # => 'a` b'")
_deprecated("seeded_rand", "seeded_rand(10, 'seed')  # => 9")
_deprecated("seeded_rand_string", "seeded_rand_string(10, 'seed')  # => 'JSYSrD2xIu'")
_deprecated("shell_escape", "shell_escape('a b')  # => 'a\\ b'")
_deprecated("to_json", "to_json([1, undef])  # => '[1,null]'")
_deprecated("to_json_pretty", 'to_json_pretty([1])  # => "[\\n  1\\n]\\n"')
_deprecated("to_python", "to_python([true, undef])  # => '[True, None]'")
_deprecated("to_ruby", "to_ruby({a => undef})  # => '{\"a\" => nil}'")
_deprecated("to_toml", 'to_toml({a => 1})  # => "a = 1\\n"')
_deprecated("to_yaml", 'to_yaml({a => 1})  # => "---\\na: 1\\n"')
_deprecated("type_of", "type_of(1)  # => Integer[1, 1]")
_deprecated("validate_domain_name", "validate_domain_name('example.com')  # => undef")
_deprecated("validate_email_address", "validate_email_address('ada@example.com')  # => undef")


@stdlib_function(
    "merge",
    "Any *$args, Variant[Callable[2,2], Callable[3,3]] &$block?",
    examples=("merge({a => 1}, {b => 2})  # => {'a' => 1, 'b' => 2}",),
    versions=(9,),
)
def merge(*args: Value, context: Context, block: Closure | None = None) -> Value:
    """Call stdlib::merge(), after a warning that this name is deprecated.

    @param args the arguments of stdlib::merge()
    @param block the block of stdlib::merge()
    """
    warn_of_old_name("merge", context)
    return context.call_function("stdlib::merge", args, block)
