"""Words in messages."""

from __future__ import annotations

import pytest

from puppet_repl.base.wording import counted, failure_with_file, why_unusable


@pytest.mark.parametrize(
    ("number", "words", "expected"),
    [
        (0, ("input",), "0 inputs"),
        (1, ("input",), "1 input"),
        (2, ("more line",), "2 more lines"),
        (1, ("entry", "entries"), "1 entry"),
        (2, ("entry", "entries"), "2 entries"),
    ],
)
def test_nouns_are_counted(number: int, words: tuple[str, ...], expected: str) -> None:
    assert counted(number, *words) == expected


def test_errors_of_the_system_are_told_without_their_number() -> None:
    named = OSError(2, "No such file or directory", "a.pp")
    assert why_unusable(named) == "No such file or directory"
    assert failure_with_file(named) == "a.pp: No such file or directory"
    assert failure_with_file(OSError(28, "No space left on device")) == "No space left on device"
    assert why_unusable(OSError("timed out")) == "timed out"
    with pytest.raises(UnicodeDecodeError) as caught:
        b"ab\xff".decode()
    assert why_unusable(caught.value) == "not UTF-8 (byte 2)"
