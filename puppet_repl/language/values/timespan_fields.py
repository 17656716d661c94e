"""The sum of named parts of a Timespan, which Puppet adds up as Ruby does."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.values.calendar import SECOND
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.ruby import no_conversion, no_method, ruby_kind
from puppet_repl.language.values.semver import SemVer
from puppet_repl.language.values.time import Timespan, Timestamp, TimeValue, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.hash import PuppetHash
    from puppet_repl.language.values.protocols import Value

_IN_THE_NEXT = (
    ("hours", 24),
    ("minutes", 60),
    ("seconds", 60),
    ("milliseconds", 1000),
    ("microseconds", 1000),
    ("nanoseconds", 1000),
)
"""The parts below days, and how many of each are one of the part before it."""


def timespan_of(fields: PuppetHash) -> Timespan:
    """Return the Timespan of ``negative``, ``days`` ... ``nanoseconds``; other keys do not count.

    The parts need not be in their ranges; undef is 0, and a time counts as its seconds. Raises
    RuntimeFailure with Ruby's words if a part cannot be added.
    """
    total = _days(fields.get("days"))
    for name, factor in _IN_THE_NEXT:
        total = total * factor + _part(fields.get(name), total)
    is_negative = fields.get("negative") not in (None, False)
    return Timespan(whole(-total if is_negative else total))


def _days(value: Value) -> int | float:
    """Return the first part, of which Ruby's multiplication is asked."""
    number = _number(value)
    if number is not None and type(value) is not Timestamp:
        return number
    if type(value) is str or type(value) is tuple:
        # These can be multiplied; then an Integer is added.
        raise no_conversion(0, "String" if type(value) is str else "Array")
    raise no_method("*", value)


def _part(value: Value, total: int | float) -> int | float:
    """Return a part that is added to the sum of those before it."""
    number = _number(value)
    if number is not None:
        return number
    if type(value) is SemVer:
        raise RuntimeFailure("can't convert SemanticPuppet::Version into Float")
    kind = ":default" if value is DEFAULT else ruby_kind(value)
    sum_kind = "Float" if type(total) is float else "Integer"
    raise RuntimeFailure(f"{kind} can't be coerced into {sum_kind}")


def _number(value: Value) -> int | float | None:
    """Return a part as a number; None for other values."""
    if value is None or value is False:
        return 0
    if isinstance(value, TimeValue):
        return value.seconds if value.ns % SECOND else value.ns // SECOND
    return value if type(value) is int or type(value) is float else None
