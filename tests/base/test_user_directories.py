"""The directories of a user are those that platformdirs names."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Literal

import platformdirs
import pytest

from puppet_repl.base.user_directories import user_cache, user_directory


@pytest.mark.parametrize("kind", ["cache", "config", "data"])
@pytest.mark.parametrize("value", [None, "", "relative", "/absolute/directory"])
def test_the_directory_is_that_of_platformdirs(
    kind: Literal["cache", "config", "data"],
    value: str | None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("HOME", os.fspath(tmp_path))
    variable = f"XDG_{kind.upper()}_HOME"
    if value is None:
        monkeypatch.delenv(variable, raising=False)
    else:
        monkeypatch.setenv(variable, value)
    expected = getattr(platformdirs, f"user_{kind}_dir")("puppet-repl", appauthor=False)
    assert user_directory(kind) == expected


def test_there_may_be_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform != "linux":
        return
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert user_cache() is None
