"""Tests can be collected where modules of POSIX are missing: those that need them are left out."""

from __future__ import annotations

from tests.posix import ONLY_POSIX, TESTS, needing_posix, reached


def test_what_needs_modules_of_posix_is_found() -> None:
    """One imports such a module itself, the other one by a helper; most need none."""
    found = needing_posix()
    assert {"host/test_history.py", "frontends/terminal/test_opening.py"} <= set(found)
    assert "session/test_session.py" not in found
    assert len(found) < len(list(TESTS.rglob("test_*.py"))) / 10


def test_what_all_tests_share_needs_none() -> None:
    for path in TESTS.rglob("conftest.py"):
        if not path.is_relative_to(TESTS / "browser"):
            assert ONLY_POSIX.isdisjoint(reached(path, set())), path
