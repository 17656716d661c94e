"""The document of a text: statements, blocks, resources, lists.

Each atom is taken once, in order, together with the comments before it: those between items are
printed with the items, all others go to the end of their line.
"""

from __future__ import annotations

from puppet_repl.tools.formatting.alignment import Table
from puppet_repl.tools.formatting.atoms import Atom
from puppet_repl.tools.formatting.document import (
    Below,
    Cat,
    Group,
    Hard,
    Indent,
    Line,
    Mark,
    Opened,
    Start,
    Suffix,
    Text,
    Verbatim,
    is_flat,
)
from puppet_repl.tools.formatting.items import read_items
from puppet_repl.tools.formatting.lists import ARROWS, listing, resource
from puppet_repl.tools.formatting.structure import Bracket, first_atom, last_atom

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.tools.formatting.document import Doc
    from puppet_repl.tools.formatting.items import Item, Items
    from puppet_repl.tools.formatting.structure import Element, Structure


class Printer:
    """Makes documents of elements; ``text`` is the source."""

    def __init__(self, structure: Structure, text: str) -> None:
        self.structure = structure
        self.text = text

    def program(self, elements: Sequence[Element]) -> Doc:
        """Return the document of a whole text, whose last element is its end."""
        items = read_items(
            elements[:-1], last_atom(elements[-1]), self.text, starts=self.structure.starts
        )
        return Cat(self.lines(items, self._statements(items.found), top=True))

    def lines(self, items: Items, docs: Sequence[Doc], *, top: bool = False) -> list[Doc]:
        """Return items on lines of their own, the first one after a line break unless ``top``."""
        parts: list[Doc] = [] if top else [*map(Suffix, items.opening), Opened()]
        is_first = True

        def line(*, blank: bool) -> None:
            nonlocal is_first
            if not (is_first and top):
                parts.append(Hard(blank=blank and not is_first))
            is_first = False

        for item, doc in zip(items.found, docs, strict=True):
            for number, comment in enumerate(item.above):
                line(blank=comment.blank if number else item.blank)
                parts += [Start(), comment.text]
            line(blank=item.is_apart if item.above else item.blank)
            parts += [doc, *map(Suffix, item.behind)]
        for comment in items.above_end:
            line(blank=comment.blank)
            parts += [Start(), comment.text]
        return parts

    # Statements.

    def _statements(self, items: list[Item]) -> list[Doc]:
        run = Table(is_run=True)
        docs: list[Doc] = []
        for item in items:
            if item.verbatim is not None:
                docs.append(Verbatim(item.verbatim))
                continue
            row = run if self._is_assignment(item) else None
            docs.append(Cat([Start(row), self._statement(item.elements, row)]))
        return docs

    def _is_assignment(self, item: Item) -> bool:
        elements = item.elements
        return len(elements) > 2 and isinstance(elements[1], Atom) and elements[1].text == "="

    def _statement(self, elements: Sequence[Element], run: Table | None) -> Doc:
        operands: list[list[Element]] = [[]]
        for element in elements:
            if isinstance(element, Atom) and element.start in self.structure.chains:
                operands.append([])
            operands[-1].append(element)
        if len(operands) == 1:
            return self.sequence(elements, run)
        broken = False
        parts: list[Doc] = []
        for number, operand in enumerate(operands):
            if number:
                arrow = operand.pop(0)
                assert isinstance(arrow, Atom)
                following = first_atom(operand[0])
                comments = arrow.claim()
                own = [each for each in comments if each.own]
                broken = broken or arrow.breaks or following.breaks or bool(own)
                parts += [Suffix(each) for each in comments if not each.own]
                for comment in own:
                    parts += [Line(), Start(), comment.text]
                parts += [Line(), Start(), arrow.text, *map(Suffix, following.claim()), " "]
            doc = self.sequence(operand)
            broken = broken or not is_flat(doc)
            parts.append(doc)
        return Group(Cat(parts), broken=broken)

    # A run of elements.

    def sequence(self, elements: Sequence[Element], run: Table | None = None) -> Doc:
        """Return the document of elements that follow one another."""
        parts: list[Doc] = []
        into = parts
        deeper: list[Doc] = []
        chain = any(isinstance(each, Atom) and each.text in ("else", "elsif") for each in elements)
        comma = self._breaking_comma(elements)
        is_option = comma and any(first_atom(each).kind == ":" for each in elements)
        before: Element | None = None
        in_lambda = False
        blocks: list[Bracket] = []
        for number, element in enumerate(elements):
            atom = first_atom(element)
            if before is None:
                into += map(Suffix, atom.claim())
            elif chain and element is atom and atom.text in ("else", "elsif"):
                into += self._before_else(atom)
            else:
                into += map(Suffix, atom.claim())
                space = self._between(elements, number, comma)
                if space == "\n":
                    if not is_option:
                        into = deeper
                    into.append(Hard())
                elif run is not None and element is atom and atom.text == "=":
                    into += [space, Mark(run)]
                    run = None
                elif space:
                    into.append(space)
            if isinstance(element, Bracket):
                is_branch = element.role in ("block", "case") and not in_lambda
                if is_branch:
                    blocks.append(element)
                    if deeper:
                        parts.append(Indent(Cat(deeper)))
                        into, deeper = parts, []
                if element.role in ("block", "lambda"):
                    in_lambda = element.role == "lambda"
                into.append(self.bracket(element, in_chain=chain and is_branch))
            else:
                into.append(self.atom(element))
                into += [Below(each) for each in element.heredocs]
            before = element
        if deeper:
            parts.append(Indent(Cat(deeper)))
        doc = Cat(parts)
        if chain:
            broken = any(not self._is_one_line(block) for block in blocks)
            return Group(doc, broken=broken)
        return doc

    def atom(self, atom: Atom) -> Doc:
        """Return the text of an atom."""
        if "\n" in atom.text:
            return Text(atom.text.split("\n"))
        return atom.text

    def _before_else(self, atom: Atom) -> list[Doc]:
        comments = atom.claim()
        if not comments:
            return [" "]
        parts: list[Doc] = []
        for comment in comments:
            if comment.own:
                parts += [Hard(), Start(), comment.text]
            else:
                parts.append(Suffix(comment))
        return [*parts, Hard()]

    def _breaking_comma(self, elements: Sequence[Element]) -> bool:
        """Tell whether the author broke the line after the first comma outside of brackets."""
        for number, element in enumerate(elements[:-1]):
            if isinstance(element, Atom) and element.kind == ",":
                return first_atom(elements[number + 1]).breaks
        return False

    def _between(self, elements: Sequence[Element], number: int, comma: bool) -> str:
        """Return the space before an element: nothing, a blank, or a line break."""
        before, element = elements[number - 1], elements[number]
        left, right = last_atom(before), first_atom(element)
        structure = self.structure
        if isinstance(before, Atom):
            if left.start in structure.unary or left.kind in ("@", "@@"):
                return ""
            if left.kind == ".":
                return ""
            if left.kind == "," and comma:
                return "\n"
            if left.start in structure.operators or left.text in ARROWS:
                is_broken = left.breaks or right.breaks
                return "\n" if is_broken and left.start in structure.operators else " "
        if isinstance(element, Bracket):
            role = element.role
            if role in ("call", "method", "access"):
                return ""
            if role == "parameters" and elements[0] is not element:
                head = first_atom(elements[0]).text
                return "" if head == "function" else " "
            # `fail ("a")` is a call; on a line of its own, the parenthesis is an argument's.
            return "\n" if role == "group" and left.kind == "NAME" else " "
        if right.kind in (",", ";", ":"):
            return ""
        if right.kind == ".":
            is_broken = right.breaks or first_atom(elements[number + 1]).breaks
            return "\n" if is_broken else ""
        return " "

    # Brackets.

    def bracket(self, bracket: Bracket, *, in_chain: bool = False) -> Doc:
        """Return the document of a pair of brackets with its content."""
        role = bracket.role
        if role in ("block", "case"):
            return self._block(bracket, in_chain=in_chain)
        if role == "resource":
            return resource(self, bracket)
        if role in ("group", "query"):
            return self._group(bracket)
        return listing(self, bracket)

    def _is_one_line(self, block: Bracket) -> bool:
        """Tell whether the author wrote a block with one simple statement on one line."""
        if block.closer.breaks or block.role == "case":
            return False
        return (
            _has_no_breaks(block)
            and sum(first_atom(child).start in self.structure.starts for child in block.children)
            == 1
        )

    def _block(self, block: Bracket, *, in_chain: bool) -> Doc:
        one_line = self._is_one_line(block)
        starts = self.structure.starts
        items = read_items(block.children, block.closer, self.text, starts=starts)
        if not items.found and not items.commented:
            return "{}"
        docs = self._statements(items.found)
        if one_line:
            content = Cat(["{", Indent(Cat([Line(), docs[0]])), Line(), "}"])
            return content if in_chain else Group(content)
        return Cat(["{", Indent(Cat(self.lines(items, docs))), Hard(), "}"])

    def _group(self, bracket: Bracket) -> Doc:
        """Return an expression in parentheses, or the query of a collector."""
        opener, closer = bracket.opener.text, bracket.closer.text
        blank = " " if bracket.role == "query" else ""
        broken = bool(bracket.children) and bracket.is_broken
        if not bracket.children:
            return Cat([opener, *map(Suffix, bracket.closer.claim()), blank, closer])
        opening = list(map(Suffix, first_atom(bracket.children[0]).claim()))
        doc = self.sequence(bracket.children)
        ending = list(map(Suffix, bracket.closer.claim()))
        if not broken and not is_flat(doc):
            return Cat([opener, *opening, blank, doc, *ending, blank, closer])
        inner = Indent(Cat([Opened(), Line(blank), doc, *ending]))
        content = Cat([opener, *opening, inner, Line(blank), closer])
        return Group(content, broken=broken)


def _has_no_breaks(block: Bracket) -> bool:
    """Tell whether a block is on one line and holds no other one."""
    for child in block.children:
        if first_atom(child).breaks or first_atom(child).comments:
            return False
        if isinstance(child, Bracket) and (
            child.role in ("block", "case") or child.closer.breaks or not _has_no_breaks(child)
        ):
            return False
    return not block.closer.comments
