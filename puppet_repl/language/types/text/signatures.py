"""Error texts for the arguments of a call, for one signature or for several.

Closures, built-in functions and constructors have signatures of their own (SignatureLike).
"""

from __future__ import annotations

from puppet_repl.language.types.algebra.infer import infer, infer_set
from puppet_repl.language.types.model.base import UNDEF, PuppetType
from puppet_repl.language.types.model.callable import CallableType
from puppet_repl.language.types.model.collection import TUPLE, TupleType, exactly
from puppet_repl.language.types.model.scalar import INFINITY
from puppet_repl.language.types.model.wrapper import OptionalType
from puppet_repl.language.types.text.mismatch import describe, merge
from puppet_repl.language.types.text.mismatches import (
    CountMismatch,
    Mismatch,
    MissingBlock,
    UnexpectedBlock,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from puppet_repl.language.types.text.mismatches import Path
    from puppet_repl.language.values.protocols import Value

    class SignatureLike(Protocol):
        """One way to call something."""

        @property
        def type(self) -> CallableType:
            """The types of parameters and block."""
            ...

        @property
        def parameter_names(self) -> Sequence[str]:
            """The names of the parameters."""
            ...

        @property
        def block_name(self) -> str | None:
            """The name of the block, None without a block."""
            ...


def signature_mismatch(
    function_name: str,
    signatures: Sequence[SignatureLike],
    args: tuple[Value, ...],
    block: Value = None,
) -> str:
    """Return the message about a call that no signature accepts; ``lambda`` is called "block"."""
    types = tuple(map(infer_set, args))
    if block is not None:
        types = (*types, infer(block))
    problems = _problems(signatures, types)
    label = "block" if function_name == "lambda" else f"'{function_name}'"
    merged = merge(0, CountMismatch, problems)
    if len(merged) == 1:
        return label + merged[0].format()
    if len(signatures) == 1:
        lines = [f"{label} expects ({signature_text(signatures[0])})"]
        return "\n".join(lines + _rejections(problems[0], "  "))
    lines = [
        f"The function {label} was called with arguments it does not accept. It expects one of:"
    ]
    for signature, found in zip(signatures, problems, strict=True):
        lines.append(f"  ({signature_text(signature)})")
        lines += _rejections(found, "    ")
    return "\n".join(lines)


def argument_at_fault(signatures: Sequence[SignatureLike], args: tuple[Value, ...]) -> int | None:
    """Return the position of the argument that no signature accepts, or of the first one too many.

    If the signatures reject different arguments, return the last of them. Return None if arguments
    are missing or the block does not fit.
    """
    types = tuple(map(infer_set, args))
    found = [_position_of_problem(one.type.params or TUPLE, types) for one in signatures]
    positions = [position for position in found if position is not None]
    if len(positions) < len(found):  # the block does not fit
        return None
    last = max(positions, default=-1)
    return last if last >= 0 else None


def _position_of_problem(params: TupleType, types: tuple[PuppetType, ...]) -> int | None:
    """Return the index of the first wrong argument; -1 for too few arguments, None if all fit."""
    if types and types[-1].is_callable_kind():
        types = types[:-1]
    wanted = params.size_range
    if len(types) < wanted.low:
        return -1
    if len(types) > wanted.high:
        return int(wanted.high)
    for index, actual in enumerate(types):
        if not params.types[min(index, len(params.types) - 1)].accepts_type(actual):
            return index
    return None


def _rejections(found: list[Mismatch], indent: str) -> list[str]:
    return [f"{indent}rejected:{one.without_step(0).format()}" for one in found]


def _problems(
    signatures: Sequence[SignatureLike], types: tuple[PuppetType, ...]
) -> list[list[Mismatch]]:
    """Mismatches for each signature: of the arguments, and where those fit, of the block."""
    paths: list[Path] = [(("signature", index),) for index in range(len(signatures))]
    pairs = list(zip(signatures, paths, strict=True))
    found = [_argument_problems(one, types, path) for one, path in pairs]
    if all(found):
        return found
    of_blocks = [_block_problems(one.type, types, path) for one, path in pairs]
    if all(of_blocks):
        return of_blocks
    return [mine or blocks for mine, blocks in zip(found, of_blocks, strict=True)]


def _argument_problems(
    signature: SignatureLike, types: tuple[PuppetType, ...], path: Path
) -> list[Mismatch]:
    params = signature.type.params or TUPLE
    if types and types[-1].is_callable_kind():
        types = types[:-1]
    wanted, given = params.size_range, exactly(len(types))
    if not wanted.accepts_type(given):
        return [CountMismatch(path, wanted, given)]
    names = signature.parameter_names
    for index, actual in enumerate(types):
        place = min(index, len(params.types) - 1)
        expected = params.types[place]
        if not expected.accepts_type(actual):
            name = names[place] if place < len(names) else ""
            found = describe(expected, actual, (*path, ("parameter", name)))
            if found:
                return found
    return []


def _block_problems(
    callable_type: CallableType, types: tuple[PuppetType, ...], path: Path
) -> list[Mismatch]:
    block = callable_type.block
    if types and types[-1].is_callable_kind():
        if block is None:
            return [UnexpectedBlock(path)]
        return describe(block, types[-1], (*path, ("named", "block")))
    if block is None or block.accepts_type(UNDEF):
        return []
    return [MissingBlock(path)]


def signature_text(signature: SignatureLike) -> str:
    """``Integer a, String b?, Callable block``: parameters with their types."""
    callable_type: CallableType = signature.type
    params = callable_type.params
    if params is None or (params.size_range.low == 0 and params.size_range.high == 0):
        return ""
    required, most = params.size_range.low, params.size_range.high
    names = signature.parameter_names or ("",) * len(params.types)
    texts = []
    for index, name in enumerate(names):
        shown = params.type_at(index)
        mark = ""
        if most == INFINITY and index == len(names) - 1:
            mark = "+" if required == len(names) else "*"
        elif index + 1 > required:
            mark = "?"
            if isinstance(shown, OptionalType) and shown.type is not None:
                shown = shown.type
        texts.append(f"{shown} {name}{mark}")
    block = callable_type.block
    if isinstance(block, OptionalType):
        texts.append(f"{block.type} {signature.block_name}?")
    elif isinstance(block, CallableType):
        texts.append(f"{block} {signature.block_name}")
    return ", ".join(texts)
