"""The menu of completions: in each row a name, the mark of its kind, and an explanation.

prompt_toolkit's own menu is erased and drawn again at each letter, and cuts texts with another
sign than everything else here. This one stays until the candidates for the new letter are known,
and its columns keep their widths while one word is completed.
"""

from __future__ import annotations

from prompt_toolkit.application import get_app
from prompt_toolkit.data_structures import Point
from prompt_toolkit.filters import Condition, Filter, is_done
from prompt_toolkit.formatted_text import StyleAndTextTuples, to_formatted_text
from prompt_toolkit.layout import ConditionalContainer, Dimension, ScrollOffsets, Window
from prompt_toolkit.layout.controls import UIContent, UIControl
from prompt_toolkit.layout.margins import ConditionalMargin, ScrollbarMargin
from prompt_toolkit.output import ColorDepth

from puppet_repl.tools.rendering.width import crop, display_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from prompt_toolkit.completion import Completion

    from puppet_repl.frontends.terminal.input_buffer import InputBuffer

ROWS = 10
# Cells around a name, and after an explanation.
_BESIDE = 3
_AFTER = 1


def make_menu(buffer: InputBuffer, allowed: Filter) -> ConditionalContainer:
    """Return the menu of a buffer, which is shown where it is allowed."""
    is_open = Condition(lambda: buffer.menu() is not None)
    scrolls = Condition(lambda: len(_completions(buffer)) > ROWS)
    window = Window(
        _MenuControl(buffer),
        width=Dimension(min=8),
        height=Dimension(min=1, max=ROWS),
        scroll_offsets=ScrollOffsets(top=1, bottom=1),
        right_margins=[ConditionalMargin(ScrollbarMargin(), scrolls)],
        dont_extend_width=True,
        style="class:completion-menu",
        z_index=10**8,  # above all else
    )
    return ConditionalContainer(window, is_open & ~is_done & allowed)


def _completions(buffer: InputBuffer) -> list[Completion]:
    menu = buffer.menu()
    return [] if menu is None else menu.completions


class _MenuControl(UIControl):
    """The rows of the menu."""

    def __init__(self, buffer: InputBuffer) -> None:
        self._buffer = buffer
        # The place of the word, and the widths of names and of explanations there.
        self._widths = (-1, 0, 0)

    def preferred_width(self, max_available_width: int) -> int:
        """Return the cells of both columns, and one where there may be a scroll bar later."""
        names, texts = self._columns(max_available_width)
        return names + texts + (len(_completions(self._buffer)) <= ROWS)

    def preferred_height(self, width: int, *_: object) -> int:
        """Return the number of candidates."""
        return len(_completions(self._buffer))

    def create_content(self, width: int, height: int) -> UIContent:
        """Return the rows for a width."""
        completions = _completions(self._buffer)
        state = self._buffer.complete_state
        chosen = None if state is None or not state.completions else state.complete_index
        names, _ = self._columns(width)

        def row(number: int) -> StyleAndTextTuples:
            return _row(completions[number], names, width - names, is_chosen=number == chosen)

        return UIContent(row, len(completions), cursor_position=Point(x=0, y=chosen or 0))

    def _columns(self, width: int) -> tuple[int, int]:
        """Return the widths of both columns, together ``width`` at most."""
        completions = _completions(self._buffer)
        names = max([display_width(each.display_text) for each in completions], default=0)
        texts = max([display_width(each.display_meta_text) for each in completions], default=0)
        place, *before = self._widths
        if place != self._buffer.menu_place():
            before = [0, 0]
        names, texts = max(names + _BESIDE, before[0]), max(texts + _AFTER, before[1])
        self._widths = (self._buffer.menu_place(), names, texts)
        # Long names leave half of the width to explanations, as far as these need it.
        names = min(names, max(width - texts, width // 2))
        return names, min(texts, width - names)


def _row(completion: Completion, names: int, texts: int, *, is_chosen: bool) -> StyleAndTextTuples:
    """Return a row of two columns."""
    current = ".current" if is_chosen else ""
    # Without colours bold text alone would be hard to tell from the other rows.
    reverse = " reverse" if is_chosen and _has_no_colors() else ""
    name = f"class:completion-menu.completion{current}{reverse}"
    text = f"class:completion-menu.meta.completion{current}{reverse}"
    room = max(names - _BESIDE, 1)
    fragments: StyleAndTextTuples = [(name, f" {_padded(completion.display_text, room)}  ")]
    room = texts - _AFTER
    for style, shown, *_ in to_formatted_text(completion.display_meta):
        shown = crop(shown, room) if room > 0 else ""
        fragments.append((f"{text} {style}", shown))
        room -= display_width(shown)
    return [*fragments, (text, " " * max(room + _AFTER, 0))]


def _padded(text: str, width: int) -> str:
    text = crop(text, width)
    return text + " " * (width - display_width(text))


def _has_no_colors() -> bool:
    return get_app().color_depth == ColorDepth.DEPTH_1_BIT
