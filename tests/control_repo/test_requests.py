"""What was recorded from ``puppet lookup`` is what is asked now."""

from __future__ import annotations

from tests.control_repo.record import identity, recorded
from tests.control_repo.requests import requests


def test_every_request_is_recorded() -> None:
    assert [identity(case) for case in recorded().values()] == [*map(identity, requests())]


def test_there_are_enough_keys_and_explanations() -> None:
    asked = [case["arguments"] for case in recorded().values() if case["arguments"]]
    assert len({arguments[0] for arguments in asked}) >= 120
    assert len({arguments[0] for arguments in asked if "--explain" in arguments}) >= 120
