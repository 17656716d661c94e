"""Functions of stdlib 8 that are deprecated, some of them in both kinds.

If both kinds exist, Puppet code calls the newer one: it warns, or fails with the setting strict,
and calls the older one with the same arguments. Ruby code, and validate_legacy(), call the older
one.
"""

from __future__ import annotations

from puppet_repl.language.functions.registry import Function, LegacyFunction, theme_of
from puppet_repl.language.functions.stdlib.declaring import TABLES
from puppet_repl.language.functions.stdlib.deprecation import deprecate, deprecate_legacy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.functions.signatures import Implementation
    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

_VERSION = 8


class OlderFunction(LegacyFunction):
    """The older kind; ``notice`` is a warning that only an environment variable asks for."""

    __slots__ = ("notice",)

    notice: str

    def run(self, values: tuple[Value, ...], context: Context) -> Value:
        """Return the result for arguments as they are."""
        if self.notice:
            deprecate_legacy(context, self.name, self.notice)
        return super().run(values, context)


class NewerFunction(Function):
    """The newer kind: a warning with its key, and the function that does the work."""

    __slots__ = ("key", "older", "warning")

    key: str
    warning: str
    older: OlderFunction

    def call(
        self, context: Context, args: tuple[Value, ...], block: Closure | None = None
    ) -> Value:
        """Warn, and return what the older kind returns. Blocks are ignored."""
        deprecate(context, self.key, self.warning)
        return self.older.run(args, context)


def superseded_function(
    name: str,
    signature: str,
    *,
    returns: str = "Boolean",
    examples: tuple[str, ...] = (),
    sample: str = "",
    counts: bool = False,
    notice: str = "",
    warning: str = "",
    key: str = "",
    is_hidden: bool = False,
) -> Callable[[Implementation], OlderFunction]:
    """Declare a function of stdlib 8, implemented by the decorated callable.

    ``notice`` is the warning of the older kind. With a ``warning``, a function of the newer kind is
    declared too, which warns once for each ``key`` (the name by default); its example is a call
    with ``sample``. With ``is_hidden``, a function of the newer kind that is declared elsewhere,
    such as Puppet's own, takes precedence.
    """
    if warning:
        examples = (_example(f"{name}({sample})", key or name, warning),)

    def declare(implementation: Implementation) -> OlderFunction:
        theme = theme_of(implementation)
        doc = implementation.__doc__ or ""
        older = OlderFunction(name, theme=theme, doc=doc, examples=examples, counts=counts)
        older.notice = notice
        older.dispatch(signature, returns)(implementation)
        table = TABLES[_VERSION]
        if is_hidden:
            table.add_superseded(older)
            return older
        if not warning:
            table.add(older)
            return older
        newer = NewerFunction(name, theme=theme, doc=doc, examples=examples)
        newer.key = key or name
        newer.warning = warning
        newer.older = older
        newer.dispatch(signature, returns)(implementation)
        table.add(newer)
        table.add_superseded(older)
        return older

    return declare


def _example(call: str, key: str, warning: str) -> str:
    return (
        f"{call}  # error: Evaluation Error: Error while evaluating a Function Call,"
        f' deprecation. {key}. {warning} at ["unknown", 1]:["unknown", 0]'
    )


def use_a_match(alias: str) -> str:
    """Return the warning of a test that a type alias replaces."""
    return (
        "This method is deprecated, please use match expressions with"
        f" Stdlib::Compat::{alias} instead. They are described at"
        " https://docs.puppet.com/puppet/latest/reference/lang_data_type.html#match-expressions."
    )


def use_validate_legacy(type_text: str, indent: int = 20) -> str:
    """Return the warning of a validation, whose second line begins with some blanks."""
    return (
        "This method is deprecated, please use the stdlib validate_legacy function,\n"
        f"{' ' * indent}with {type_text}. There is further documentation for"
        " validate_legacy function in the README."
    )
