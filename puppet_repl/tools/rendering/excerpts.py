"""Lines of code around one that is marked.

4 |   $half = $count / 2
=> 5 |   notice($half)
6 | }
"""

from __future__ import annotations

from puppet_repl.base.safe_text import visible
from puppet_repl.tools.rendering.fragments import lines
from puppet_repl.tools.rendering.highlight import highlight
from puppet_repl.tools.rendering.width import crop, expand_tabs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.rendering.fragments import Fragment
    from puppet_repl.tools.reports.parts import Excerpt

MARK = "=>"


def render_excerpt(part: Excerpt, width: int) -> list[Fragment]:
    """Render an excerpt; lines that are too long for the width are cut."""
    source, last = part.source, len(part.source.line_starts)
    if last > 1 and not source.line(last):
        last -= 1
    numbers = range(max(1, part.line - part.context), min(last, part.line + part.context) + 1)
    digits = len(str(numbers[-1]))
    room = max(width - digits - 6, 20)
    texts = [crop(visible(expand_tabs(source.line(number))), room) for number in numbers]
    # Together, because a string or a comment may have begun above.
    rendered: list[Fragment] = []
    for number, row in zip(numbers, lines(highlight("\n".join(texts))), strict=False):
        is_marked = number == part.line
        gutter = f"{number:>{digits}} | "
        rendered += [
            ("", "\n" if rendered else ""),
            ("caret" if is_marked else "", MARK if is_marked else " " * len(MARK)),
            ("dim", f" {gutter}"),
            *row,
        ]
    return rendered
