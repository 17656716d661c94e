"""Warnings and errors about deprecated functions, and private classes.

Other functions of stdlib call ``deprecate``. The environment variable ``STDLIB_LOG_DEPRECATIONS``
silences the warnings ("false"), or turns on those of the functions of the older kind ("true"), as
it does in stdlib.
"""

from __future__ import annotations

import os

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.registry import LegacyFunction
from puppet_repl.language.functions.stdlib.declaring import (
    TABLES,
    release_of,
    stdlib_function,
    stdlib_legacy_function,
)
from puppet_repl.language.runtime.call_location import NO_LOCATION, call_stack
from puppet_repl.language.values.protocols import PuppetValue
from puppet_repl.language.values.quote import quote
from puppet_repl.language.values.ruby import ruby_inspect, ruby_text
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

_VARIABLE = "STDLIB_LOG_DEPRECATIONS"


def deprecate(
    context: Context, key: str, message: str, *, use_strict_setting: bool = True
) -> str | None:
    """Warn of something deprecated, once for a key; an error with the setting ``strict`` = error.

    With ``use_strict_setting`` the setting "off" turns the warning off. Return the text of the
    warning if there was one now.
    """
    once = f"deprecation {key}"
    if not use_strict_setting and context.has_warned(once):
        return None
    stack = call_stack(context)
    places = [ruby_inspect(place) for place in stack[:2]] + ["", ""]
    message = f"{message} at {places[0]}:{places[1]}"
    if use_strict_setting:
        strict = context.options.strict
        if strict == "off":
            return None
        if strict == "error":
            raise RuntimeFailure(f"deprecation. {key}. {message}")
    if _wanted(context) == "false":
        return None
    return message if context.warn_once(once, message) else None


def warn_of_old_name(name: str, context: Context) -> None:
    """Warn that stdlib::NAME is to be called, as stdlib 9 does: until 9.2 by the setting strict."""
    environment = context.environment
    stdlib = None if environment is None else environment.stdlib
    is_old = stdlib is not None and release_of(stdlib.module.version) < (9, 2)
    message = f"This function is deprecated, please use stdlib::{name} instead."
    deprecate(context, name, message, use_strict_setting=is_old)


def _wanted(context: Context) -> str | None:
    """Return the value of the environment variable; a hermetic session sees none."""
    return None if context.options.hermetic else os.environ.get(_VARIABLE)


class LogMessage(PuppetValue):
    """What Ruby functions of Puppet return that end with a logged message: that message."""

    __slots__ = ("text",)
    ruby_class = "Puppet::Util::Log"

    def __init__(self, text: str) -> None:
        self.text = text

    def puppet_text(self) -> str:
        """Return the text that was logged."""
        return self.text

    def puppet_program(self) -> str:
        """Return the text in quotes."""
        return quote(self.text)


def deprecate_8(context: Context, key: str, message: str) -> Value:
    """Return the result of stdlib 8's ``deprecation``: the warning with the place of its code."""
    warned = deprecate(context, key, message)
    if warned is None:
        return None
    environment = context.environment
    directory = None if environment is None else environment.module_directory("stdlib")
    path = "/".join((directory or "stdlib", "lib", "puppet", "functions", "deprecation.rb"))
    return LogMessage(f"{warned}\n   (location: {path}:36:in `deprecation')")


def deprecate_legacy(context: Context, key: str, message: str) -> None:
    """Warn as stdlib 8's older ``deprecation`` does, for functions of the older kind."""
    if _wanted(context) == "true":
        context.log("warning", f"deprecation. {key}. {message}")


def warn_of_autoloader(context: Context, name: str) -> None:
    """Warn of the old way in which stdlib 8 loads a function of the older kind, once for each."""
    if context.options.strict == "off":
        return
    for method in ("loaded?", "load"):
        text = (
            f"The method 'Puppet::Parser::Functions.autoloader#{method}(\"{name}\")' is"
            f" deprecated in favor of using 'Scope#call_function'.{NO_LOCATION}"
        )
        context.warn_once(text, text)


