"""The moving picture on the first page of the site shows what the program does now."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tests.frontends.terminal.moving_picture import (
    PALETTES,
    Film,
    Frame,
    animated,
    path_of,
    record,
    stops_of,
)


@pytest.mark.slow
def test_the_moving_picture_is_true(update_goldens: bool) -> None:
    films = {background: record(background) for background in PALETTES}
    for background, film in films.items():
        if update_goldens:
            path_of(background).write_text(animated(film), "utf-8")
        kept = path_of(background).read_text("utf-8")
        assert stops_of(kept) == stops_of(animated(film)), background


@pytest.mark.parametrize("background", PALETTES)
def test_all_that_moves_stands_still_where_that_is_wanted(background: str) -> None:
    text = path_of(background).read_text("utf-8")
    ElementTree.fromstring(text)
    assert "#still:target~g .s{animation:none}" in text
    # One screen is there without any motion: the error, the resources, a prompt, the toolbar.
    assert text.count('class="s l"') > 5


def test_a_row_is_seen_for_as_long_as_it_is_on_the_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tests.frontends.terminal.moving_picture.ROWS", 2)
    film = Film.__new__(Film)
    film.palette, film.stops, film.still = PALETTES["dark"], [], 3.0
    film.frames = [
        Frame(1.0, ("<a/>", "<b/>", ""), ("a", "b")),
        Frame(3.0, ("<a/>", "<c/>", "<d/>"), ("a", "c")),
    ]
    text = animated(film)
    assert "<a/>" in text and '<g class="s" style="animation-name:s0">\n<b/>\n</g>' in text
    assert "@keyframes s0{0.000%{visibility:visible}25.000%{visibility:hidden}}" in text
    assert (
        "@keyframes s1{0%{visibility:hidden}25.000%{visibility:visible}100%{visibility:visible}}"
        in text
    )
