"""Fractions of seconds where times meet integers."""

from __future__ import annotations

from tests.recorded import text_and_type


def test_fractions_count_where_times_meet_integers() -> None:
    """Puppet drops them: to it, Timespan(1.5) is 1 and 1.5, and comes before 1 in a sort."""
    code = "[Timespan(1.5) == 1, 1 == Timespan(1.5), Timestamp(0.1) == 0, 0 != Timespan(0.1)]"
    assert text_and_type(code)["str"] == "[false, false, false, true]"
    code = '[2, Timespan(1.5), 1].sort.map |$x| { "$x" }'
    assert text_and_type(code)["str"] == "['1', '0-00:00:01.5', '2']"
