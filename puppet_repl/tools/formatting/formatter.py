"""``format_text``: the text of a manifest in the one form there is."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax import epp
from puppet_repl.language.syntax.ast import Node
from puppet_repl.language.syntax.lexer import Lexer
from puppet_repl.language.syntax.parser import parse, parse_tokens
from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.formatting.atoms import FormatError, read_atoms
from puppet_repl.tools.formatting.layout import lines_of
from puppet_repl.tools.formatting.printer import Printer
from puppet_repl.tools.formatting.structure import nested, read_structure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.language.syntax.ast import Program
    from puppet_repl.tools.formatting.atoms import Atom

WIDTH = 140
_EDGES = frozenset(("EPP_START", "RENDER_STRING", "RENDER_EXPR", "EPP_END", "END"))
_CLASS = "class a ("
_END = ") {}\n"


def format_text(
    text: str,
    *,
    name: str | None = None,
    width: int = WIDTH,
    tasks: bool = False,
    is_template: bool = False,
) -> str:
    """Return a manifest, or an EPP template, in the form of ``puppet-repl format``.

    Raises PuppetError for a text that cannot be parsed, and for a result that would be another
    program, which is a defect of this package.

    :param text: the text of a manifest, or of a template
    :param name: the name of its file, for messages
    :param width: the columns of a line, as far as brackets can break
    :param tasks: whether plans are allowed
    :param is_template: whether it is a template
    """
    source = Source(text, name)
    if is_template:
        return _format_template(source, width)
    return _format_code(source, width, tasks=tasks)


def check_same(before: str, after: str, *, tasks: bool = False, is_template: bool = False) -> None:
    """Raise FormatError unless two texts are the same program with the same comments.

    The first one can be parsed. The text of a template is part of its program.
    """
    one, comments = _content(Source(before), tasks=tasks, is_template=is_template)
    try:
        other, its_comments = _content(Source(after), tasks=tasks, is_template=is_template)
    except PuppetError as error:
        raise FormatError(f"the result, by a defect, has an error: {error}") from None
    _check_tree(one, other)
    if its_comments != comments:
        raise FormatError("the result, by a defect, has other comments", one.source)


def _content(source: Source, *, tasks: bool, is_template: bool) -> tuple[Program, list[str]]:
    """Return the tree of a text, and its comments in the order of their words."""
    lexer = Lexer(source, tasks)
    if is_template:
        epp.run(lexer)
        return parse_tokens(lexer, epp=True), []
    lexer.run()
    program = parse_tokens(lexer)
    return program, _comments(read_atoms(lexer))


def _comments(atoms: list[Atom]) -> list[str]:
    return sorted(comment.text for atom in atoms for comment in atom.comments)


def _format_template(source: Source, width: int) -> str:
    """Return a template with its tags in form; its text, and the lines of its code, stay."""
    text = source.text
    lexer = Lexer(source)
    epp.run(lexer)
    program = parse_tokens(lexer, epp=True)
    pieces = []
    position = 0
    for start, end, written in _edits(lexer, width):
        pieces += [text[position:start], written]
        position = end
    result = "".join([*pieces, text[position:]])
    if result != text:
        try:
            again = parse(Source(result), epp=True)
        except PuppetError as error:
            raise FormatError(f"the result, by a defect, has an error: {error}") from None
        _check_tree(program, again)
    return result


def _format_code(source: Source, width: int, *, tasks: bool = False) -> str:
    program, comments, result = _laid_out(source, width, tasks=tasks)
    if result == source.text:
        return result
    try:
        again, its_comments, twice = _laid_out(Source(result), width, tasks=tasks)
    except PuppetError as error:
        raise FormatError(f"the result, by a defect, has an error: {error}") from None
    _check_tree(program, again)
    if its_comments != comments:
        raise FormatError("the result, by a defect, has other comments", source)
    if twice != result:
        raise FormatError("the result, by a defect, would change again", source)
    return result


def _laid_out(source: Source, width: int, *, tasks: bool) -> tuple[Program, list[str], str]:
    """Return the tree of a text, its comments in the order of their words, and its form."""
    lexer = Lexer(source, tasks)
    lexer.run()
    program = parse_tokens(lexer)
    atoms = read_atoms(lexer)
    comments = _comments(atoms)
    structure = read_structure(program, atoms)
    printer = Printer(structure, source.text)
    lines = lines_of(printer.program(nested(atoms, structure)), width)
    return program, comments, "\n".join(lines) + "\n" if lines else ""


def _check_tree(program: Program, again: Program) -> None:
    """Refuse a result that is not the same program."""
    pending: list[tuple[object, object]] = [(program.body, again.body)]
    while pending:
        one, other = pending.pop()
        if isinstance(one, Node) and type(one) is type(other):
            pending += [(getattr(one, field), getattr(other, field)) for field in one.fields]
        elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
            pending += zip(one, other, strict=True)
        elif one != other:
            raise FormatError("the result, by a defect, is another program", program.source)


def _edits(lexer: Lexer, width: int) -> Iterator[tuple[int, int, str]]:
    """Yield spans in their order and what to write there."""
    text = lexer.source.text
    kinds, starts, ends = lexer.kinds, lexer.starts, lexer.ends
    number = 0
    if len(kinds) > 1 and kinds[1] == "|":
        yield from _blank_before(text, starts[1])
        number = next(
            at for at in range(2, len(kinds)) if kinds[at] == "|" and _ends(text, ends[at])
        )
        inner = text[ends[1] : starts[number]]
        if "@(" in inner:  # the text of a heredoc must come before the end of the tag
            inner = f"\n{inner}"
        written = _format_code(Source(f"{_CLASS}{inner}{_END}"), width)
        written = written[len(_CLASS) : -len(_END)]
        if "\n" not in written:
            written = f" {written} " if written else " "
        yield ends[1], starts[number], written
        yield from _blank_after(text, ends[number])
        number += 1
    for at in range(max(number, 1), len(kinds)):
        if kinds[at] in _EDGES:
            continue
        if kinds[at - 1] not in ("DQPRE", "DQMID"):
            yield from _blank_before(text, starts[at])
        if kinds[at + 1] not in ("DQMID", "DQPOST"):
            yield from _blank_after(text, ends[at])


def _ends(text: str, end: int) -> bool:
    """Tell whether the tag ends here."""
    return text[end:].lstrip().startswith(("%>", "-%>"))


def _blank_before(text: str, start: int) -> Iterator[tuple[int, int, str]]:
    """Yield the edit of the blanks between the beginning of a tag and its code."""
    begin = start
    while begin and text[begin - 1] in " \t":
        begin -= 1
    if text.endswith(("<%", "<%=", "<%-"), 0, begin):
        yield begin, start, " "


def _blank_after(text: str, end: int) -> Iterator[tuple[int, int, str]]:
    """Yield the edit of the blanks between the code of a tag and its end."""
    last = end
    while text[last : last + 1] in (" ", "\t"):
        last += 1
    if text.startswith(("%>", "-%>"), last):
        yield end, last, " "
