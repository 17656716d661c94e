"""Explanations while typing: the parameters of a call, the documentation of a completion."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.formatted_text import StyleAndTextTuples

from puppet_repl.base.safe_text import visible
from puppet_repl.session import Session
from puppet_repl.tools.inspection import Documentation
from puppet_repl.tools.inspection.documentation import Detail
from puppet_repl.tools.rendering.fragments import Fragment, lines, raw
from puppet_repl.tools.rendering.width import crop, display_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.inspection.open_call import Signatures

# Characters before the cursor that are searched for an open call.
MAX_CHARACTERS = 4000
# Rows of documentation, unless a third of the screen has more.
ROWS = 8
SIGNATURES = 2
_WORD = re.compile(r"[\w:]*")
_WORD_BEFORE = re.compile(r"[$@]?[\w:]*\Z")
# Columns from which on the key is named that shows further signatures.
WIDE = 60


class Explainer:
    """Look-ups in a thread; ``found`` is called when a result can be shown."""

    def __init__(self, session: Session, found: Callable[[], None]) -> None:
        self.session = session
        self._found = found
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="explain")
        self._before = ""
        self._signatures: Signatures | None = None
        self._documented: dict[str, Documentation | None] = {}
        self._wanted = ""
        self._pinned: Documentation | None = None
        self._signature = 0
        self._pane: Documentation | None = None
        self._pane_width = 0
        self._rows: list[list[Fragment]] = []
        self._first_row = 0
        self._room = ROWS

    def forget(self) -> None:
        """Clear all results for a new prompt: names may have been defined again."""
        self._before = ""
        self._signatures = None
        self._signature = 0
        # A look-up that has not ended has the one before.
        self._documented = {}
        self._wanted = ""
        self._pinned = None
        self._pane = None

    def text_changed(self, before: str) -> None:
        """Note that the text before the cursor has changed."""
        self._pinned = None
        if before == self._before:
            return
        self._before = before
        if "(" not in before[-MAX_CHARACTERS:]:
            self._signatures = None
            return
        self._pool.submit(self._look_up_call, before)

    def _look_up_call(self, before: str) -> None:
        if before != self._before:
            return
        text = before
        if len(text) > MAX_CHARACTERS:
            text = (
                text[text.index("\n", -MAX_CHARACTERS) :] if "\n" in text[-MAX_CHARACTERS:] else ""
            )
        # The prompt opens without what only the first call needs.
        from puppet_repl.tools.editing import signatures

        found = signatures(self.session, text)
        if before == self._before:
            if _names(found) != _names(self._signatures):
                self._signature = 0
            self._signatures = found
            self._found()

    def signature_text(self, width: int) -> StyleAndTextTuples:
        """Return the parameters of the open call, the current one marked."""
        found = self._signatures
        if found is None:
            return []
        count = len(found.texts)
        texts = found.texts[self._signature % count]
        at = self._signature % count + 1
        more = f"  {at} of {count}" if count > 1 else ""
        if more and width >= WIDE:
            more += " (Alt-Down)"
        room = width - len(more) - 1
        current = found.parameter
        if texts and current >= len(texts) and "*" in texts[-1]:
            current = len(texts) - 1
        # Where there is no room for all types, the names tell which parameter is meant.
        of_others = [text if at == current else _name_of(text) for at, text in enumerate(texts)]
        fragments: list[Fragment] = []
        for shown in (texts, of_others, [_name_of(text) for text in texts]):
            fragments = _signature(found.name, shown, current)
            if sum(display_width(text) for _, text in fragments) <= room:
                break
        return [*_around_the_current(fragments, room), ("", more)]

    def page_signatures(self, steps: int) -> None:
        """Show another signature of the open call."""
        self._signature += steps

    def pin(self, documentation: Documentation | None) -> None:
        """Show this documentation until the text changes."""
        self._pinned = documentation

    def documentation_text(self, buffer: Buffer, width: int, rows: int) -> StyleAndTextTuples:
        """Return ``rows`` of the requested documentation, or that of the chosen completion."""
        self._room = rows
        if self._pinned is not None:
            return self._shown(self._pinned, width)
        state = buffer.complete_state
        if state is None or state.current_completion is None:
            self._pane = None
            return []
        document = buffer.document
        text = document.text_before_cursor
        if text not in self._documented:
            if self._wanted != text:
                self._wanted = text
                self._pool.submit(
                    self._look_up, self._documented, document.text, document.cursor_position
                )
            return []
        found = self._documented[text]
        if found is None:
            self._pane = None
            return []
        return self._shown(found, width)

    def _look_up(self, documented: dict[str, Documentation | None], text: str, cursor: int) -> None:
        try:
            found = self.session.inspect(text, cursor)
        except Exception:
            # It may succeed the next time; a thread must not write to the screen.
            self._wanted = ""
            return
        if len(documented) > 200:
            documented.clear()
        documented[text[:cursor]] = found
        self._found()

    @property
    def is_documenting(self) -> bool:
        """Whether documentation has been asked for, so that there may be rows to scroll."""
        return self._pane is not None

    @property
    def has_signatures(self) -> bool:
        """Whether the open call has several signatures."""
        return self._signatures is not None and len(self._signatures.texts) > 1

    def scroll(self, rows: int) -> None:
        """Show other rows of the documentation."""
        self._first_row = max(min(self._first_row + rows, len(self._rows) - self._room + 1), 0)

    def _shown(self, documentation: Documentation, width: int) -> StyleAndTextTuples:
        if documentation is not self._pane or width != self._pane_width:
            if documentation is not self._pane:
                self._first_row = 0
            self._pane, self._pane_width = documentation, width
            self._rows = _rows_of(documentation, width)
        rows = self._rows
        if len(rows) > self._room:
            first = self._first_row
            last = first + self._room - 1
            rest = len(rows) - last
            said = f"  … {rest} more (Page Down)" if rest > 0 else "  end (Page Up)"
            rows = [*rows[first:last], [("dim", said)]]
        fragments: StyleAndTextTuples = []
        for row in rows:
            fragments += [(f"class:{style}" if style else "", text) for style, text in row]
            fragments.append(("", "\n"))
        return fragments


def no_documentation(text: str, cursor: int) -> Documentation:
    """Return a note that the word at the cursor has no documentation, or that there is none."""
    before, after = _WORD_BEFORE.search(text[:cursor]), _WORD.match(text, cursor)
    word = (before[0] if before else "") + (after[0] if after else "")
    if not word:
        said = "F1 explains the name at the cursor. `:help` lists commands, `:tour` shows around."
        return Documentation("F1", "key", said)
    said = f"There is no documentation for {visible(word)}; `:names` lists all names."
    return Documentation(visible(word), "unknown name", said)


def _signature(name: str, texts: Sequence[str], current: int) -> list[Fragment]:
    fragments: list[Fragment] = [("", f" {name}(")]
    for index, text in enumerate(texts):
        style = "class:signature.current" if index == current else ""
        fragments += [("", ", " if index else ""), (style, text)]
    return [*fragments, ("", ")")]


def _name_of(parameter: str) -> str:
    """Return the name of a parameter without its type."""
    _, dollar, name = parameter.rpartition("$")
    return dollar + name if dollar else parameter


def _names(signatures: Signatures | None) -> tuple[str, int] | None:
    return None if signatures is None else (signatures.name, len(signatures.texts))


def _around_the_current(fragments: list[Fragment], width: int) -> StyleAndTextTuples:
    """Return the signature, cut where it is wider so that its current parameter is seen."""
    total = sum(display_width(text) for _, text in fragments)
    if total <= width:
        return list(fragments)
    current = next((i for i, (style, _) in enumerate(fragments) if style), 1)
    kept = fragments[:1]
    if current > 2:
        kept = [*kept, ("", "…, ")]
    room = width - sum(display_width(text) for _, text in kept)
    for style, text in fragments[current if current > 2 else 1 :]:
        if display_width(text) > room - 1:
            if style:  # its name is at its end
                text = "…" + text[max(len(text) - room + 2, 0) :]
            return [*kept, (style, crop(text + " ", room))]
        room -= display_width(text)
        kept.append((style, text))
    return list(kept)


def _rows_of(documentation: Documentation, width: int) -> list[list[Fragment]]:
    """Return the rows of documentation; signatures but the first ones come after the text."""
    from puppet_repl.tools.reports.help import render_documentation

    others = documentation.signatures[SIGNATURES:]
    ordered = Documentation(
        documentation.title,
        documentation.kind,
        documentation.text,
        theme=documentation.theme,
        signatures=documentation.signatures[:SIGNATURES],
        details=(*documentation.details, *[Detail("also", text, is_code=True) for text in others]),
        examples=documentation.examples,
    )
    rows = lines(render_documentation(ordered, width))
    return [row for row in rows if raw(row).strip()]
