"""Conversion of values to text: what String.new does (StringConverter).

``program_text`` (%p) and ``plain_text`` (%s) are the usual ways and short; ``text.convert`` reads
any formats. ``code_text`` writes text that can be pasted into a program.
"""

from __future__ import annotations

from puppet_repl.base.float_text import is_finite
from puppet_repl.base.sharing import once
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.iterator import PuppetIterator
from puppet_repl.language.values.protocols import Instance, PuppetValue
from puppet_repl.language.values.quote import quote
from puppet_repl.language.values.sensitive import REDACTED, Sensitive
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.values.protocols import Value


def program_text(value: Any) -> str:
    """Write a value as program text: the format ``%p`` of String.new."""
    kind = type(value)
    if kind is str:
        return quote(value)
    if value is None:
        return "undef"
    if kind is tuple:
        return once(_array_text, value, len(value))
    if kind is PuppetHash:
        return once(_hash_text, value, len(value))
    if kind is Sensitive:
        return f"#<{REDACTED}>"
    if kind is PuppetIterator:
        return program_text(tuple(value))
    return value.puppet_program() if isinstance(value, PuppetValue) else to_text(value)


def _array_text(value: tuple[Any, ...]) -> str:
    return f"[{', '.join([program_text(item) for item in value])}]"


def _hash_text(value: PuppetHash) -> str:
    entries = [f"{program_text(key)} => {program_text(item)}" for key, item in value.items()]
    return "{" + ", ".join(entries) + "}"


def code_text(value: Any) -> str:
    """Write a value as Puppet code: ``%p``, with large Floats as the language reads them."""
    text = program_text(value)
    return with_readable_exponents(text) if "e+" in text else text


def with_readable_exponents(text: str) -> str:
    """Return program text with numbers that the language reads: 1.0e16 for 1.0e+16."""
    import re

    skipped = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|/(?:[^/\\]|\\.)*/"
    pattern = rf"{skipped}|(?<=\d)e\+(?=\d)"
    return re.sub(pattern, lambda found: "e" if found[0] == "e+" else found[0], text, flags=re.S)


def plain_text(value: Value) -> str:
    """Write a value as plain text: the format ``%s``, with ``%p`` for values inside containers."""
    kind = type(value)
    if kind is tuple or kind is PuppetHash or kind is PuppetIterator:
        return program_text(value)
    return value.puppet_plain() if isinstance(value, PuppetValue) else to_text(value)


def default_text(value: Any) -> str:
    """Write a value as String.new does without formats: Floats with six decimals."""
    kind = type(value)
    if kind is float:
        if is_finite(value):
            return f"{value:.6f}"
        return "NaN" if value != value else "Inf" if value > 0 else "-Inf"
    if isinstance(value, PuppetValue) and value.data_type == "Binary":
        return to_text(value)
    if isinstance(value, Instance):
        return program_text(value)
    return plain_text(value)
