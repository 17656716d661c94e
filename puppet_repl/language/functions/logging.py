"""Functions that log a message, one for each level, and fail()."""

from __future__ import annotations

from puppet_repl.base.errors import ParseFailure
from puppet_repl.language.functions.registry import Function, function, legacy_function
from puppet_repl.language.values.ruby import ruby_text
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


def _logger(level: str, doc: str, *examples: str) -> Function:
    """Declare the function that logs at a level and has its name."""

    @function(level, "Any *$values", returns="Undef", doc=doc, examples=examples)
    def log(*values: Value, context: Context) -> None:
        context.log(level, " ".join([to_text(value) for value in values]))

    return log


debug = _logger(
    "debug",
    """Log a message at the level debug.

    The arguments are written as in an interpolated string and joined by one space.

    @param values the parts of the message
    """,
    "debug('seen', [1, 2])  # debug: seen [1, 2]",
)

info = _logger(
    "info",
    """Log a message at the level info.

    The arguments are written as in an interpolated string and joined by one space.

    @param values the parts of the message
    """,
    "info('ready')  # info: ready",
)

notice = _logger(
    "notice",
    """Log a message at the level notice, the lowest one that is shown by default.

    The arguments are written as in an interpolated string and joined by one space. The result
    is undef. Parentheses are optional if the call is a statement.

    @param values the parts of the message
    """,
    "notice('port', 80)  # notice: port 80",
    "notice({a => [1, undef]})  # notice: {a => [1, ]}",
    "notice 'no parentheses'  # notice: no parentheses",
)

warning = _logger(
    "warning",
    """Log a message at the level warning.

    The arguments are written as in an interpolated string and joined by one space.

    @param values the parts of the message
    """,
    "warning('disk', 'almost full')  # warning: disk almost full",
)

err = _logger(
    "err",
    """Log a message at the level err and continue the evaluation.

    Use fail() to stop with an error.

    @param values the parts of the message
    """,
    "err('no such user:', 'zoe')  # err: no such user: zoe",
)

alert = _logger(
    "alert",
    """Log a message at the level alert.

    Unlike the calls of debug, info, notice, warning and err, this call requires parentheses.

    @param values the parts of the message
    """,
    "alert('smoke')  # alert: smoke",
)

crit = _logger(
    "crit",
    """Log a message at the level crit (critical).

    Unlike the calls of debug, info, notice, warning and err, this call requires parentheses.

    @param values the parts of the message
    """,
    "crit('out of memory')  # crit: out of memory",
)

emerg = _logger(
    "emerg",
    """Log a message at the level emerg (emergency), the highest one.

    Unlike the calls of debug, info, notice, warning and err, this call requires parentheses.

    @param values the parts of the message
    """,
    "emerg('fire')  # emerg: fire",
)


@legacy_function(
    "fail",
    "Any *$values",
    returns="Undef",
    examples=(
        "fail('port', 0, 'is not usable')"
        "  # error: Evaluation Error: Error while evaluating a Function Call, "
        "port 0 is not usable",
    ),
)
def fail(values: tuple[Value, ...]) -> NoReturn:
    """Stop the evaluation with an error.

    The message of the error consists of the arguments, joined by one space.

    @param values the parts of the message
    """
    raise ParseFailure(" ".join([ruby_text(value) for value in values]))
