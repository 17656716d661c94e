"""Limits of time that strike in threads at random moments leave sessions right: see limited.py."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.untraced

ROOT = Path(__file__).resolve().parents[2]
MOMENTS = 20_000 if "STRESS" in os.environ else 300


def test_limits_at_random_moments_leave_sessions_right() -> None:
    """As before the input or as after it, with the next input working, and none comes late."""
    seed = int.from_bytes(os.urandom(4), "little")
    done = subprocess.run(
        [sys.executable, "-m", "tests.session.limited", str(MOMENTS), str(seed)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert "Exception in thread" not in done.stderr, (seed, done.stderr[-3000:])
    found = json.loads(done.stdout)
    assert found["wrong"] == [], seed
    assert found["counts"]["stopped"] > MOMENTS // 20, found
