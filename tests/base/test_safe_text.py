"""Text for terminals and text for the wire."""

from __future__ import annotations

import json
import sys
from unicodedata import category

import pytest

from puppet_repl.base.safe_text import to_wire, to_wire_data, visible, visible_json, visible_lines

SEEN = (
    "plain, dé, 日本, 👩\u200d🚀, ❤\ufe0f, "
    "1\ufe0f\u20e3, ℹ\ufe0e, 🏳\ufe0f\u200d🌈, "
    "م\u200cی, a\u00a0b, \u3000, \ue0b0, \u0600"
)
SHOWN = {
    "\x1b]0;title\x07": "␛]0;title␇",
    "a\nb\r": "a␊b␍",
    "a\tb": "a\tb",
    "\x7f": "␡",
    "\x9b31m": "\\u{9B}31m",
    "\x85": "\\u{85}",
    "\u202elive": "\\u{202E}live",
    "\u2066x\u2069": "\\u{2066}x\\u{2069}",
    "a\u2028b\u2029": "a\\u{2028}b\\u{2029}",
    "\u200b\ufeff\u00ad\u061c": "\\u{200B}\\u{FEFF}\\u{AD}\\u{61C}",
    "a\u200db": "a\\u{200D}b",
    "\U000e0041": "\\u{E0041}",
    "\ud800": "\ufffd",
    "a\u3164b\u115f\u1160\uffa0": "a\\u{3164}b\\u{115F}\\u{1160}\\u{FFA0}",
    "a\u034f\u180b": "a\\u{34F}\\u{180B}",
    "😀\U000e0100\U000e01ef": "😀\\u{E0100}\\u{E01EF}",
    "a\ufe0f😀\ufe0f\ufe0f\ufe01": "a\\u{FE0F}😀\ufe0f\\u{FE0F}\\u{FE01}",
    "\ufe0f1\ufe0f": "\\u{FE0F}1\\u{FE0F}",
    "\u2065\ufff0\U000e0fff": "\\u{2065}\\u{FFF0}\\u{E0FFF}",
}


@pytest.mark.parametrize("text", SHOWN, ids=ascii)
def test_what_cannot_be_seen_is_shown(text: str) -> None:
    assert visible(text) == SHOWN[text]
    assert visible(SHOWN[text]) == SHOWN[text]


def test_what_can_be_seen_remains() -> None:
    assert visible(SEEN) == SEEN
    assert json.loads(visible_json(json.dumps(SEEN, ensure_ascii=False))) == SEEN


def test_lines_remain_lines() -> None:
    assert visible_lines("a\n\x1bb\n") == "a\n␛b\n"


def test_no_control_of_any_kind_is_left() -> None:
    every = map(chr, range(sys.maxunicode + 1))
    controls = "".join(c for c in every if category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp"))
    for text in (visible_lines(controls), visible_json(controls)):
        left = {f"{ord(c):x}" for c in text if category(c) in ("Cc", "Cs", "Zl", "Zp")}
        assert left <= {"9", "a"}
        reorders = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C}
        assert not reorders & set(map(ord, text))


def test_json_means_the_same() -> None:
    data = {"a\x7f\x9b": ["\u202e", "\U000e0041", "\u2028", "\x1b", "é", "\ud800"]}
    text = visible_json(json.dumps(data, ensure_ascii=False, indent=1))
    assert text.replace("\n", "").isprintable()
    assert json.loads(text) == data
    hidden = json.dumps(["\u3164", "x\ufe0f", "\U000e0100"], ensure_ascii=False)
    assert visible_json(hidden) == '["\\u3164", "x\\ufe0f", "\\udb40\\udd00"]'
    assert "é" in text


def test_the_wire_gets_what_can_be_encoded() -> None:
    assert to_wire("a\ud800b\udfff") == "a\ufffdb\ufffd"
    assert to_wire("\ud83d\ude00") == "😀"
    assert to_wire("日本 😀\ud83d") == "日本 😀\ufffd"
    data = {"\ud800": ["x", ("\udc9b", None, 1, True)], 2: 1.5}
    assert to_wire_data(data) == {"\ufffd": ["x", ["\ufffd", None, 1, True]], 2: 1.5}
