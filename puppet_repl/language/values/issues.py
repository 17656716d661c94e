"""Messages about operators that values do not support: one factory for each."""

from __future__ import annotations

from puppet_repl.base.errors import EvaluationIssue
from puppet_repl.base.wording import with_article


def operator_not_applicable(operator: str, left: str) -> EvaluationIssue:
    """Return the error for an operator that the left operand lacks; ``left`` is its label."""
    return EvaluationIssue(
        f"Operator '{operator}' is not applicable to {with_article(left)}.",
        "OPERATOR_NOT_APPLICABLE",
        "left",
    )


def division_by_zero() -> EvaluationIssue:
    """Return the error for ``1 / 0``."""
    return EvaluationIssue("Division by 0", "DIV_BY_ZERO", "right")


def result_is_infinity(operator: str) -> EvaluationIssue:
    """Return the error for a Float that became too large."""
    return EvaluationIssue(
        f"The result of the {operator} expression is Infinity", "RESULT_IS_INFINITY", "left"
    )
