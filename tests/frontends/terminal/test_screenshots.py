"""The screenshots in the documentation show what the program does now."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from tests.frontends.terminal.screenshots import SCENES, draw, path_of, play, text_of
from tests.frontends.terminal.terminal_screen import TerminalScreen

pytestmark = pytest.mark.skipif(os.name != "posix", reason="there is no pseudo-terminal")


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_screenshots_are_true(
    scene: Callable[[TerminalScreen], None], update_goldens: bool
) -> None:
    drawn = draw(play(scene))
    path = path_of(scene)
    if update_goldens:
        path.write_text(drawn, "utf-8")
    assert text_of(path.read_text("utf-8")) == text_of(drawn)
