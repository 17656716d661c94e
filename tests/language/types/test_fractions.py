"""Bounds of times that are not whole numbers."""

from __future__ import annotations

import pytest

from tests.recorded import text_and_type


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("Timespan[1.5]", "Timespan['0-00:00:01.5']"),
        ("Timespan[{hours => 1e-10}]", "Timespan['0-00:00:00.00000036']"),
        ("Timespan[{nanoseconds => -3}]", "Timespan['-0-00:00:00.000000003']"),
    ],
)
def test_fractions_of_floats(code: str, text: str) -> None:
    """Puppet calculates such bounds as Floats, and prints nanoseconds as if they were digits."""
    assert text_and_type(code)["str"] == text


@pytest.mark.parametrize(
    "code", ["Timespan[1e300]", "Timestamp[1e300]", "Timespan[{days => 1e300}]"]
)
def test_bounds_without_end_are_refused(code: str) -> None:
    """Puppet makes types of these that it cannot print."""
    error = text_and_type(code)["error"]
    assert error == "Evaluation Error: Error while evaluating a '[]' expression, Infinity"
