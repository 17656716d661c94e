"""The screen: the input, what explains it below, the panels, and the menu of completions."""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.filters import Condition, Filter, has_focus, is_done, vi_insert_multiple_mode
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import (
    ConditionalContainer,
    Dimension,
    Float,
    FloatContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.controls import BufferControl
from prompt_toolkit.layout.processors import (
    AppendAutoSuggestion,
    BeforeInput,
    ConditionalProcessor,
    DisplayMultipleCursors,
    HighlightMatchingBracketProcessor,
    HighlightSelectionProcessor,
    Processor,
    TabsProcessor,
    Transformation,
    TransformationInput,
)

from puppet_repl.frontends.terminal import menu

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontends.terminal.app import Terminal


class UnderlineError(Processor):
    """A processor that underlines the syntax error found last, if the text has not changed."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        """Add a style to the characters of the error."""
        fragments = transformation_input.fragments
        found = self.terminal.shown_problem()
        if found is None or found.line != transformation_input.lineno:
            return Transformation(fragments)
        from prompt_toolkit.layout.utils import explode_text_fragments

        exploded = explode_text_fragments(fragments)
        for column in range(found.start, min(found.end, len(exploded))):
            style, text, *_ = exploded[column]
            exploded[column] = (style + " class:syntax-error ", text)
        return Transformation(exploded)


def make_layout(terminal: Terminal) -> Layout:
    """Return the layout of the application."""
    when = terminal.conditions
    explains = when.no_panel_is_open & when.has_room
    below = [
        _shown(terminal.signature_text, lambda: 1, explains, "class:signature"),
        _shown(terminal.documentation_text, terminal.documentation_rows, explains, ""),
        ConditionalContainer(_picker(terminal), when.search_is_open & ~is_done),
        ConditionalContainer(_settings(terminal), when.settings_are_open & ~is_done),
        ConditionalContainer(
            Window(FormattedTextControl(terminal.bar.text), height=1),
            ~is_done & when.has_room,
        ),
    ]
    over = Float(
        xcursor=True,
        ycursor=True,
        transparent=True,
        content=menu.make_menu(terminal.buffer, has_focus(terminal.buffer) & when.no_panel_is_open),
    )
    filler = Window(height=Dimension(min=0, preferred=0))
    body = FloatContainer(
        HSplit(
            [
                _input(terminal),
                _room_for_menu(terminal),
                *below,
                ConditionalContainer(filler, is_done),
            ]
        ),
        [over],
    )
    return Layout(body, focused_element=terminal.buffer)


def _input(terminal: Terminal) -> Window:
    """Return the window of the input, which grows with it."""
    when = terminal.conditions
    control = BufferControl(
        buffer=terminal.buffer,
        lexer=terminal.lexer,
        menu_position=terminal.buffer.menu_place,
        input_processors=[
            HighlightSelectionProcessor(),
            ConditionalProcessor(DisplayMultipleCursors(), vi_insert_multiple_mode),
            ConditionalProcessor(
                HighlightMatchingBracketProcessor(chars="[](){}", max_cursor_distance=1000),
                has_focus(terminal.buffer) & ~is_done & when.brackets_match,
            ),
            ConditionalProcessor(UnderlineError(terminal), ~is_done),
            ConditionalProcessor(AppendAutoSuggestion(style="class:suggestion"), ~is_done),
            ConditionalProcessor(TabsProcessor(char1=" ", char2=" "), when.input_has_tabs),
        ],
        # There is no incremental search here to highlight; every processor costs each key.
        include_default_input_processors=False,
        preview_search=False,
    )

    def height() -> Dimension:
        return Dimension(min=max(1, min(_rows_with_menu(terminal), _lines(terminal))))

    return Window(
        control,
        get_line_prefix=terminal.line_prefix,
        wrap_lines=True,
        dont_extend_height=True,
        height=height,
    )


def _room_for_menu(terminal: Terminal) -> ConditionalContainer:
    """Return the rows below the input that the menu needs while there is one.

    They are not part of the input's window: it would be drawn again whenever its height changes.
    """

    def rows() -> int:
        """Return how many rows the menu has below the last line of the input."""
        return _rows_with_menu(terminal) - _lines(terminal)

    return ConditionalContainer(
        Window(height=lambda: Dimension.exact(rows())),
        ~is_done & Condition(lambda: rows() > 0),
    )


def _lines(terminal: Terminal) -> int:
    return terminal.buffer.document.line_count


def _rows_with_menu(terminal: Terminal) -> int:
    """Return how many rows the input needs up to the end of the menu, 0 without one."""
    state = terminal.buffer.menu()
    if state is None:
        return 0
    rows = terminal.buffer.document.cursor_position_row + 1
    wanted = rows + min(len(state.completions), menu.ROWS)
    return min(wanted, terminal.height - 2)


def _shown(
    fragments: Callable[[], StyleAndTextTuples],
    rows: Callable[[], int],
    allowed: Filter,
    style: str,
) -> ConditionalContainer:
    """Return a window that is shown where it is allowed and while its text is not empty."""

    def has_text() -> bool:
        """Tell whether there is something to show."""
        return bool(fragments())

    return ConditionalContainer(
        Window(
            FormattedTextControl(fragments),
            height=lambda: Dimension(max=rows()),
            dont_extend_height=True,
            style=style,
        ),
        allowed & ~is_done & Condition(has_text),
    )


def _settings(terminal: Terminal) -> HSplit:
    """Return the list of the settings, which gives way to the explanation of the chosen one."""

    def explanation() -> StyleAndTextTuples:
        """Return the explanation of the chosen setting, in a third of the screen at most."""
        return terminal.panel.explanation(terminal.width, max(terminal.height // 3, 2))

    def height() -> Dimension:
        return Dimension.exact("".join([text for _, text, *_ in explanation()]).count("\n") + 1)

    settings = Window(
        FormattedTextControl(lambda: terminal.panel.text(terminal.width)),
        dont_extend_height=True,
    )
    return HSplit(
        [settings, Window(FormattedTextControl(explanation), height=height, style="class:panel")]
    )


def _picker(terminal: Terminal) -> HSplit:
    query = Window(
        BufferControl(
            buffer=terminal.query,
            input_processors=[BeforeInput("history: ", style="class:panel.title")],
        ),
        height=1,
    )
    found = Window(
        FormattedTextControl(lambda: terminal.picker.text(terminal.width, terminal.height)),
        dont_extend_height=True,
    )
    return HSplit([query, found])
