"""Blocks of Puppet code in documents: Markdown, reStructuredText, plain text, manifests, Ruby."""

from __future__ import annotations

import re

from puppet_repl.frontends.commands.files import MARK, is_saved_session
from puppet_repl.frontends.doctest.examples import has_result

__all__ = ["Block", "all_blocks", "blocks_of"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

#: What is below such a tag, which has no word for its language: Puppet code, or data for it.
EXAMPLE = "@example"
CODE = frozenset({"puppet", "puppet8", "pp", EXAMPLE})
TEMPLATE = "epp"
#: The directive whose code is run when the page is made.
DIRECTIVE = "puppet-example"
CONSOLE = frozenset({"puppet-console", "pp-console"})

_annotation = re.compile(r"#\s*(?:=>|produces\b)|^\s*>> ").search
_marker = re.compile(r"puppet-repl:\s*(skip|run|fragment)\b").search
# The line that opens a block has no further backticks: ```code``` is a span of a line.
_fence = re.compile(r"(\s*)(`{3,}(?!.*`)|~{3,}|:{3,})\s*\{?([\w:+-]*)\}?[ \t]*([\w+-]*)").match
_directive = re.compile(
    r"(\s*)\.\. (?:(?:code-block|code|sourcecode)::[ \t]*([\w-]*)|(puppet-example)::)"
).match
_option = re.compile(r"\s*:([\w-]+):\s*(.*)").match
_title = re.compile(r"\s*(#+\s*)?@example\b").match
_comment = re.compile(r"(\s*#)( {2,}.*|\s*)$").match
_TEXTS = (".md", ".markdown", ".myst", ".rst", ".rest")
_CODE_FILES = (".pp", ".rb")
ENDINGS = (*_TEXTS, *_CODE_FILES)


class Block:
    """Lines of code in a document; `line` is the number of the first one, counted from 1.

    `language` is what the document calls it in lower case, '' if it does not say. `marker` is
    'run', 'skip' or 'fragment' where a comment before it says so. `options` are those of its
    directive, `margin` the characters that the document has before each line. One that `is_input`
    is one input of a saved session.
    """

    __slots__ = ("is_input", "language", "line", "lines", "margin", "marker", "options")

    def __init__(
        self,
        language: str,
        line: int,
        lines: list[str],
        marker: str = "",
        options: dict[str, str] | None = None,
        *,
        margin: int = 0,
        is_input: bool = False,
    ) -> None:
        self.language = language.lower()
        self.line = line
        self.lines = lines
        self.marker = marker
        self.options = options or {}
        self.margin = margin
        self.is_input = is_input

    @property
    def session(self) -> str:
        """The name of its session, '' for that of the document."""
        return self.options.get("session", "")

    @property
    def is_shown(self) -> bool:
        """Tell whether the page shows its output, whatever that is."""
        return self.language == DIRECTIVE and "output" in self.options and not self.is_console

    @property
    def is_console(self) -> bool:
        """Tell whether it is a transcript of a session."""
        first = next((line for line in self.lines if line.strip()), "")
        return self.language in CONSOLE or first.startswith(">> ")

    @property
    def is_code(self) -> bool:
        """Tell whether the document calls it Puppet code, and it is not a transcript."""
        return (self.language in CODE or self.language == DIRECTIVE) and not self.is_console

    @property
    def is_tested(self) -> bool:
        """Tell whether it contains results, or a comment before it asks to run it."""
        if self.marker == "skip":
            return False
        if self.is_input:
            return any(line.strip() for line in self.lines)
        if self.marker == "run" or self.language == DIRECTIVE or self.language in CONSOLE:
            return True
        if self.language in CODE:
            return any(has_result(line) for line in self.lines)
        return self.language == "" and any(_annotation(line) for line in self.lines)


def blocks_of(name: str, text: str) -> list[Block]:
    """Return the blocks of a document that are to be run; its format follows from its name."""
    return [block for block in all_blocks(name, text) if block.is_tested]


def all_blocks(name: str, text: str) -> list[Block]:
    """Return all blocks of a document, whatever their language.

    Notebooks have none: their outputs are compared by running them with a kernel.
    """
    if name.endswith(".ipynb"):
        return []
    lines = text.split("\n")
    if name.endswith((".md", ".markdown", ".myst")) or _looks_like_markdown(name, lines):
        return list(_markdown(lines))
    if name.endswith((".rst", ".rest")):
        return list(_restructured(lines))
    if name.endswith(_CODE_FILES):
        return list(_session(lines) if is_saved_session(text) else _tagged(lines))
    return list(_plain(lines))


def marker_in(comment: str) -> str:
    """Return what a comment before a block says about it: 'run', 'skip', 'fragment' or nothing."""
    found = _marker(comment)
    return found.group(1) if found else ""


def _looks_like_markdown(name: str, lines: list[str]) -> bool:
    """Tell whether a text with another suffix is Markdown, by its headings and fences."""
    if name.endswith(ENDINGS):
        return False
    heads = sum(1 for line in lines if re.match(r"#{1,4} [A-Z]|={3,}$|-{3,}$", line))
    return heads > 3 and any(_fence(line) for line in lines)


def _markdown(lines: list[str]) -> Iterator[Block]:
    marker = ""
    number = 0
    while number < len(lines):
        line = lines[number]
        fence = _fence(line)
        if fence and not fence.group(2).startswith(":"):
            number, block = _fenced(lines, number, fence, marker)
            marker = ""
            yield block
            continue
        if _is_indented(lines, number):
            number, block = _indented(lines, number, marker)
            marker = ""
            yield block
            continue
        if line.strip():
            marker = marker_in(line)
        number += 1


def _fenced(lines: list[str], number: int, fence: re.Match[str], marker: str) -> tuple[int, Block]:
    margin, mark, language, argument = fence.groups()
    if language in ("code-block", "code", "sourcecode"):
        language = argument
    start = number + 1
    options = _options(lines, start) if language else {}
    start += len(options)
    end = start
    while end < len(lines) and not lines[end].strip().startswith(mark):
        end += 1
    body = [line.removeprefix(margin) for line in lines[start:end]]
    return end + 1, Block(language, start + 1, body, marker, options, margin=len(margin))


def _options(lines: list[str], start: int) -> dict[str, str]:
    """Return the options of a directive: the lines that look like fields."""
    found: dict[str, str] = {}
    for line in lines[start:]:
        option = _option(line)
        if option is None:
            break
        found[option.group(1)] = option.group(2).strip()
    return found


def _is_indented(lines: list[str], number: int) -> bool:
    """Tell whether a block indented by four spaces begins here: after a blank line."""
    blank_before = number == 0 or not lines[number - 1].strip()
    return blank_before and lines[number].startswith("    ") and lines[number].strip() != ""


def _indented(lines: list[str], number: int, marker: str) -> tuple[int, Block]:
    end = number
    while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
        end += 1
    body = [line[4:] for line in lines[number:end]]
    return end, Block("", number + 1, body, marker, margin=4)


def _restructured(lines: list[str]) -> Iterator[Block]:
    marker = ""
    number = 0
    while number < len(lines):
        line = lines[number]
        directive = _directive(line)
        literal = line.rstrip().endswith("::") and not line.lstrip().startswith("..")
        if directive or literal:
            language = (directive.group(2) or directive.group(3) or "") if directive else ""
            options = _options(lines, number + 1) if directive else {}
            start = number + 1 + len(options)
            while start < len(lines) and not lines[start].strip():
                start += 1
            margin = len(line) - len(line.lstrip())
            number, body = _deeper(lines, start, margin)
            cut = _common_indent(body)
            code = [line[cut:] for line in body]
            yield Block(language, start + 1, code, marker, options, margin=cut)
            marker = ""
            continue
        if line.strip():
            marker = marker_in(line)
        number += 1


def _deeper(lines: list[str], start: int, margin: int) -> tuple[int, list[str]]:
    """Return the lines from `start` that are indented by more than `margin`, and where they end."""
    end = start
    while end < len(lines):
        line = lines[end]
        if line.strip() and len(line) - len(line.lstrip()) <= margin:
            break
        end += 1
    return max(end, start), lines[start:end]


def _common_indent(lines: list[str]) -> int:
    return min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)