@stdlib_function(
    "deprecation",
    "String $key, String $message",
    examples=(
        "deprecation('x', 'no more')"
        "  # error: Evaluation Error: Error while evaluating a Function Call, "
        'deprecation. x. no more at ["unknown", 1]:["unknown", 0]',
    ),
    versions=(8,),
)
def deprecation_8(key: str, message: str, *, context: Context) -> Value:
    """Warn of something deprecated, once for each key.

    The setting strict decides: with "error" it is an error, with "off" nothing happens.

    @param key what stands for the warning, so that it comes once
    @param message the text of the warning
    @return [Undef]
    """
    return deprecate_8(context, key, message)


def _deprecation_of_older_kind(values: tuple[Value, ...], *, context: Context) -> None:
    """Warn as the older kind does, which Ruby code calls: only where a variable asks for it."""
    if len(values) != 2:
        raise RuntimeFailure(f"deprecation: Wrong number of arguments given ({len(values)} for 2)")
    deprecate_legacy(context, ruby_text(values[0]), ruby_text(values[1]))


_older = LegacyFunction(
    "deprecation",
    theme="deprecation",
    doc=_deprecation_of_older_kind.__doc__ or "",
    counts=False,
)
_older.dispatch("String $key, String $message")(_deprecation_of_older_kind)
TABLES[8].add_superseded(_older)


@stdlib_function(
    "deprecation",
    "String $key, String $message, Boolean $use_strict_setting?",
    examples=(
        "deprecation('x', 'no more', false)"
        '  # warning: no more at ["unknown", 1]:["unknown", 0]',
    ),
    versions=(9,),
)
def deprecation(
    key: str, message: str, use_strict_setting: bool = True, *, context: Context
) -> None:
    """Warn of something deprecated, once for each key.

    The setting strict decides: with "error" it is an error, with "off" nothing happens. If the
    third argument is false, it is a warning whatever the setting is.

    @param key what stands for the warning, so that it comes once
    @param message the text of the warning
    @param use_strict_setting whether the setting strict decides (true)
    @return [Undef]
    """
    deprecate(context, key, message, use_strict_setting=use_strict_setting)


@stdlib_legacy_function(
    "assert_private",
    "String $message?",
    returns="Undef",
    examples=(
        "assert_private('keep out')"
        "  # error: Evaluation Error: Error while evaluating a Function Call, keep out",
    ),
    counts=False,
)
def assert_private(values: tuple[Value, ...], *, context: Context) -> None:
    """Refuse to evaluate a class or defined type that another module uses.

    Called in the body of a class or define, it is an error unless code of the same module declared
    that. The argument is the message of the error.

    @param message the message of the error, in place of the usual one
    """
    if len(values) > 1:
        raise RuntimeFailure(
            f"assert_private(): Wrong number of arguments given ({len(values)}}}) for 0 or 1)"
        )
    definitions = context.catalog.definitions
    definer = definitions.definer_of(context.scope)
    variables = context.scope.variables
    is_inside = variables["module_name"] == variables["caller_module_name"]
    # The program itself has a module without a name, and no caller at all.
    if is_inside and definer is not definitions.main:
        return
    if values and type(values[0]) is str:
        raise RuntimeFailure(values[0])
    kind = "Class" if definer.kind == "class" else "Definition"
    raise RuntimeFailure(f"{kind} {to_text(definer.name)} is private")


@stdlib_legacy_function(
    "private",
    "String $message?",
    returns="Undef",
    counts=False,
    versions=(8,),
)
def private(values: tuple[Value, ...], *, context: Context) -> None:
    """Refuse to evaluate a class or defined type that another module uses: see assert_private().

    The name is a reserved word of Puppet, so only call() reaches this function.

    @param message the message of the error, in place of the usual one
    """
    context.log("warning", _PRIVATE)
    warn_of_autoloader(context, "assert_private")
    assert_private.call(context, (values[0] if values else None,))


_PRIVATE = (
    "private() DEPRECATED: This function will cease to function on Puppet 4; please use"
    " assert_private() before upgrading to puppet 4 for backwards-compatibility, or migrate to"
    " the new parser's typing system."
)
