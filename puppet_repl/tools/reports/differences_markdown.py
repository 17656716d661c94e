"""The differences of the catalogs of nodes as Markdown, for those who review a change.

Changes that the same nodes have are one section, the most nodes first. Long sections are folded and
cut, so that the whole text fits into a comment of GitHub.
"""

from __future__ import annotations

from collections import Counter
from html import escape

from puppet_repl.base.safe_text import visible, visible_lines
from puppet_repl.base.wording import counted, shortened, some_of
from puppet_repl.catalog.difference import Difference, grouped
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.differences import render_changes, summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    NodeResult: TypeAlias = "tuple[str, Difference | None, str]"

MAX_CHARACTERS = 60_000
"""GitHub takes 65,536 in a comment, and a mebibyte in the summary of a job."""

_UNFOLDED_LINES = 20
_MAX_LINES = 300
_MAX_NAMED = 8
_MAX_PROBLEM = 1000
_MAX_NOTES = 10
_MAX_CODE = 200
_OF_LAST_SENTENCE = 150
# How many problems and rows of nodes are shown: fewer if the text is too long all the same.
_SHARES = ((20, 200), (5, 50), (1, 0))


def differences_markdown(
    names: tuple[str, str], results: Sequence[NodeResult], notes: Sequence[str] = ()
) -> str:
    """Return the differences of catalogs from one side to another one, without a final line end.

    A result is the name of a node (or nothing for the only one), its difference, and the problem
    if there is none. ``notes`` are sentences about the whole comparison.
    """
    texts = (_text(names, results, notes, *share) for share in _SHARES)
    return next((text for text in texts if len(text) <= MAX_CHARACTERS), _overview(results))


def _text(
    names: tuple[str, str],
    results: Sequence[NodeResult],
    notes: Sequence[str],
    most_problems: int,
    most_rows: int,
) -> str:
    """Return the text with so many problems and rows, which escapes may still make too long."""
    lines = [f"### Catalogs: {_code(names[0])} → {_code(names[1])}", "", _overview(results)]
    for note in notes[:_MAX_NOTES]:
        lines += ["", f"> {_code(note)}"]
    lines += _problems(results, most_problems)
    sections = _sections(results)
    table = _table(results, most_rows) if len(sections) > 1 and most_rows else []
    room = MAX_CHARACTERS - _OF_LAST_SENTENCE - sum(len(line) + 1 for line in (*lines, *table))
    for number, (nodes, difference) in enumerate(sections):
        section = _section(nodes, difference, room)
        room -= sum(len(line) + 1 for line in section)
        if room < 0:
            left = counted(len(sections) - number, "group")
            lines += [
                "",
                f"*{left} of nodes with further changes are left out: the text would be"
                " too long for a comment.*",
            ]
            break
        lines += section
    return "\n".join(lines + table)


def _overview(results: Sequence[NodeResult]) -> str:
    """Return how many nodes have which result."""
    counts = Counter(
        "failed" if difference is None else "the same" if difference.is_empty else "different"
        for _, difference, _ in results
    )
    parts = [
        f"**{counts[word]} {word}**" if word != "the same" else f"{counts[word]} {word}"
        for word in ("different", "the same", "failed")
        if counts[word]
    ]
    text = f"{counted(len(results), 'node')}: {', '.join(parts)}"
    found = [difference for _, difference, _ in results if difference is not None]
    left_out = sum(each.left_out for each in found)
    unknown = sum(len(each.not_compared) for each in found)
    if left_out:
        text += f"; {counted(left_out, 'change')} left out"
    if unknown:
        text += f"; {counted(unknown, 'Sensitive value')} could not be compared"
    return text


