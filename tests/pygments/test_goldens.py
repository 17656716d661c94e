from __future__ import annotations

from pathlib import Path

import pytest

from tests.pygments.goldens import actual, snippets, split


@pytest.mark.parametrize("path", snippets(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_snippet(path: Path) -> None:
    assert actual(path) == split(path)[2]
