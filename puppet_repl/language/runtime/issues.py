"""The messages of the evaluator: one factory for each."""

from __future__ import annotations

from puppet_repl.base.errors import EvaluationIssue, PuppetError, RuntimeFailure, Subject
from puppet_repl.base.wording import capitalized, with_article
from puppet_repl.language.values.default import DEFAULT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.base.errors import Blame
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.values.protocols import Value


def unknown_variable(name: str, candidates: Iterable[str] = ()) -> EvaluationIssue:
    """Return the error for an unknown variable; ``candidates`` are the names in reach."""
    return EvaluationIssue(
        f"Unknown variable: '{name}'.",
        "UNKNOWN_VARIABLE",
        subject=Subject("variable", name, candidates),
    )


def unknown_function(name: str) -> EvaluationIssue:
    """Return the error for a call of an unknown function."""
    return EvaluationIssue(
        f"Unknown function: '{name}'.", "UNKNOWN_FUNCTION", subject=Subject("function", name)
    )


def illegal_reassignment(name: str) -> EvaluationIssue:
    """Return the error for a second assignment in the same scope."""
    if name in ("name", "title"):
        text = f"Cannot reassign built in (or already assigned) variable '${name}'"
    else:
        text = f"Cannot reassign variable '${name}'"
    return EvaluationIssue(text, "ILLEGAL_REASSIGNMENT")


def reserved_name(name: str) -> RuntimeFailure:
    """Return the error for $facts or $trusted as a variable of an inner scope."""
    return RuntimeFailure(f"Attempt to assign to a reserved variable name: '{name}'")


def illegal_reserved_assignment(name: str) -> EvaluationIssue:
    """Return the error for an assignment to $facts, $trusted or $server_facts."""
    return EvaluationIssue(
        f"Attempt to assign to a reserved variable name: '${name}'", "ILLEGAL_RESERVED_ASSIGNMENT"
    )


def multi_assignment_size(expected: int, actual: int) -> EvaluationIssue:
    """Return the error for ``[$a, $b] = [1]``."""
    return EvaluationIssue(
        f"Mismatched number of assignable entries and values, expected {expected}, got {actual}",
        "ILLEGAL_MULTI_ASSIGNMENT_SIZE",
    )


def missing_multi_assignment_key(key: str) -> EvaluationIssue:
    """Return the error for ``[$a] = {b => 1}``."""
    return EvaluationIssue(
        f"No value for required key '{key}' in assignment to variables from hash",
        "MISSING_MULTI_ASSIGNMENT_KEY",
    )


def missing_multi_assignment_variable(name: str, blame: Blame) -> EvaluationIssue:
    """Return the error for ``[$a] = Class[b]`` where the class has no such variable."""
    return EvaluationIssue(
        f"No value for required variable '${name}' in assignment to variables from class reference",
        "MISSING_MULTI_ASSIGNMENT_VARIABLE",
        blame,
    )


def unknown_resource(type_name: str, title: str, blame: Blame = None) -> EvaluationIssue:
    """Return the error for a reference to a resource that is not in the catalog."""
    return EvaluationIssue(f"Resource not found: {type_name}['{title}']", "UNKNOWN_RESOURCE", blame)


def operator_not_applicable_when(operator: str, left: str, right: str) -> EvaluationIssue:
    """Return the error for an operator that is not defined for this pair of operands."""
    return EvaluationIssue(
        f"Operator '{operator}' is not applicable to {with_article(left)} "
        f"when right side is {with_article(right)}.",
        "OPERATOR_NOT_APPLICABLE_WHEN",
        "left",
    )


def not_numeric(text: str, blame: Blame) -> EvaluationIssue:
    """Return the error for an operand of arithmetic that is not a number."""
    return EvaluationIssue(
        f"The value '{text}' cannot be converted to Numeric.", "NOT_NUMERIC", blame
    )


def numeric_coercion(before: str, after: str, blame: Blame) -> EvaluationIssue:
    """Return the error for a string that was used as a number."""
    return EvaluationIssue(
        f"The string '{before}' was automatically coerced to the numerical value {after}",
        "NUMERIC_COERCION",
        blame,
    )


def numeric_overflow(label: str, value: int) -> EvaluationIssue:
    """Return the error for an Integer that does not fit in 64 bits."""
    end = "max" if value > 0 else "min"
    return EvaluationIssue(
        f"{capitalized(label)} resulted in a value outside of Puppet Integer {end} range, "
        f"got '{value:+#x}'",
        "NUMERIC_OVERFLOW",
    )


def comparison_not_possible(left: str, operator: str, right: str, detail: str) -> EvaluationIssue:
    """Return the error for operands that have no order."""
    return EvaluationIssue(
        f"Comparison of: {left} {operator} {right}, is not possible. Caused by '{detail}'.",
        "COMPARISON_NOT_POSSIBLE",
    )


