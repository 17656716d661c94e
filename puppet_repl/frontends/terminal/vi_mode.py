"""The modes of vi, while its keys are chosen: their names, and which one a search begins in."""

from __future__ import annotations

from prompt_toolkit.key_binding.vi_state import InputMode
from prompt_toolkit.selection import SelectionType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from prompt_toolkit.application import Application
    from prompt_toolkit.buffer import Buffer

_NAMES = {
    InputMode.INSERT: "INSERT",
    InputMode.INSERT_MULTIPLE: "INSERT",
    InputMode.NAVIGATION: "NORMAL",
    InputMode.REPLACE: "REPLACE",
    InputMode.REPLACE_SINGLE: "REPLACE",
}
_SELECTIONS = {
    SelectionType.CHARACTERS: "VISUAL",
    SelectionType.LINES: "VISUAL LINE",
    SelectionType.BLOCK: "VISUAL BLOCK",
}


def mode_name(application: Application[str], buffer: Buffer) -> str:
    """Return the name of the present mode, as vi's last line shows it."""
    mode = application.vi_state.input_mode
    selection = buffer.selection_state
    if mode == InputMode.NAVIGATION and selection is not None:
        return _SELECTIONS[selection.type]
    return _NAMES[mode]


class ModeBefore:
    """The mode that the input had when a panel took the keys, whose text is typed at once."""

    def __init__(self) -> None:
        self._mode: InputMode | None = None

    def leave(self, application: Application[str]) -> None:
        """Begin to insert text."""
        self._mode = application.vi_state.input_mode
        application.vi_state.input_mode = InputMode.INSERT

    def come_back(self, application: Application[str]) -> None:
        """Continue in the mode that was left."""
        if self._mode is not None:
            application.vi_state.input_mode = self._mode
        self._mode = None