def _tagged(lines: list[str]) -> Iterator[Block]:
    """Yield the code below ``@example`` in comments, and in the strings that document Ruby."""
    marker = ""
    number = 0
    while number < len(lines):
        title = _title(lines[number])
        if title is None:
            if lines[number].strip(" \t#"):
                marker = marker_in(lines[number])
            number += 1
            continue
        if title.group(1):
            end, sign, body = _comments(lines, number + 1)
        else:
            margin = len(lines[number]) - len(lines[number].lstrip())
            end, body = _deeper(lines, number + 1, margin)
            sign = 0
        cut = _common_indent(body)
        code = [line[cut:] for line in body]
        yield Block(EXAMPLE, number + 2, code, marker, margin=sign + cut)
        marker = ""
        number = end


def _comments(lines: list[str], start: int) -> tuple[int, int, list[str]]:
    """Return where the comments of an example end, the width of their sign, and their texts."""
    end = start
    sign = 0
    body = []
    while end < len(lines) and (comment := _comment(lines[end])) is not None:
        sign = len(comment.group(1))
        body.append(comment.group(2))
        end += 1
    return end, sign, body


def _session(lines: list[str]) -> Iterator[Block]:
    """Yield the inputs of a saved session: results are compared, the others prepare them."""
    starts = [number for number, line in enumerate(lines) if line.startswith(MARK)]
    for number, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield Block("puppet", number + 2, lines[number + 1 : end], is_input=True)


def _plain(lines: list[str]) -> Iterator[Block]:
    """Yield every paragraph, which may be code."""
    start = 0
    for number, line in enumerate([*lines, ""]):
        if not line.strip():
            if number > start:
                yield Block("", start + 1, lines[start:number])
            start = number + 1
