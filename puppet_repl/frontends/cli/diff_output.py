"""What ``puppet-repl diff`` prints: sections for nodes, or each change once."""

from __future__ import annotations

import json
import sys
from html import escape
from shutil import get_terminal_size

from puppet_repl.base.safe_text import visible, visible_json, visible_lines
from puppet_repl.base.wording import counted
from puppet_repl.catalog.difference import ChangeGroup, Difference, difference_data, grouped
from puppet_repl.frontends.cli.program import colored
from puppet_repl.tools.rendering.fragments import ansi, plain
from puppet_repl.tools.reports.differences import render_changes, render_difference
from puppet_repl.tools.reports.differences_html import difference_html
from puppet_repl.tools.reports.differences_markdown import differences_markdown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import Any

    from puppet_repl.frontends.shared.catalog_comparison import Compared

FORMATS = ("text", "json", "html", "markdown")
# Of more nodes that have a change the names are left out, but for JSON.
_NAMED = 5


def write_results(
    results: list[Compared], names: tuple[str, str], notes: Sequence[str], given: Namespace
) -> None:
    """Print the differences, and on standard error for which nodes there are none.

    ``names`` are those of the sides, ``notes`` sentences about them.
    """
    if given.format == "markdown":
        found = [(each.node or "", each.difference, each.problem) for each in results]
        print(differences_markdown(names, found, [*notes, *_lonely(results)]))
    elif given.summary:
        write_groups(results, given)
    elif given.format == "text":
        _write_text(results, color=not given.no_color and colored(sys.stdout))
    elif given.format == "json":
        _write_json(results)
    else:
        _write_html(results)
    sys.stdout.flush()
    for result in results:
        if result.difference is None:
            node = f"{result.node}: " if len(results) > 1 else ""
            print(f"puppet-repl: {visible_lines(node + result.problem)}", file=sys.stderr)


def _write_text(results: list[Compared], *, color: bool) -> None:
    width = get_terminal_size().columns if sys.stdout.isatty() else None
    show = ansi if color else plain
    for result in results:
        if len(results) > 1:
            sys.stdout.write(show([("heading", f"=== {result.node}")]) + "\n")
        if result.only_in:
            sys.stdout.write("".join(f"{visible(line)}\n" for line in _lonely([result])))
        elif result.difference is not None:
            sys.stdout.write(show(render_difference(result.difference, width)) + "\n")
    if len(results) > 1:
        sys.stdout.write(f"\n{visible_lines(_summary(results))}\n")


def _lonely(results: list[Compared]) -> list[str]:
    """Return a line for each node that only one directory of catalogs has."""
    return [f"{each.node}: only in {each.only_in}" for each in results if each.only_in]


def _summary(results: list[Compared]) -> str:
    """Return for how many nodes the catalogs differ, and for which there are none."""
    same = sum(result.is_same for result in results)
    failed = [str(result.node) for result in results if result.difference is None]
    text = f"{counted(len(results), 'node')}: {same} the same"
    text += f", {len(results) - same - len(failed)} different"
    return text + (f", {len(failed)} failed ({', '.join(failed)})" if failed else "")


def _write_json(results: list[Compared]) -> None:
    data = _data(results[0])
    if len(results) > 1:
        same = all(result.is_same for result in results)
        data = {"same": same, "nodes": [_data(result) for result in results]}
    print(visible_json(json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)))


def _write_html(results: list[Compared]) -> None:
    for result in results:
        if len(results) > 1:
            print(f"<h2>{escape(str(result.node))}</h2>")
        if result.difference is None:
            print(f"<p>{escape(result.problem)}</p>")
        elif result.only_in:
            print(f"<p>{escape(_lonely([result])[0])}</p>")
        else:
            print(difference_html(result.difference))
    if len(results) > 1:
        print(f"<p>{escape(_summary(results))}</p>")


def _data(result: Compared) -> dict[str, Any]:
    """Return a result as JSON data."""
    node = {} if result.node is None else {"node": result.node}
    if result.difference is None:
        return {**node, "error": result.problem}
    data = {**node, **difference_data(result.difference), "same": result.is_same}
    return {**data, "only_in": result.only_in} if result.only_in else data


# Each change once


def write_groups(results: list[Compared], given: Namespace) -> None:
    """Print each change once, with the nodes that have it."""
    groups = grouped(
        (str(result.node), result.difference) for result in results if result.difference is not None
    )
    if given.format == "json":
        _write_groups_json(groups, results)
    elif given.format == "html":
        for heading, changes in _headed(groups):
            print(f"<h2>{escape(heading)}</h2>")
            for change in changes:
                print(difference_html(change))
        print(f"<p>{escape(_summary(results))}</p>")
    else:
        width = get_terminal_size().columns if sys.stdout.isatty() else None
        show = ansi if not given.no_color and colored(sys.stdout) else plain
        for heading, changes in _headed(groups):
            sys.stdout.write(show([("heading", f"=== {visible(heading)}")]) + "\n")
            for change in changes:
                sys.stdout.write(show(render_changes(change, width)) + "\n")
        for line in _lonely(results):
            sys.stdout.write(f"{visible(line)}\n")
        sys.stdout.write(("\n" if groups else "") + f"{visible_lines(_summary(results))}\n")


def _headed(groups: list[ChangeGroup]) -> list[tuple[str, list[Difference]]]:
    """Return the changes that the same nodes have, with a heading that names these."""
    found: dict[tuple[str, ...], list[Difference]] = {}
    for group in groups:
        found.setdefault(tuple(group.nodes), []).append(group.change)
    return [(_nodes_text(nodes), changes) for nodes, changes in found.items()]


def _nodes_text(nodes: tuple[str, ...]) -> str:
    count = len(nodes)
    names = ", ".join(nodes[:_NAMED])
    return f"{counted(count, 'node')}: {names}{', ...' if count > _NAMED else ''}"


def _write_groups_json(groups: list[ChangeGroup], results: list[Compared]) -> None:
    failed = {str(result.node): result.problem for result in results if result.difference is None}
    data = {
        "same": all(result.is_same for result in results),
        "nodes": len(results),
        "changes": [
            {"nodes": group.nodes, **_without_names(difference_data(group.change))}
            for group in groups
        ],
        "only_in": {str(each.node): each.only_in for each in results if each.only_in},
        "failed": failed,
    }
    print(visible_json(json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)))


def _without_names(data: dict[str, Any]) -> dict[str, Any]:
    return {key: data[key] for key in ("added", "removed", "changed", "relationships")}
