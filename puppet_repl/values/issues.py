"""Messages about operators that values do not support: one factory for each."""

from __future__ import annotations

from puppet_repl.base.wording import with_article
from puppet_repl.errors import EvaluationError


def operator_not_applicable(operator: str, left: str) -> EvaluationError:
    """Return the error for an operator that the left operand lacks; ``left`` is its label."""
    return EvaluationError(
        f"Operator '{operator}' is not applicable to {with_article(left)}.",
        "OPERATOR_NOT_APPLICABLE",
        "left",
    )


def division_by_zero() -> EvaluationError:
    """Return the error for ``1 / 0``."""
    return EvaluationError("Division by 0", "DIV_BY_ZERO", "right")


def result_is_infinity(operator: str) -> EvaluationError:
    """Return the error for a Float that became too large."""
    return EvaluationError(
        f"The result of the {operator} expression is Infinity", "RESULT_IS_INFINITY", "left"
    )
