"""validate_legacy(): the way from the validations of stdlib 8 to types."""

from __future__ import annotations

from puppet_repl.base.errors import ParseFailure, RuntimeFailure
from puppet_repl.language.functions.registry import Function
from puppet_repl.language.functions.signatures import Dispatch
from puppet_repl.language.functions.stdlib.declaring import TABLES
from puppet_repl.language.functions.stdlib.deprecation import LogMessage, deprecate, deprecate_8
from puppet_repl.language.types.algebra.infer import infer_set
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.types.text.mismatch import describe_mismatch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value

_DEPRECATED = "This method is deprecated, please use Puppet data types to validate parameters"


class _ScopedFunction(Function):
    """A function that gets Puppet's scope as its first argument, and no block.

    Only messages about its arguments tell.
    """

    def call(
        self, context: Context, args: tuple[Value, ...], block: Closure | None = None
    ) -> Value:
        """Return the result of the first dispatch that accepts the arguments."""
        return super().call(context, args)

    def rejection(self, args: tuple[Value, ...], block: Closure | None) -> RuntimeFailure:
        """Return the error that says why no signature accepts these arguments."""
        with_scope = Function(self.name, theme=self.theme, doc=self.declared_doc)
        with_scope.dispatches = [
            Dispatch(f"Any $scope, {each.text}", "Any", each.implementation, {}, explains=False)
            for each in self.dispatches
        ]
        return with_scope.rejection((None, *args), None)


class _OnlyBuiltinTypes:
    """What Puppet's reader of types is given to look names up in: a scope, which cannot."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def lookup_type(self, name: str) -> PuppetType | None:
        """Raise Ruby's error: every name that is asked for here is not a type of the language."""
        raise RuntimeFailure(
            f"private method `load' called for {_scope_text(self.context)}:Puppet::Parser::Scope"
        )


def _scope_text(context: Context) -> str:
    """Return Ruby's text of the scope whose code calls."""
    resource = context.scope.resource
    return f"Scope({'Class[main]' if resource is None else resource.ref})"


def _type_of(text: str, context: Context) -> PuppetType:
    return parse_type(text, _OnlyBuiltinTypes(context))


def _validate_9(
    target_type: PuppetType, function_name: str, value: Value, *args: Value, context: Context
) -> None:
    """Fail unless a value is an instance of a type.

    The name of a validation and its further arguments have no meaning any more.

    @param target_type the type
    @param function_name means nothing any more
    @param value the value
    @param args mean nothing any more
    @param type_string the type as text
    """
    deprecate(context, "validate_legacy", _DEPRECATED)
    if not target_type.accepts_value(value):
        subject = f"validate_legacy({target_type}, ...)"
        raise RuntimeFailure(describe_mismatch(subject, target_type, infer_set(value)))


def _validate_text_9(
    text: str, function_name: str, value: Value, *args: Value, context: Context
) -> None:
    _validate_9(_type_of(text, context), function_name, value, *args, context=context)


def _validate_8(
    target_type: PuppetType, function_name: str, value: Value, *args: Value, context: Context
) -> Value:
    """Check a value with a type and with an older validation, which gets the further arguments.

    If both refuse the value, the call is an error. If only the type refuses it, there is a warning,
    or an error with the setting strict; if only the validation refuses it, a notice.

    @param target_type the type
    @param function_name the name of the older validation
    @param value the value
    @param args further arguments of the older validation
    @param type_string the type as text
    """
    if target_type.accepts_value(value):
        if not _passes(function_name, (value, *args), context):
            message = f"Accepting previously invalid value for target type '{target_type}'"
            context.log("notice", message)
            return LogMessage(message)
        return None
    subject = f"validate_legacy({function_name})"
    message = describe_mismatch(subject, target_type, infer_set(value))
    if _passes(function_name, (value, *args), context):
        return deprecate_8(context, "validate_legacy", message)
    raise RuntimeFailure(message)


def _validate_text_8(
    text: str, function_name: str, value: Value, *args: Value, context: Context
) -> Value:
    return _validate_8(_type_of(text, context), function_name, value, *args, context=context)


def _passes(name: str, values: tuple[Value, ...], context: Context) -> bool:
    """Tell whether an older validation accepts the values."""
    environment = context.environment
    function = None if environment is None else environment.legacy_function(name)
    if function is None:
        raise RuntimeFailure(
            f"undefined method `function_{name}' for {_scope_text(context)}:Puppet::Parser::Scope"
        )
    try:
        function.run(values, context)
    except ParseFailure:
        return False
    return True


def _declare(version: int, examples: tuple[str, ...]) -> Function:
    of_type, of_text = (
        (_validate_8, _validate_text_8) if version == 8 else (_validate_9, _validate_text_9)
    )
    declared = _ScopedFunction(
        "validate_legacy", theme="validate_legacy", doc=of_type.__doc__ or "", examples=examples
    )
    rest = "String $function_name, Any $value, Any *$args"
    declared.dispatch(f"Type $target_type, {rest}")(of_type)
    declared.dispatch(f"String $type_string, {rest}")(of_text)
    TABLES[version].add(declared)
    return declared


validate_legacy_8 = _declare(
    8,
    (
        "validate_legacy(Integer[1, 9], 'validate_integer', 7, 9, 1)  # => undef",
        "validate_legacy(String, 'validate_string', 1)  # error: Evaluation Error: Error while"
        " evaluating a Function Call, validate_legacy(validate_string) expects a String value, got"
        " Integer",
    ),
)
validate_legacy = _declare(
    9,
    (
        "validate_legacy(String, 'validate_string', 'a')"
        "  # error: Evaluation Error: Error while evaluating a Function Call, deprecation."
        f" validate_legacy. {_DEPRECATED}"
        ' at ["unknown", 1]:["unknown", 0]',
    ),
)
