"""Light backgrounds: what a terminal replies, what the environment says, and the colours then."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puppet_repl.frontends.terminal.background import QUESTION, is_light
from puppet_repl.frontends.terminal.palette import LIGHT_SGR, light_by_environment, make_palette
from puppet_repl.frontends.terminal.theme import LIGHT
from tests.frontends.terminal.prompt import CTRL_C, ENTER, open_prompt
from tests.frontends.terminal.terminal_screen import TerminalScreen

WHITE, BLACK = "\x1b]11;rgb:ffff/ffff/ffff\x07", "\x1b]11;rgb:0000/0000/0000\x1b\\"


@pytest.mark.parametrize(
    ("color", "light"),
    [
        ("rgb:ffff/ffff/ffff", True),
        ("rgb:00/2b/36", False),  # Solarized dark
        ("rgb:fdfd/f6f6/e3e3", True),  # Solarized light
        ("rgba:1e/1e/1e/ff", False),
        ("#fff", True),
        ("#fafafa", True),
        ("#00000000ffff", False),
        ("blue", None),
        ("", None),
    ],
)
def test_colours_are_light_or_dark(color: str, light: bool | None) -> None:
    assert is_light(color) is light


@pytest.mark.parametrize(
    ("value", "light"),
    [
        ("0;15", True),
        ("0;7", True),
        ("0;default;15", True),
        ("15;0", False),
        ("7;8", False),
        ("0;default", None),
        ("0;99", None),
        ("", None),
        (None, None),
    ],
)
def test_the_environment_names_the_background(value: str | None, light: bool | None) -> None:
    assert light_by_environment(value) is light


def _contrast_with_white(color: str) -> float:
    """The contrast ratio of WCAG 2."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    luminance = sum(a * b for a, b in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))
    return 1.05 / (luminance + 0.05)


@pytest.mark.parametrize("color", LIGHT.values())
def test_colours_are_legible_on_white(color: str) -> None:
    assert _contrast_with_white(color) >= 4.5


def test_what_is_written_has_the_colours_of_what_is_drawn() -> None:
    drawn = set(LIGHT.values())
    assert {_of_palette(int(code.split(";")[2])) for code in LIGHT_SGR.values()} == drawn
    assert make_palette(light=True).keys() == make_palette(light=False).keys()


def _of_palette(number: int) -> str:
    """One of xterm's 256 colours: a cube of six levels, then greys."""
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    levels = (0, 95, 135, 175, 215, 255)
    red, rest = divmod(number - 16, 36)
    return "#" + "".join([f"{levels[at]:02x}" for at in (red, *divmod(rest, 6))])


@given(
    st.lists(st.integers(min_value=1, max_value=60), max_size=4), st.sampled_from((WHITE, BLACK))
)
def test_a_reply_is_never_typed_wherever_it_is_cut(cuts: list[int], reply: str) -> None:
    keys = f"1 + {reply}2"
    places = sorted({cut for cut in cuts if cut < len(keys)})
    with open_prompt() as prompt:
        prompt.terminal.colors.ask()
        assert QUESTION in prompt.written.getvalue()
        parser = prompt.pipe.vt100_parser
        for start, end in zip([0, *places], [*places, len(keys)], strict=True):
            parser.feed(keys[start:end])
        assert prompt.entry(ENTER) == "1 + 2"
        assert prompt.terminal.colors.is_light() is (reply == WHITE)


@given(st.integers(min_value=5, max_value=len(WHITE) - 1), st.sampled_from((WHITE, BLACK)))
def test_a_reply_is_never_typed_wherever_a_pause_cuts_it(cut: int, reply: str) -> None:
    with open_prompt() as prompt:
        prompt.terminal.colors.ask()
        parser = prompt.pipe.vt100_parser
        parser.feed(f"1 + {reply[:cut]}")
        parser.flush()
        parser.feed(f"{reply[cut:]}2")
        parser.flush()
        assert prompt.entry(ENTER) == "1 + 2"
        assert prompt.terminal.colors.is_light() is (reply == WHITE)


@pytest.mark.parametrize("reply", ["\x1b]11;", "\x1b]11;rgb:ff"])
@pytest.mark.parametrize("together", [True, False], ids=["together", "one by one"])
def test_a_reply_that_does_not_end_leaves_the_keys(
    tmp_path: Path, reply: str, together: bool
) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.wait_until(lambda: QUESTION.encode() in screen.raw)
        screen.type(reply)
        screen.settle(0.3)
        if together:
            screen.type("1 + 1\r")
        else:
            for key in "1 + 1\r":
                screen.type(key)
                screen.settle(0.1)
        screen.wait_for("puppet [1]> 1 + 1\n2  Integer")


def test_a_reply_that_does_not_end_leaves_ctrl_c(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.wait_until(lambda: QUESTION.encode() in screen.raw)
        screen.type("$dropped\x1b]11;rgb:ff")
        screen.wait_for("$dropped")
        screen.settle(0.3)
        screen.type(CTRL_C)
        screen.wait_until(lambda: screen.text.count("puppet [1]>") == 2, "the next prompt")


def test_a_reply_of_any_length_is_no_reply(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.wait_until(lambda: QUESTION.encode() in screen.raw)
        screen.type("\x1b]11;" + "f" * 60)
        screen.wait_for("puppet [1]> " + "f" * 20)


@pytest.mark.parametrize("keys", ["1", "11"])
def test_digits_behind_alt_and_a_bracket_are_typed(tmp_path: Path, keys: str) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.wait_until(lambda: QUESTION.encode() in screen.raw)
        screen.type("\x1b]" + keys)
        screen.wait_until(lambda: any(keys in row.partition("> ")[2] for row in screen.rows[:3]))


def test_keys_that_begin_as_a_reply_are_keys(tmp_path: Path) -> None:
    with TerminalScreen(tmp_path) as screen:
        screen.wait_for("puppet [1]>")
        screen.wait_until(lambda: QUESTION.encode() in screen.raw)
        screen.type("[1].re\t")
        screen.wait_for("Return")
        screen.type("\x1b")
        screen.wait_gone("Return")


@pytest.mark.parametrize("reply", [WHITE, BLACK])
def test_the_terminal_is_asked_and_the_colours_change(tmp_path: Path, reply: str) -> None:
    with TerminalScreen(tmp_path, COLORTERM="truecolor") as screen:
        screen.wait_for("puppet [1]>")
        screen.wait_until(lambda: QUESTION.encode() in screen.raw)
        screen.type(reply)
        screen.run("warning('x') 'text'")
        row = screen.row_of("Warning:")
        expected = LIGHT["ansiyellow"].removeprefix("#") if reply == WHITE else "brown"
        assert screen.style_at(row, "Warning").fg == expected
        assert "rgb" not in screen.text


@pytest.mark.parametrize(("value", "asked"), [("0;15", False), ("nothing", True)])
def test_what_the_environment_says_is_not_asked(tmp_path: Path, value: str, asked: bool) -> None:
    with TerminalScreen(tmp_path, COLORFGBG=value, COLORTERM="truecolor") as screen:
        screen.wait_for("puppet [1]>")
        screen.run("warning('x')")
        assert (QUESTION.encode() in screen.raw) is asked
        row = screen.row_of("Warning:")
        assert (screen.style_at(row, "Warning").fg == "brown") is asked
        screen.type(":set background dark\r")
        screen.run("warning('y')")
        assert screen.style_at(screen.row_of("Warning: y"), "Warning").fg == "brown"
