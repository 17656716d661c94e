"""Errors with their source line, notes and stack trace.

    Error: Evaluation Error: Unknown variable: 'x'. (line: 2, column: 8)
      2 | notice($x + 1)
        |        ^^
      hint: did you mean $y?

The first line is Puppet's own, so that it can be searched for. The caret is aligned in terminal
cells, since characters before it may be wide.
"""

from __future__ import annotations

from puppet_repl.base.errors import Frame, Interruption, PuppetError, Report, ValidationErrors
from puppet_repl.base.safe_text import visible, visible_lines
from puppet_repl.base.wording import counted
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.rendering.fragments import Fragment, ansi, joined, plain
from puppet_repl.tools.rendering.width import ELLIPSIS, cells, crop, display_width, expand_tabs
from puppet_repl.tools.rendering.wrapping import wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.tools.advice.model import Advice

DEFAULT_WIDTH = 100
MAX_FRAMES = 12


def render_error(
    error: PuppetError, label: str | None = None, width: int = DEFAULT_WIDTH
) -> list[Fragment]:
    """Render an error with its source line, its notes and its stack trace.

    ``label`` names typed text ("In[3]"): then the location is written ``In[3]:2:14`` instead of
    Puppet's ``(line: 2, column: 14)``. The result has no final line end.
    """
    if isinstance(error, ValidationErrors):
        reports = [render_report(report, label, width) for report in error.reports]
        summary = [("error", "Error: "), ("", error.message)]
        return joined([*reports, summary, *_notes(error)])
    parts = [_headline(error, label)]
    excerpt = error_excerpt(error, width)
    if excerpt:
        parts.append(excerpt)
    parts.extend(_inner_excerpt(error, label, width))
    parts.extend(_notes(error))
    parts.extend(_stack(error, label))
    return joined(parts)


def error_excerpt(error: PuppetError, width: int = DEFAULT_WIDTH) -> list[Fragment]:
    """Render the line of an error with carets, or where what is open begins; [] if unknown."""
    if error.source is None:
        return []
    if error.line is not None:
        return _marked_excerpt(error, error.source, error.line, width)
    if error.opening is None:
        return []
    start, end = error.opening
    return place_excerpt(error.source, *error.source.position(start), end - start, width)


def report_excerpt(report: Report, width: int = DEFAULT_WIDTH) -> list[Fragment]:
    """Render the line of one finding of the validator with carets."""
    line, column = report.position
    return place_excerpt(report.source, line, column, report.end - report.start, width)


def _notes(error: PuppetError) -> list[list[Fragment]]:
    return [[("hint", "  hint: "), ("", visible(note))] for note in error.notes]


def _inner_excerpt(error: PuppetError, label: str | None, width: int) -> list[list[Fragment]]:
    """Render the location of an error in the body of a define; Puppet reports the instance."""
    inner = error.__cause__ or error.__context__
    if not isinstance(inner, PuppetError) or inner.source is None or inner.line is None:
        return []
    if inner.message not in error.message or inner.line == error.line:
        return []
    location = _location(inner.file, inner.line, inner.column, label) or inner.location
    return [
        [("dim", f"  in the body, {visible(location)}")],
        _marked_excerpt(inner, inner.source, inner.line, width),
    ]


def render_report(
    report: Report, label: str | None = None, width: int = DEFAULT_WIDTH
) -> list[Fragment]:
    """Render one finding of the validator, an error or a warning."""
    line, column = report.position
    name, style = ("Warning", "warning") if report.level == "warning" else ("Error", "error")
    location = _location(report.source.name, line, column, label) or report.location
    head = [(style, f"{name}: "), ("", visible(report.message)), ("dim", f" {visible(location)}")]
    return joined([head, report_excerpt(report, width)])


def render_advice(advice: Advice, width: int = DEFAULT_WIDTH) -> list[Fragment]:
    """Render a warning of a probable mistake, dim as all that is not a result."""
    text = visible(f"warning: {advice.message} [{advice.rule}]")
    head = joined(wrapped([("dim", text)], width, "  "))
    return [("dim", text) for _, text in joined([head, report_excerpt(advice, width)])]


def error_text(error: PuppetError, *, text: str | None = None, color: bool = False) -> str:
    """Return an error as text, for standard error; ``text`` is the source if it has none."""
    from shutil import get_terminal_size

    if error.source is None and text is not None and error.line is not None:
        error.source = Source(text)
    fragments = render_error(error, width=get_terminal_size((DEFAULT_WIDTH, 24)).columns)
    return ansi(fragments) if color else plain(fragments)


def _marked_excerpt(error: PuppetError, source: Source, line: int, width: int) -> list[Fragment]:
    """Render the line of an error with what is marked, or the line of its argument at fault."""
    if error.focus is None:
        return place_excerpt(source, line, error.column, _length(error), width)
    start, end = error.focus
    return place_excerpt(source, *source.position(start), end - start, width)


def _length(error: PuppetError) -> int:
    if error.start is None or error.end is None:
        return 1
    return error.end - error.start