def _problems(results: Sequence[NodeResult], most: int) -> list[str]:
    """Return the lines about nodes without a catalog; a problem of many nodes is there once."""
    nodes: dict[str, list[str]] = {}
    for name, difference, problem in results:
        if difference is None:
            nodes.setdefault(problem, []).append(name)
    lines = []
    for problem, names in list(nodes.items())[:most]:
        named = ", ".join(_code(name) for name in names[:_MAX_NAMED] if name)
        more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
        head = f"**Failed:** {named}{more}" if named else "**Failed**"  # the only node has no name
        lines += ["", head, "", *_fenced(shortened(visible_lines(problem), _MAX_PROBLEM), "")]
    if len(nodes) > most:
        lines += ["", f"*and {len(nodes) - most} further problems*"]
    return lines


def _sections(results: Sequence[NodeResult]) -> list[tuple[list[str], Difference]]:
    """Return the changes that the same nodes have, together, with the nodes."""
    groups = grouped((name, found) for name, found, _ in results if found is not None)
    sections: dict[tuple[str, ...], Difference] = {}
    for group in groups:
        change = group.change
        made = sections.setdefault(tuple(group.nodes), Difference("", ""))
        made.added += change.added
        made.removed += change.removed
        made.changed += change.changed
        made.relationships_added += change.relationships_added
        made.relationships_removed += change.relationships_removed
    return [(list(nodes), difference) for nodes, difference in sections.items()]


def _section(nodes: list[str], difference: Difference, room: int) -> list[str]:
    """Return the lines of a section, of which at most ``room`` characters are changes."""
    changes = plain(render_changes(difference, None)).split("\n")
    shown, size = [], 0
    for line in changes[:_MAX_LINES]:
        size += len(line) + 1
        if size > room:
            break
        shown.append(line)
    named = escape(
        visible(some_of([name for name in nodes if name], _MAX_NAMED)) if nodes[0] else ""
    )
    head = f"<b>{counted(len(nodes), 'node')}</b>{': ' + named if named else ''}"
    opened = " open" if len(changes) <= _UNFOLDED_LINES else ""
    lines = ["", f"<details{opened}><summary>{head} ({escape(summary(difference))})</summary>", ""]
    lines += _fenced("\n".join(shown), "diff")
    if len(shown) < len(changes):
        lines += ["", f"*{counted(len(changes) - len(shown), 'further line')} left out*"]
    return [*lines, "", "</details>"]


def _table(results: Sequence[NodeResult], most: int) -> list[str]:
    """Return the numbers of changes of each node that has some."""
    changed = [
        (name, _sizes(found))
        for name, found, _ in results
        if found is not None and not found.is_empty and name
    ]
    rows = []
    for name, sizes in sorted(changed, key=lambda each: -sum(each[1])):
        numbers = " | ".join(map(str, sizes))
        cell = _code(name).replace("|", "\\|")
        rows.append(f"| {cell} | {numbers} |")
    cut = rows[:most]
    lines = ["", f"<details><summary>{counted(len(rows), 'node')} in numbers</summary>", ""]
    lines += [
        "| node | added | removed | changed | relationships |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    lines += cut
    if len(cut) < len(rows):
        lines += ["", f"*and {len(rows) - len(cut)} more*"]
    return [*lines, "", "</details>"]


def _sizes(difference: Difference) -> tuple[int, int, int, int]:
    """Return the numbers of the columns of the table."""
    relationships = len(difference.relationships())
    added, removed = len(difference.added), len(difference.removed)
    return added, removed, len(difference.changed), relationships


def _code(text: str) -> str:
    """Return a text as code within a line, cut if it is long."""
    text = shortened(visible(text), _MAX_CODE)
    fence = _fence_of(text, 1)
    space = " " if "`" in text else ""
    return f"{fence}{space}{text}{space}{fence}"


def _fenced(text: str, language: str) -> list[str]:
    fence = _fence_of(text, 3)
    return [fence + language, text, fence]


def _fence_of(text: str, least: int) -> str:
    """Return more backticks than the text has in a row."""
    longest = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return "`" * max(least, longest + 1)
