"""Examples in a block of code: what to run, and the expected result."""

from __future__ import annotations

import re

from puppet_repl.base.log_levels import LEVELS
from puppet_repl.frontends.commands.specs import split_results
from puppet_repl.language.syntax.completeness import Incomplete, check

__all__ = ["Example", "examples_of", "has_result"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.frontends.doctest.documents import Block

_error = re.compile(
    r"#\s*(?:=>\s*)?(?:(?:syntax|evaluation|compile|compilation)\s+)?[eE]rror\s*($|[,(;]|:\s*(.*)$)"
).search
_log = re.compile(rf"#\s*(?:=>\s*)?({'|'.join(LEVELS)}):\s?(.*)$").search
_value = re.compile(r".*(#\s*(?:=>|produces\b)\s*(.*))$").match
_more = re.compile(r"\s*# {3,}(\S.*)$").match
_prompt = re.compile(r"(?:>>|puppet(?: \[\d+\])?>)(?: |$)").match
_continuation = re.compile(r" *\.{2,3}(?: |$)").match


class Example:
    """Code and its expected result. `line` is that of its last line of code in the document.

    `value` is the text of the expected value, None if none is given. `error` is None, or a part
    of the expected message, '' for any. `logs` are pairs of level and text. `output` is the text
    printed in a transcript, None in the other form. If it `is_shown`, any result is right.
    """

    __slots__ = ("code", "error", "is_shown", "line", "logs", "output", "value")

    def __init__(self, code: str, line: int) -> None:
        self.code = code
        self.line = line
        self.value: str | None = None
        self.error: str | None = None
        self.logs: list[tuple[str, str]] = []
        self.output: str | None = None
        self.is_shown = False

    @property
    def expects(self) -> bool:
        """Tell whether a result is given."""
        return self.value is not None or self.error is not None or bool(self.logs)


def examples_of(block: Block) -> list[Example]:
    """Return the examples of a block in order; those without a result prepare later ones."""
    if block.is_input:
        return [_saved_input(block)]
    if block.is_shown:
        return list(_inputs(block))
    return list(_transcript(block) if block.is_console else _annotated(block))


def _saved_input(block: Block) -> Example:
    code, results = split_results(block.lines)
    example = Example("\n".join(code), block.line + len(code) - 1)
    for kind, text in results:
        if kind == "=>":
            example.value = text
        elif kind == "error:":
            example.error = text
        else:
            example.logs.append((kind[:-1], text))
    return example


def _inputs(block: Block) -> Iterator[Example]:
    """Yield inputs without prompts: one ends with the line that makes it complete."""
    lines: list[str] = []
    for offset, line in enumerate(block.lines):
        if not lines and not line.strip():
            continue
        lines.append(line)
        code = "\n".join(lines)
        if offset + 1 == len(block.lines) or not isinstance(check(code), Incomplete):
            example = Example(code, block.line + offset)
            example.is_shown = True
            yield example
            lines = []


def _transcript(block: Block) -> Iterator[Example]:
    example: Example | None = None
    output: list[str] = []
    for offset, line in enumerate(block.lines):
        prompt = _prompt(line)
        if prompt:
            if example is not None:
                example.output = "\n".join(output).strip("\n")
                yield example
            example, output = Example(line[prompt.end() :], block.line + offset), []
        elif example is not None:
            more = None if output else _continuation(line)
            if more and isinstance(check(example.code), Incomplete):
                example.code += "\n" + line[more.end() :]
            else:
                output.append(line)
    if example is not None:
        example.output = "\n".join(output).strip("\n")
        yield example


def _annotated(block: Block) -> Iterator[Example]:
    example = Example("", block.line)
    own_line = False
    for offset, line in enumerate(block.lines):
        code, found = _split(line)
        bare = not code.strip()
        more = _more(line) if own_line and example.expects else None
        if found is None and more:
            _extend(example, more.group(1))
            continue
        if not bare and example.expects:
            yield example
            example = Example("", block.line + offset)
        own_line = False
        if bare and found is None:
            example.code += line + "\n" if example.code else ""
            continue
        if not bare:
            example.line = block.line + offset
            example.code += (line if found is None else code) + "\n"
        if found is not None and not isinstance(check(example.code), Incomplete):
            own_line = bare
            _expect(example, *found)
    if example.expects or example.code.strip():
        yield example


def has_result(line: str) -> bool:
    """Tell whether a line of code has an expected result, or is an input of a transcript."""
    return bool(_prompt(line)) or _split(line)[1] is not None


def _split(line: str) -> tuple[str, tuple[str, str, str] | None]:
    """Return a line without its result, and the result as (kind, text, level)."""
    error = _error(line)
    if error:
        return line[: error.start()], ("error", (error.group(2) or "").strip(), "")
    log = _log(line)
    if log:
        return line[: log.start()], ("log", log.group(2), log.group(1))
    value = _value(line)
    if value:
        return line[: value.start(1)], ("value", value.group(2).strip(), "")
    return ("" if line.lstrip().startswith("#") else line), None


def _expect(example: Example, kind: str, text: str, level: str) -> None:
    if kind == "error":
        example.error = text
    elif kind == "log":
        example.logs.append((level, text))
    else:
        example.value = text


def _extend(example: Example, text: str) -> None:
    """Go on with the result of the line above."""
    if example.error is not None:
        example.error += "\n" + text
    elif example.logs and example.value is None:
        level, before = example.logs[-1]
        example.logs[-1] = (level, before + "\n" + text)
    elif example.value is not None:
        example.value += "\n" + text
