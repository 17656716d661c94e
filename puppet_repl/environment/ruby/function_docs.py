"""Read the signatures and the documentation of a Ruby function without running its file.

Declarations in such files are nearly always literal, so reading them is enough to complete calls
and to show parameters. Other declarations are left out. The reader is the reader of the reference;
its entry is converted to the description of a built-in function.
"""

from __future__ import annotations

import re
import textwrap

from puppet_repl.environment.reference.comments import Comment
from puppet_repl.environment.reference.model import FunctionEntry
from puppet_repl.environment.reference.ruby.comments import parse_ruby
from puppet_repl.environment.reference.ruby.files import declared
from puppet_repl.environment.reference.ruby.source_file import RubyFile
from puppet_repl.environment.reference.ruby.tokens import RubyError
from puppet_repl.language.functions.documentation import Tags
from puppet_repl.language.functions.signatures import Signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.reference.model import Parameter, Tag
    from puppet_repl.environment.reference.model import Signature as Overload
    from puppet_repl.environment.reference.ruby.nodes import Node

_DECLARES = re.compile(r"\b(?:create_function|newfunction)\b").search
_ESCAPE = re.compile(r"\\(['\"\\])")
_OPTIONAL = re.compile(r"Optional\[(.*)\]", re.DOTALL)
_MAX_TEXT = 200_000


class FunctionDescription:
    """What a file in Ruby says of its function: a Function's documentation, with nothing to call.

    ``theme`` says whose function it is, ``aliases`` are types that only its signatures know.
    """

    __slots__ = ("_signatures", "aliases", "doc", "examples", "name", "tags", "theme")

    def __init__(
        self,
        name: str,
        theme: str,
        doc: str,
        tags: Tags,
        signatures: list[tuple[str, str]],
        aliases: dict[str, str],
    ) -> None:
        self.name = name
        self.theme = theme
        self.doc = doc
        self.tags = tags
        self.examples: tuple[str, ...] = ()
        self.aliases = aliases
        self._signatures = [Signature(text, returns) for text, returns in signatures]

    def signatures(self) -> list[Signature]:
        """Return the signatures in the order of their declaration."""
        return self._signatures

    def result_text(self, signature: Signature) -> str:
        """Return the type of the result of a signature."""
        return signature.returns


def read_function(name: str, text: str, theme: str = "") -> FunctionDescription | None:
    """Return what a file says of the function that it declares; None if none is found."""
    text = text[:_MAX_TEXT]
    if not _DECLARES(text):
        return None
    try:
        root = parse_ruby(text)
    except RubyError:
        return None
    entries = declared(root, RubyFile(text, ""))
    entry = next((each for each in entries if isinstance(each, FunctionEntry)), None)
    if entry is None:
        return None
    if entry.api == "ruby3x":
        signatures = [_legacy_signature(entry)]
    else:
        signatures = [_signature(each) for each in entry.signatures] or [("", "Any")]
    aliases = {local: _unescaped(text) for local, text in entry.local_types}
    return FunctionDescription(name, theme, *_documentation(entry, root), signatures, aliases)


# Signatures


def _signature(overload: Overload) -> tuple[str, str]:
    """Return the parameters of a dispatch in the notation of built-in functions, and the result."""
    is_declared = any(each.declared_type is not None for each in overload.parameters)
    # What a method says of its block is left out: every method can be given one.
    parts = [_parameter(each) for each in overload.parameters if is_declared or not each.is_block]
    returns = overload.declared_return
    return ", ".join(parts), "Any" if returns is None else _unescaped(returns)


def _parameter(parameter: Parameter) -> str:
    kind = _unescaped(parameter.declared_type or "Any")
    optional = _OPTIONAL.fullmatch(kind) if parameter.is_optional else None
    if optional:
        kind = optional[1]
    mark = "&" if parameter.is_block else ""
    if parameter.captures_rest:
        mark = "+" if parameter.requires_one else "*"
    is_left_out = parameter.is_optional and not parameter.captures_rest
    return f"{kind} {mark}${parameter.name}{'?' if is_left_out else ''}"


def _legacy_signature(entry: FunctionEntry) -> tuple[str, str]:
    count = -1 if entry.arity is None else entry.arity
    required = count if count >= 0 else -count - 1
    parts = [f"Any $arg{index}" for index in range(1, required + 1)]
    if count < 0:
        parts.append("Any *$args")
    return ", ".join(parts), "Undef" if entry.is_statement else "Any"


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(r"\1", text)


# Documentation


def _documentation(entry: FunctionEntry, root: Node) -> tuple[str, Tags]:
    """Return the comment of a function and of its first dispatch: the text, and its tags."""
    text, tags = entry.text, entry.tags
    if entry.unseen:
        comment = Comment(entry.unseen)
        text, tags = comment.text, tuple(comment.tags)
    elif not entry.is_documented:
        above = next((node.comment for node in root.parts if node.comment), None)
        if above is not None and entry.api == "ruby3x":  # it is above the module around it
            comment = Comment(above)
            text, tags = comment.text, tuple(comment.tags)
    first = entry.signatures[0] if entry.signatures and entry.api == "ruby4x" else None
    if first is not None:
        tags += first.tags
    parts = [tag.text or "" for tag in tags if tag.name == "summary"]
    parts += [text, *([first.text] if first is not None else [])]
    parameters: dict[str, str] = {}
    returned: list[str] = []
    for tag in tags:
        told = _unescaped(_in_line(tag.text or ""))
        if tag.name == "param" and tag.option is None and tag.variable:
            parameters.setdefault(tag.variable, told)
        elif tag.name == "return":
            returned += [told] if told else []
        elif tag.name != "summary":
            parts.append(_sentence(tag))
    text = "\n\n".join(_unescaped(part) for part in parts if part)
    return text, Tags(parameters, "", "; ".join(returned))


def _sentence(tag: Tag) -> str:
    told = tag.text or ""
    if tag.option is not None:
        return f"`${tag.variable}`: {_in_line(tag.option.text or '')}"
    if tag.name == "example":
        return f"{tag.subject or 'Example'}:\n\n{textwrap.indent(told.strip(), '    ')}"
    body = f"{tag.subject or ''} {told}".strip()
    if tag.name == "note" or not body:
        return body
    return f"{tag.name.capitalize()}: {body}"


def _in_line(text: str) -> str:
    return " ".join(text.split("\n"))
