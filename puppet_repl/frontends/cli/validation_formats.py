"""The findings of ``validate`` for other programs: JSON, GitHub, SARIF and JUnit."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from puppet_repl.base.safe_text import visible, visible_json, visible_lines
from puppet_repl.base.version import __version__
from puppet_repl.tools.rendering.annotations import annotation
from puppet_repl.tools.validation.diagnostic import NO_RUBY
from puppet_repl.tools.validation.file_rules import TEXTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from puppet_repl.tools.validation.diagnostic import Diagnostic
    from puppet_repl.tools.validation.file import File

_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
_INPUT = "standard input"
_OF_RUBY = "files that only Ruby can read"
# Characters that XML 1.0 cannot have, not even escaped.
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Findings:
    """The result of a run: the files, the findings, and the files that were left.

    With ``strict`` a warning refuses its file, too.
    """

    def __init__(
        self,
        files: Sequence[File],
        found: Sequence[Diagnostic],
        left: Mapping[str, int],
        *,
        strict: bool,
    ) -> None:
        self.files = files
        self.found = found
        self.left = left
        self.strict = strict

    @property
    def kinds(self) -> dict[str, int]:
        """How many files there are of each kind, by the words for them."""
        counts: dict[str, int] = {}
        for file in self.files:
            counts[file.kind.subject] = counts.get(file.kind.subject, 0) + 1
        return counts

    def written(self, form: str) -> str:
        """Return the text of a form, with a line end; GitHub gets no line for good files."""
        if form == "github":
            return "".join(map(_annotation, self.found))
        if form == "junit":
            return self._junit()
        data = self._sarif() if form == "sarif" else self._json()
        return visible_json(json.dumps(data, ensure_ascii=False, indent=2)) + "\n"

    def _json(self) -> dict[str, Any]:
        severities = [each.severity for each in self.found]
        return {
            "summary": {
                "files": len(self.files),
                "kinds": self.kinds,
                "errors": severities.count("error"),
                "warnings": severities.count("warning"),
            },
            "findings": [each.to_dict() for each in self.found],
            "not_read": dict(self.left),
        }

    def _sarif(self) -> dict[str, Any]:
        codes = sorted({each.code for each in self.found})
        driver = {
            "name": "puppet-repl",
            "version": __version__,
            "rules": [_rule(code) for code in codes],
        }
        results = [
            {
                "ruleId": each.code,
                "ruleIndex": codes.index(each.code),
                "level": each.severity,
                "message": {"text": each.message_with_hints},
                "locations": [{"physicalLocation": _place(each)}] if each.file else [],
                **_related(each),
                **_fixes(each),
            }
            for each in self.found
        ]
        run = {
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }
        return {"$schema": _SARIF, "version": "2.1.0", "runs": [run]}

    def _junit(self) -> str:
        """Return a suite with a test for each file, and for each other path with a finding."""
        by_path: dict[str, list[Diagnostic]] = {file.path or _INPUT: [] for file in self.files}
        kinds = {file.path or _INPUT: file.kind.name for file in self.files}
        for each in self.found:
            by_path.setdefault(
                each.file or (_OF_RUBY if each.code == NO_RUBY else _INPUT), []
            ).append(each)
        refused = 0
        cases = []
        for path, found in by_path.items():
            failures = [each for each in found if self.strict or each.severity == "error"]
            refused += bool(failures)
            cases += _case(path, kinds.get(path, "path"), found, failures)
        counts = f'tests="{len(by_path)}" failures="{refused}" errors="0"'
        return "\n".join(
            [
                '<?xml version="1.0" encoding="UTF-8"?>',
                f"<testsuites {counts}>",
                f'  <testsuite name="puppet-repl validate" {counts} skipped="0">',
                *cases,
                "  </testsuite>",
                "</testsuites>",
                "",
            ]
        )


def _case(
    path: str, kind: str, found: Sequence[Diagnostic], failures: Sequence[Diagnostic]
) -> list[str]:
    """Return the lines of one test; its only failure has all findings."""
    line = next((each.line for each in failures if each.line is not None), None)
    place = "" if line is None else f' line="{line}"'
    begin = f"    <testcase classname={_attribute(kind)} name={_attribute(path)}"
    begin += f" file={_attribute(path)}{place}"
    if not found:
        return [f"{begin}/>"]
    lines = [f"{begin}>"]
    if failures:
        first = failures[0]
        said, code = _attribute(first.message), _attribute(first.code)
        text = escape(_of_xml("\n".join(map(_lines, failures))))
        lines.append(f"      <failure message={said} type={code}>{text}</failure>")
    others = [str(each) for each in found if each not in failures]
    if others:
        lines.append(f"      <system-out>{escape(_of_xml(chr(10).join(others)))}</system-out>")
    return [*lines, "    </testcase>"]


def _lines(found: Diagnostic) -> str:
    return "\n".join([str(found), *[f"  hint: {hint}" for hint in found.hints]])


def _attribute(text: str) -> str:
    return quoteattr(_of_xml(visible(text)))


def _of_xml(text: str) -> str:
    return _NOT_IN_XML.sub("\ufffd", visible_lines(text))


def _annotation(found: Diagnostic) -> str:
    """Return the command of a workflow that marks a finding."""
    return annotation(
        found.severity,
        found.message_with_hints,
        file=found.file or (None if found.code == NO_RUBY else _INPUT),
        line=found.line,
        column=found.column,
        title=found.code,
    )


def _rule(code: str) -> dict[str, Any]:
    """Return a rule, or an error of Puppet, for SARIF."""
    text = TEXTS.get(code)
    return {"id": code} if text is None else {"id": code, "shortDescription": {"text": text}}


def _place(found: Diagnostic) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(found.file or "")}}
    if found.line is not None:
        region = {
            "startLine": found.line,
            "startColumn": found.column,
            "endLine": found.end_line,
            "endColumn": found.end_column,
        }
        place["region"] = {key: value for key, value in region.items() if value is not None}
    return place


def _related(found: Diagnostic) -> dict[str, Any]:
    """Return the locations that explain a finding in a file, or nothing."""
    places = [
        {
            "physicalLocation": _place(found._replace(**{**each._asdict(), "message": ""})),
            "message": {"text": each.message},
        }
        for each in found.related
        if each.file
    ]
    return {"relatedLocations": places} if places else {}


def _fixes(found: Diagnostic) -> dict[str, Any]:
    """Return the edits of a finding as the one fix that SARIF may name, or nothing."""
    if not found.edits or not found.file:
        return {}
    replacements = [
        {
            "deletedRegion": {
                "startLine": edit.line,
                "startColumn": edit.column,
                "endLine": edit.end_line,
                "endColumn": edit.end_column,
            },
            "insertedContent": {"text": edit.text},
        }
        for edit in found.edits
    ]
    place = {"uri": _uri(found.file)}
    return {
        "fixes": [{"artifactChanges": [{"artifactLocation": place, "replacements": replacements}]}]
    }


def _uri(path: str) -> str:
    """Return the address of a file: relative to the working directory, if it is below that."""
    inner = os.path.relpath(path)
    if inner.startswith(os.pardir):
        return Path(path).absolute().as_uri()
    return quote(os.fsencode(inner.replace(os.sep, "/")))
