"""Errors between the brackets of ``T[...]``: one factory per message."""

from __future__ import annotations

from puppet_repl.base.errors import EvaluationIssue, RuntimeFailure, Subject
from puppet_repl.base.wording import capitalized, counted, with_article
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.model.inference import inferred
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.labels import value_label
from puppet_repl.language.values.ruby import ruby_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.errors import Blame
    from puppet_repl.language.values.protocols import Value


def key_type_name(value: Value) -> str:
    """Return how the type of an unfit key is called: generalized."""
    if value is None:
        return "Undef"
    return "Default" if value is DEFAULT else str(inferred(value).generalize())


def arity(
    label: str, least: int, most: int | None, actual: int, blame: Blame = None
) -> EvaluationIssue:
    """Return the error of too few or too many parameters; ``most`` is -1 for any number."""
    if most == -1:
        accepted = f"{least} or more arguments"
    elif most is not None and most != least:
        accepted = f"{least} to {most} arguments"
    else:
        accepted = counted(least, "argument")
    text = f"{label}[] accepts {accepted}. Got {actual}"
    return EvaluationIssue(text, "BAD_TYPE_SLICE_ARITY", blame)


def type_arity(
    target: PuppetType, least: int, most: int | None, actual: int, blame: Blame = None
) -> EvaluationIssue:
    """Return that error where Puppet names the type as the operand that it is."""
    return arity(capitalized(target.puppet_label), least, most, actual, blame)


def not_a_type(label: str, value: Value, index: int) -> EvaluationIssue:
    """Return the error of a parameter that must be a type."""
    text = f"{label}[] arguments must be types. Got {ruby_class(value)}"
    return EvaluationIssue(text, "BAD_TYPE_SLICE_TYPE", ("keys", index))


def not_type_or_string(label: str, value: Value) -> EvaluationIssue:
    """Return the error of a parameter of NotUndef."""
    text = f"{label}[] argument must be a Type or a String. Got {ruby_class(value)}"
    return EvaluationIssue(text, "BAD_NOT_UNDEF_SLICE_TYPE", ("keys", 0))


def wrong_key(target: PuppetType, value: Value, expected: str, index: int) -> EvaluationIssue:
    """Return the error of a parameter of a kind that the type cannot use."""
    text = (
        f"Error creating type specialization of {with_article(target.puppet_label)}, "
        f"Cannot use {key_type_name(value)} where {expected} is expected"
    )
    return EvaluationIssue(text, "BAD_TYPE_SPECIALIZATION", ("keys", index))


def bad_size(value: Value, index: int) -> EvaluationIssue:
    """Return the error of a size that is not a number."""
    label = f"{value.kind}-Type" if isinstance(value, PuppetType) else ruby_class(value)
    text = (
        "A Type's size constraint arguments must be a single Integer type, "
        f"or 1-2 integers (or default). Got {with_article(label)}"
    )
    return EvaluationIssue(text, "BAD_COLLECTION_SLICE_TYPE", ("keys", index))


def integer_arity(actual: int) -> EvaluationIssue:
    """Return the error of Integer[...] with anything but a range."""
    text = f"Integer-Type supports [] with one or two arguments (from, to). Got {actual}"
    return EvaluationIssue(text, "BAD_INTEGER_SLICE_ARITY")


def integer_bound(value: Value, index: int) -> EvaluationIssue:
    """Return the error of a bound of Integer[...] that is not an Integer."""
    text = (
        "Integer-Type [] requires all arguments to be integers (or default). "
        f"Got {ruby_class(value)}"
    )
    return EvaluationIssue(text, "BAD_INTEGER_SLICE_TYPE", ("keys", index))


def float_arity(actual: int) -> EvaluationIssue:
    """Return the error of Float[...] with anything but a range."""
    text = f"Float-Type supports [] with one or two arguments (from, to). Got {actual}"
    return EvaluationIssue(text, "BAD_INTEGER_SLICE_ARITY")


def float_bound(value: Value, index: int) -> EvaluationIssue:
    """Return the error of a bound of Float[...] that is not a number."""
    text = (
        "Float-Type [] requires all arguments to be floats, or integers (or default). "
        f"Got {ruby_class(value)}"
    )
    return EvaluationIssue(text, "BAD_INTEGER_SLICE_TYPE", ("keys", index))


def string_arity(actual: int) -> EvaluationIssue:
    """Return the error of String[...] with anything but a range of sizes."""
    text = f"String supports [] with one or two arguments. Got {actual}"
    return EvaluationIssue(text, "BAD_STRING_SLICE_ARITY")


def not_applicable(target: PuppetType) -> EvaluationIssue:
    """Return the error of ``[]`` on a type without parameters."""
    text = f"Operator '[]' is not applicable to {with_article(target.puppet_label)}."
    return EvaluationIssue(text, "OPERATOR_NOT_APPLICABLE", "left")


def unknown_resource_type(name: str) -> EvaluationIssue:
    """Return the error of a name that is neither a type nor a resource type."""
    return EvaluationIssue(
        f"Resource type not found: {name}",
        "UNKNOWN_RESOURCE_TYPE",
        subject=Subject("type", name.partition("[")[0]),
    )


def range_backwards(low: str, high: str) -> RuntimeFailure:
    """Return the error of a range from high to low. The parenthesis stays open in Puppet."""
    return RuntimeFailure(f"'from' must be less or equal to 'to'. Got ({low}, {high}")


def illegal_class_name(value: Value, index: int) -> EvaluationIssue:
    """Return the error of ``Class[1]``."""
    text = (
        f"Illegal Class name in class reference. {capitalized(value_label(value))} "
        "cannot be used where a String is expected"
    )
    return EvaluationIssue(text, "ILLEGAL_HOSTCLASS_NAME", ("keys", index))


def illegal_name(name: str, index: int) -> EvaluationIssue:
    """Return the error of ``Class['a b']``."""
    text = (
        f"Illegal name. The given name '{name}' does not conform to the naming rule "
        "/^((::)?[a-z_]\\w*)(::[a-z]\\w*)*$/"
    )
    return EvaluationIssue(text, "ILLEGAL_NAME", ("keys", index))


def illegal_reference(name: str, blame: Blame) -> EvaluationIssue:
    """Return the error of ``Resource['a b']``."""
    text = f"Illegal type reference. The given name '{name}' does not conform to the naming rule"
    return EvaluationIssue(text, "ILLEGAL_CLASSREF", blame)


def illegal_resource(value: Value, blame: Blame) -> EvaluationIssue:
    """Return the error of ``Resource[1]``."""
    text = (
        "First argument to Resource[] must be a resource type or a String. "
        f"Got {key_type_name(value)}."
    )
    return EvaluationIssue(text, "ILLEGAL_RESOURCE_SPECIALIZATION", blame)