def match_not_regexp(detail: str) -> EvaluationIssue:
    """Return the error for a right operand of ``=~`` that is not a pattern."""
    return EvaluationIssue(
        f"Can not convert right match operand to a regular expression. Caused by '{detail}'.",
        "MATCH_NOT_REGEXP",
        "right",
    )


def match_not_string(left: str) -> EvaluationIssue:
    """Return the error for a left operand of ``=~`` that is not a String."""
    return EvaluationIssue(
        f"Left match operand must result in a String value. Got {with_article(left)}.",
        "MATCH_NOT_STRING",
        "left",
    )


def unmatched_selector(text: str) -> EvaluationIssue:
    """Return the error for a selector without a matching entry."""
    return EvaluationIssue(
        f"No matching entry for selector parameter with value '{text}'",
        "UNMATCHED_SELECTOR",
        "left",
    )


def string_slice_arity(count: int) -> EvaluationIssue:
    """Return the error for ``'abc'[1, 2, 3]``."""
    return EvaluationIssue(
        f"String supports [] with one or two arguments. Got {count}",
        "BAD_STRING_SLICE_ARITY",
        "left",
    )


def array_slice_arity(count: int) -> EvaluationIssue:
    """Return the error for ``[1][1, 2, 3]``."""
    return EvaluationIssue(
        f"Array supports [] with one or two arguments. Got {count}", "BAD_ARRAY_SLICE_ARITY", "left"
    )


def key_type_name(value: Value) -> str:
    """Return the name for the type of a wrong key in messages."""
    if value is None:
        return "Undef"
    if value is DEFAULT:
        return "Default"
    from puppet_repl.language.types.algebra.infer import infer

    return str(infer(value).generalize())


def slice_key_type(left: str, actual: str, expected: str, blame: Blame) -> EvaluationIssue:
    """Return the error for an index that is not an Integer."""
    return EvaluationIssue(
        f"{capitalized(left)}[] cannot use {actual} where {expected} is expected",
        "BAD_SLICE_KEY_TYPE",
        blame,
    )


def string_slice_key_type(actual: str, blame: Blame) -> EvaluationIssue:
    """Return the error for an index into a String that is not an Integer."""
    return EvaluationIssue(
        f"A substring operation does not accept {with_article(actual)} as a character index. "
        "Expected an Integer",
        "BAD_STRING_SLICE_KEY_TYPE",
        blame,
    )


def missing_required_parameter(name: str) -> EvaluationIssue:
    """Return the error for a lambda that is called with too few arguments."""
    return EvaluationIssue(
        f"Parameter ${name} is required but no value was given", "MISSING_REQUIRED_PARAMETER"
    )


def required_after_optional(name: str) -> EvaluationIssue:
    """Return the error for ``|$a = 1, $b|``, which is raised when the lambda is called."""
    return EvaluationIssue(
        f"Parameter ${name} is required but appears after optional parameters",
        "REQUIRED_PARAMETER_AFTER_OPTIONAL",
    )


def reserved_word(word: str) -> EvaluationIssue:
    """Return the error for a reserved word such as ``private`` as an expression."""
    return EvaluationIssue(
        f"Use of reserved word: {word}, must be quoted if intended to be a String value",
        "RESERVED_WORD",
    )


def illegal_expression(label: str, feature: str, container: str, blame: Blame) -> EvaluationIssue:
    """Return the error for an expression that is not allowed in its container."""
    return EvaluationIssue(
        f"Illegal expression. {capitalized(label)} is unacceptable as {feature} "
        f"in {with_article(container)}",
        "ILLEGAL_EXPRESSION",
        blame,
    )


def illegal_epp_parameters() -> EvaluationIssue:
    """Return the error for text of a template that is directly followed by ``(``."""
    return EvaluationIssue(
        "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters "
        "to remove leading whitespace",
        "ILLEGAL_EPP_PARAMETERS",
    )


def out_of_reach(path: str) -> RuntimeFailure:
    """Return the error of a hermetic session about a file that it may not read."""
    from puppet_repl.base.reach import REASON

    return RuntimeFailure(f"{path} is {REASON}")


def redefinition(kind: str, name: str, origin: str | None) -> PuppetError:
    """Return the error, without location, for a second definition of a function or type.

    ``origin`` locates the first definition: 'builtin', Puppet's text of the place, or None.
    """
    if origin is None:
        where = "Set at unknown location"
    elif origin == "builtin":
        where = "Originally set by Puppet-Type-System/Static-Loader."
    else:
        where = f"Originally set at {origin}."
    return PuppetError(
        f"Attempt to redefine entity 'http://puppet.com/2016.1/runtime/{kind}/{name}'. {where}"
    )


def origin(source: Source, start: int) -> str:
    """Return the location of a definition as messages about redefinitions write it."""
    line, column = source.position(start)
    return f"{_uri(source.name)}?line={line}&pos={column}"


def _uri(name: str | None) -> str:
    """Return what stands for a text in such a location."""
    if name is None:
        return "string:"
    if not name.startswith("/"):
        return f"file:{name}"
    from urllib.parse import quote

    return f"file://{quote(name)}"
