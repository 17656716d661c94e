"""What a cell has published, to be published again without what was there for a while only."""

from __future__ import annotations

from typing import Any

Content = dict[str, Any]

# Characters of a cell's outputs that are kept, about: what is longer is not sent twice.
MAX_KEPT = 1_000_000
_OUTPUTS = ("stream", "display_data", "execute_result")


def is_for_notebook(request: Content) -> bool:
    """Tell whether the outputs of an execute_request go to a notebook, which can take them back.

    JupyterLab and VS Code name the cell, and what executes notebooks accepts no input, or says
    nothing of it, which means the same. A console does neither: what it has printed it cannot
    clear, and what is published again it prints again.
    """
    named = "cellId" in request.get("metadata", {})
    return named or not request.get("content", {}).get("allow_stdin", False)


class Published:
    """The outputs of a cell in order; texts of one stream that follow each other are joined."""

    __slots__ = ("_outputs", "_size")

    def __init__(self) -> None:
        self._outputs: list[tuple[str, Content]] = []
        self._size = 0

    def add(self, kind: str, content: Content) -> None:
        """Note an output; messages of other kinds are none, but for the one that clears all."""
        if kind == "clear_output":
            self._outputs, self._size = [], 0
        if kind not in _OUTPUTS or self._size > MAX_KEPT:
            return
        self._size += _length(content)
        self._outputs.append((kind, content))

    def all(self) -> list[tuple[str, Content]] | None:
        """Return all outputs, None where they are too long."""
        if self._size > MAX_KEPT:
            return None
        found: list[tuple[str, Content]] = []
        for kind, content in self._outputs:
            last = found[-1] if found else None
            if kind == "stream" and last is not None and last[1].get("name") == content["name"]:
                joined = {**content, "text": last[1]["text"] + content["text"]}
                found[-1] = (kind, joined)
            else:
                found.append((kind, content))
        return found


def _length(content: Content) -> int:
    """Return the characters of an output, and a little for the message."""
    text = content.get("text", "")
    return 100 + len(text) + sum(len(str(part)) for part in content.get("data", {}).values())