def _headline(error: PuppetError, label: str | None) -> list[Fragment]:
    message = visible_lines(error.message)
    location = _location(error.file, error.line, error.column, label) or error.location
    fragments: list[Fragment] = [("error", "Error: "), ("", message)]
    if isinstance(error, Interruption):
        fragments = [("warning", message)]
    if location:
        fragments.append(("dim", f" {visible(location)}"))
    return fragments


def _location(file: str | None, line: int | None, column: int | None, label: str | None) -> str:
    """Return ``In[3]:2:14`` for text that was typed, '' for anything else."""
    if file is not None and file.startswith("In["):
        label = file
    elif file is not None or label is None:
        return ""
    if line is None:
        return label if file is not None else ""
    return f"{label}:{line}" + (f":{column}" if column else "")


def place_excerpt(
    source: Source, number: int, column: int | None, length: int, width: int
) -> list[Fragment]:
    """Render a line of the source, with a line of carets below it."""
    if number > len(source.line_starts):
        return []
    line = source.line(number)
    gutter = f"  {number} | "
    room = width - len(gutter)
    if column is None:
        return [("dim", gutter), ("", crop(_shown(line), max(room, 20)))]
    start = min(column - 1, len(line))
    stop = min(start + max(length, 1), max(len(line), start + 1))
    before, marked, after = _shown(line[:start]), line[start:stop], line[stop:]
    whole = _shown(line[:stop])
    marked = whole[len(before) :] if whole.startswith(before) else visible(marked)
    before, marked, after = _windowed(before, marked, visible(after), room)
    blanks = " " * display_width(before)
    carets = "^" * max(display_width(marked), 1)
    return [
        ("dim", gutter),
        ("", before + marked + after),
        ("dim", f"\n  {' ' * len(str(number))} | "),
        ("caret", blanks + carets),
    ]


def _shown(line: str) -> str:
    return visible(expand_tabs(line))


def _windowed(before: str, marked: str, after: str, room: int) -> tuple[str, str, str]:
    """Cut the three parts of a line so that the marked one is visible within ``room`` cells."""
    room = max(room, 20)
    if display_width(before) + display_width(marked) + display_width(after) <= room:
        return before, marked, after
    limit = room // 2
    if display_width(marked) > limit:
        marked, after = _head(marked, limit - 1), ELLIPSIS
    if display_width(before) + display_width(marked) > room - 1:
        before = ELLIPSIS + _tail(before, max(room - display_width(marked) - 10, 4))
    left = room - display_width(before) - display_width(marked)
    if display_width(after) > left:
        after = _head(after, left - 1) + ELLIPSIS
    return before, marked, after


def _head(text: str, room: int) -> str:
    for index, size in enumerate(cells(text)):
        room -= size
        if room < 0:
            return text[:index]
    return text


def _tail(text: str, room: int) -> str:
    widths = cells(text)
    index = len(widths)
    while index and room >= widths[index - 1]:
        index -= 1
        room -= widths[index]
    return text[index:]


def _stack(error: PuppetError, label: str | None) -> list[list[Fragment]]:
    frames = error.frames
    if len(frames) < 2 and (error.line is not None or _is_whole_input(frames, label)):
        # The error itself is there, or the text was typed and has nothing before it.
        return []
    rows: list[list[Fragment]] = []
    shown = 0
    while shown < len(frames) and len(rows) < MAX_FRAMES:
        frame = frames[shown]
        count = 1
        times = 1
        while shown + count < len(frames) and _is_same(frame, frames[shown + count]):
            times += 1 + frames[shown + count - 1].skipped
            count += 1
        shown += count
        rows.append(_stack_row(frame, label, times))
        if frames[shown - 1].skipped:
            rows.append([("dim", f"  ... {counted(frames[shown - 1].skipped, 'more call')}")])
    left = sum(1 + each.skipped for each in frames[shown:-1])
    if left:
        rows.append([("dim", f"  ... {counted(left, 'more call')}")])
    if shown < len(frames):
        rows.append(_stack_row(frames[-1], label, 1))
    return rows


def _is_whole_input(frames: Sequence[Frame], label: str | None) -> bool:
    """Tell whether the only frame is at the start of a typed text, or there is none."""
    return all(each.file in (None, label) and (each.line, each.column) == (1, 1) for each in frames)


def _stack_row(frame: Frame, label: str | None, times: int) -> list[Fragment]:
    location = _frame_location(frame, label)
    text = f" at {location} ({times} times)" if times > 1 else f" at {location}"
    return [("dim", "  from "), ("function", frame.name), ("dim", text)]


def _frame_location(frame: Frame, label: str | None) -> str:
    location = f"{frame.file or label or 'input'}:{frame.line}"
    return visible(location if frame.column is None else f"{location}:{frame.column}")


def _is_same(frame: Frame, other: Frame) -> bool:
    """Tell whether two calls are at the same location: a function that calls itself."""
    locations = [(each.name, each.file, each.line, each.column) for each in (frame, other)]
    return locations[0] == locations[1]
