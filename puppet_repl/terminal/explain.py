"""Explanations while typing: the parameters of a call, the documentation of a completion."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.formatted_text import StyleAndTextTuples

from puppet_repl.completion.signature import Signatures, signatures_at
from puppet_repl.inspection import Documentation
from puppet_repl.render.fragments import lines
from puppet_repl.session import Session

# Characters before the cursor that are searched for an open call.
MAX_CHARACTERS = 4000
ROWS = 8
SIGNATURES = 2


class Explainer:
    """Look-ups in a thread; ``found`` is called when there is something to show."""

    def __init__(self, session: Session, found: Callable[[], None]) -> None:
        self.session = session
        self._found = found
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="explain")
        self._before = ""
        self._signatures: Signatures | None = None
        self._documented: dict[str, Documentation | None] = {}
        self._wanted = ""
        self._pinned: Documentation | None = None

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
        found = signatures_at(self.session, text)
        if before == self._before:
            self._signatures = found
            self._found()

    def signature_text(self, width: int) -> StyleAndTextTuples:
        """Return the parameters of the open call, the current one marked."""
        found = self._signatures
        if found is None:
            return []
        texts = found.texts[0]
        fragments: StyleAndTextTuples = [("", f" {found.name}(")]
        for index, text in enumerate(texts):
            is_rest = "*" in text and index == len(texts) - 1
            current = index == found.parameter or (is_rest and found.parameter > index)
            style = "class:signature.current" if current else ""
            fragments += [("", ", " if index else ""), (style, text)]
        more = f"  and {len(found.texts) - 1} more" if len(found.texts) > 1 else ""
        fragments.append(("", f"){more}"))
        return fragments if sum(len(text) for _, text, *_ in fragments) < width * 2 else []

    def pin(self, documentation: Documentation | None) -> None:
        """Show this documentation until the text changes."""
        self._pinned = documentation

    def documentation_text(self, buffer: Buffer, width: int) -> StyleAndTextTuples:
        """Return the documentation that was asked for, or that of the chosen completion."""
        if self._pinned is not None:
            return self._shown(self._pinned, width)
        state = buffer.complete_state
        if state is None or state.current_completion is None:
            return []
        document = buffer.document
        text = document.text_before_cursor
        if text not in self._documented:
            if self._wanted != text:
                self._wanted = text
                self._pool.submit(self._look_up, document.text, document.cursor_position)
            return []
        found = self._documented[text]
        return self._shown(found, width) if found is not None else []

    def _look_up(self, text: str, cursor: int) -> None:
        if len(self._documented) > 200:
            self._documented.clear()
        self._documented[text[:cursor]] = self.session.inspect(text, cursor)
        self._found()

    def _shown(self, documentation: Documentation, width: int) -> StyleAndTextTuples:
        from puppet_repl.render.help import render_documentation

        fragments: StyleAndTextTuples = []
        short = Documentation(
            documentation.title,
            documentation.kind,
            documentation.text,
            theme=documentation.theme,
            signatures=documentation.signatures[:SIGNATURES],
            details=documentation.details,
        )
        rows = [row for row in lines(render_documentation(short, width)) if row]
        for row in rows[:ROWS]:
            fragments += [(f"class:{style}" if style else "", text) for style, text in row]
            fragments.append(("", "\n"))
        return fragments
