"""What the pictures of the lessons show can be seen; ``make pictures`` takes them anew."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Page

from tests.browser.pictures import SCENES, SITE, SITE_SCENES, taken
from tests.browser.social_card import CARD, SIZE, card
from tests.browser.social_card import MAX_BYTES as MAX_CARD_BYTES

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LESSONS = tuple(
    NOTEBOOKS / f"{name}.ipynb" for name in ("00-the-notebook", "14-debugger-and-exports")
)
MAX_BYTES = 60_000


def attached(lesson: Any) -> dict[str, bytes]:
    """Return the pictures that a notebook has, by name."""
    return {
        name: base64.b64decode(bundle["image/png"])
        for each in lesson.cells
        for name, bundle in each.get("attachments", {}).items()
    }


def attach(name: str, picture: bytes) -> None:
    """Write a picture into the cell of a lesson that shows it."""
    (path,) = (each for each in LESSONS if f"(attachment:{name})" in each.read_text("utf-8"))
    lesson = nbformat.read(path, as_version=4)
    (showing,) = (each for each in lesson.cells if f"(attachment:{name})" in each.source)
    text = base64.b64encode(picture).decode("ascii")
    showing.setdefault("attachments", {})[name] = {"image/png": text}
    nbformat.write(lesson, path)


@pytest.mark.parametrize("name", SCENES)
def test_a_picture_can_be_taken(
    page: Page, server: tuple[str, Path], name: str, update_goldens: bool
) -> None:
    page.set_viewport_size({"width": 1060, "height": 800})
    picture = taken(page, SCENES[name](page, server))
    if update_goldens:
        attach(name, picture)
    assert len(picture) < MAX_BYTES


@pytest.mark.parametrize("name", SITE_SCENES)
def test_a_picture_of_the_site_can_be_taken(
    page: Page, server: tuple[str, Path], name: str, update_goldens: bool
) -> None:
    picture = taken(page, SITE_SCENES[name](page, server))
    if update_goldens:
        (SITE / name).write_bytes(picture)
    assert max(len(picture), len((SITE / name).read_bytes())) < MAX_BYTES


def test_the_lessons_have_them() -> None:
    pictures = {}
    for path in LESSONS:
        pictures |= attached(nbformat.read(path, as_version=4))
    assert set(pictures) == set(SCENES)
    assert max(map(len, pictures.values())) < MAX_BYTES


def test_the_card_of_the_site_can_be_drawn(
    page: Page, tmp_path: Path, update_goldens: bool
) -> None:
    drawn = card(page, tmp_path)
    if update_goldens:
        CARD.write_bytes(drawn)
    for picture in (drawn, CARD.read_bytes()):
        assert picture[16:24] == b"".join(
            SIZE[side].to_bytes(4, "big") for side in ("width", "height")
        )
        assert len(picture) < MAX_CARD_BYTES
