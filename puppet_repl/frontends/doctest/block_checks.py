"""Checking all blocks of Puppet code in a document: whether each parses, and compiles."""

from __future__ import annotations

from puppet_repl.base.differences import is_warning_of_difference
from puppet_repl.base.errors import NO_TIME, PuppetError, TimeLimitExceeded
from puppet_repl.frontends.doctest.documents import EXAMPLE, TEMPLATE, all_blocks
from puppet_repl.frontends.doctest.examples import examples_of, has_result
from puppet_repl.frontends.doctest.findings import FAILED, MISSING, REFUSED, Failure
from puppet_repl.frontends.doctest.syntax import parse_block

__all__ = ["STATUSES", "CheckedBlock", "check_document"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.frontends.doctest.block_compilation import Compiler
    from puppet_repl.frontends.doctest.documents import Block
    from puppet_repl.frontends.doctest.syntax import Parsed
    from puppet_repl.session import Session

COMPILED, WITH_CLASS, PARSED, GAPS, FRAGMENT, DATA, RUN, SKIPPED = (
    *("compiled", "compiled with class", "parsed", "gaps", "fragment"),
    *("data", "run", "skipped"),
)
# What becomes of blocks, in the order in which they are counted, with the words for it.
STATUSES = {
    COMPILED: "compiled",
    WITH_CLASS: "compiled with the module's class",
    PARSED: "parsed",
    GAPS: "parsed without the parts left out",
    FRAGMENT: "parsed as a part",
    DATA: "data",
    RUN: "run for the results in it",
    SKIPPED: "skipped",
    REFUSED: "refused",
    FAILED: "not compiled",
    MISSING: "not compiled, because a module is missing",
}


class CheckedBlock:
    """A block of a document with its status.

    ``detail`` is the construct of which the block is a part, or the class that was included, or ''.
    ``warnings`` say where Puppet ends in an error, of a block that is not compiled.
    """

    __slots__ = ("block", "detail", "failure", "status", "warnings")

    def __init__(
        self, block: Block, status: str, *, failure: Failure | None = None, detail: str = ""
    ) -> None:
        self.warnings: list[str] = []
        self.block = block
        self.status = status if failure is None else failure.kind
        self.failure = failure
        self.detail = detail


def check_document(
    name: str, text: str, session: Session, compiler: Compiler | None = None
) -> Iterator[CheckedBlock]:
    """Check the blocks that a document calls Puppet code, or EPP; compile with a compiler.

    The ``session`` says how; nothing runs in it. Examples with results are left to a Runner;
    without a compiler they are parsed, unless they are there to fail. Each block may take
    ``max_seconds`` of the options.
    """
    for block in all_blocks(name, text):
        if not (block.is_code or block.language == TEMPLATE) or block.is_input:
            continue
        try:
            with session.deadline():
                checked = _checked(block, name, session, compiler)
        except TimeLimitExceeded as stop:
            error = PuppetError(str(stop), NO_TIME)
            checked = CheckedBlock(block, FAILED, failure=Failure(block, name, error, FAILED))
        yield checked


def _checked(block: Block, name: str, session: Session, compiler: Compiler | None) -> CheckedBlock:
    options = session.options
    if block.marker == "skip":
        return CheckedBlock(block, SKIPPED)
    has_results = block.is_code and any(map(has_result, block.lines))
    if has_results and (
        compiler is not None or any(each.error is not None for each in examples_of(block))
    ):
        return CheckedBlock(block, RUN)
    parsed = parse_block(block, name, language=options.language, strict=options.strict)
    if parsed.error is not None and parsed.is_data and block.language == EXAMPLE:
        return CheckedBlock(block, DATA)
    if parsed.error is not None:
        if not parsed.is_data:
            session.add_hint(parsed.error)
        refused = Failure(block, name, parsed.error, REFUSED)
        return CheckedBlock(block, REFUSED, failure=refused)
    if (
        parsed.part
        or block.marker == "fragment"
        or parsed.has_gaps
        or compiler is None
        or block.language == TEMPLATE
    ):
        return _parsed_only(block, parsed)
    failure, included = compiler.failure(block, name, parsed)
    status = WITH_CLASS if included else COMPILED
    return CheckedBlock(block, status, failure=failure, detail=", ".join(included))


def _parsed_only(block: Block, parsed: Parsed) -> CheckedBlock:
    status = PARSED
    if parsed.part or block.marker == "fragment":
        status = FRAGMENT
    elif parsed.has_gaps:
        status = GAPS
    checked = CheckedBlock(block, status, detail=parsed.part)
    logged = [report.logged for report in parsed.warnings]
    checked.warnings = [text for text in logged if is_warning_of_difference(text)]
    return checked
