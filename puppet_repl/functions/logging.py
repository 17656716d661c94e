"""Messages to the log, one function for each level, and fail()."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.functions.registry import Function, LegacyFunction, by_name
from puppet_repl.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.runtime.context import Context


def _logger(level: str, doc: str, *examples: str, statement: bool = False) -> Function:
    function = Function(level, theme="logging", doc=doc, examples=examples, statement=statement)

    @function.dispatch("Any *$values", returns="Undef")
    def log(*values: Any, context: Context) -> None:
        context.log(level, " ".join([to_text(value) for value in values]))

    return function


debug = _logger(
    "debug",
    """Log a message at the level debug.

    The arguments are written as in an interpolated string and joined by one space.
    """,
    "debug('seen', [1, 2])  # debug: seen [1, 2]",
    statement=True,
)

info = _logger(
    "info",
    """Log a message at the level info.

    The arguments are written as in an interpolated string and joined by one space.
    """,
    "info('ready')  # info: ready",
    statement=True,
)

notice = _logger(
    "notice",
    """Log a message at the level notice, the one that is normally shown.

    The arguments are written as in an interpolated string and joined by one space. The result
    is undef. Parentheses may be left out where the call is a statement of its own.
    """,
    "notice('port', 80)  # notice: port 80",
    "notice({a => [1, undef]})  # notice: {a => [1, ]}",
    "notice 'no parentheses'  # notice: no parentheses",
    statement=True,
)

warning = _logger(
    "warning",
    """Log a message at the level warning.

    The arguments are written as in an interpolated string and joined by one space.
    """,
    "warning('disk', 'almost full')  # warning: disk almost full",
    statement=True,
)

err = _logger(
    "err",
    """Log a message at the level err; evaluation goes on.

    To stop with an error, use fail().
    """,
    "err('no such user:', 'zoe')  # err: no such user: zoe",
    statement=True,
)

alert = _logger(
    "alert",
    """Log a message at the level alert.

    Unlike notice() and its like, the call always needs its parentheses.
    """,
    "alert('smoke')  # alert: smoke",
)

crit = _logger(
    "crit",
    """Log a message at the level crit (critical).

    Unlike notice() and its like, the call always needs its parentheses.
    """,
    "crit('out of memory')  # crit: out of memory",
)

emerg = _logger(
    "emerg",
    """Log a message at the level emerg (emergency), the highest there is.

    Unlike notice() and its like, the call always needs its parentheses.
    """,
    "emerg('fire')  # emerg: fire",
)

fail = LegacyFunction(
    "fail",
    -1,
    theme="logging",
    statement=True,
    doc="""Stop the evaluation with an error.

    The text of the error is made of the arguments, joined by one space.
    """,
    examples=(
        "fail('port', 0, 'is not usable')"
        "  # error: Evaluation Error: Error while evaluating a Function Call, "
        "port 0 is not usable",
    ),
)


@fail.body("Any *$values", returns="Undef")
def _fail(values: tuple[Any, ...]) -> None:
    from puppet_repl.values.ruby import ruby_text

    raise RuntimeFailure(" ".join([ruby_text(value) for value in values]))


FUNCTIONS = by_name(debug, info, notice, warning, err, alert, crit, emerg, fail)
