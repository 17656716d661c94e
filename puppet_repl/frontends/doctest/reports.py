"""Reports: as text, for GitHub's workflows, or for other programs."""

from __future__ import annotations

import json
from collections import Counter

from puppet_repl.base.safe_text import visible, visible_json, visible_lines
from puppet_repl.base.wording import counted
from puppet_repl.frontends.doctest.block_checks import STATUSES
from puppet_repl.tools.rendering.annotations import annotation

__all__ = ["FORMATS", "Report", "concluded", "written"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.frontends.doctest.block_checks import CheckedBlock
    from puppet_repl.frontends.doctest.findings import Finding

FORMATS = ("text", "github", "json")


class Report:
    """The findings in documents.

    ``checks`` is whether all blocks were checked, ``examples`` the number of compared results.
    """

    def __init__(self, *, checks: bool) -> None:
        self.checks = checks
        self.examples = 0
        self.found: list[tuple[str, Finding]] = []
        self.blocks: list[tuple[str, CheckedBlock]] = []

    @property
    def size(self) -> int:
        """How many blocks and examples there are."""
        return len(self.blocks) + self.examples

    @property
    def differing(self) -> int:
        """How many examples differ."""
        return sum(finding.kind == "differs" for _, finding in self.found)

    @property
    def counts(self) -> Counter[str]:
        """How many blocks there are of each status."""
        return Counter(checked.status for _, checked in self.blocks)

    @property
    def summary(self) -> str:
        """The last line: the numbers of blocks, examples and findings."""
        parts = []
        if self.checks:
            counts = self.counts
            told = [f"{counts[name]} {text}" for name, text in STATUSES.items() if counts[name]]
            parts.append(", ".join([counted(len(self.blocks), "block"), *told]))
        if self.examples or not self.checks:
            held = self.examples - self.differing
            parts.append(
                f"{counted(self.examples, 'example')}, {counted(held, 'holds', 'hold')}, "
                f"{counted(self.differing, 'differs', 'differ')}"
            )
        return "; ".join(parts)


def written(name: str, finding: Finding, form: str) -> str:
    """Return the text that is printed for a finding at once, with line ends."""
    if form == "json":
        return ""
    if form == "github":
        return _annotation(name, finding)
    return visible_lines(finding.text(visible(name)))


def concluded(report: Report, form: str) -> str:
    """Return the text that is printed at the end, with a line end."""
    if form == "json":
        return visible_json(json.dumps(_data(report), ensure_ascii=False, indent=2)) + "\n"
    return f"{report.summary}\n"


def _annotation(name: str, finding: Finding) -> str:
    """Return a command of GitHub's workflows: it marks the line of a file in the pull request."""
    return annotation(
        "error",
        finding.details or finding.sentence,
        file=name,
        line=finding.line,
        column=finding.column,
        title=finding.sentence,
    )


def _data(report: Report) -> dict[str, Any]:
    summary: dict[str, int] = {}
    if report.checks:
        summary["blocks"] = len(report.blocks)
        summary.update({name: report.counts[name] for name in STATUSES})
    summary["examples"] = report.examples
    summary["differ"] = report.differing
    return {
        "summary": summary,
        "findings": [
            {
                "file": name,
                "line": finding.line,
                "column": finding.column,
                "kind": finding.kind,
                "message": finding.message,
            }
            for name, finding in report.found
        ],
        "blocks": [
            {
                "file": name,
                "line": checked.block.line,
                "language": checked.block.language,
                "status": checked.status,
                "detail": checked.detail or None,
            }
            for name, checked in report.blocks
        ],
    }
