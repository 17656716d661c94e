"""Load the data type that a file in Ruby creates, without running it where that is certain.

Most of these files have only a literal interface, and perhaps an implementation in a block. The
interface is Puppet code; Ruby runs only for an implementation.
"""

from __future__ import annotations

import re
from textwrap import dedent
from typing import NamedTuple

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.base.file_reading import read_text
from puppet_repl.environment.reference.ruby.comments import parse_ruby
from puppet_repl.environment.reference.ruby.literals import literal_text, source_of
from puppet_repl.environment.reference.ruby.tokens import RubyError
from puppet_repl.environment.ruby.data_types import Implementation
from puppet_repl.environment.ruby.engines import remedy
from puppet_repl.language.runtime.user_types import TypeOrigin
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.validate import validate
from puppet_repl.language.types.making.named import object_of
from puppet_repl.language.types.making.object_definition import check_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.reference.ruby.nodes import Node
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.syntax import ast

_CREATES = re.compile(r"Puppet::DataTypes\.create_type").search
_IS_COMPUTED = re.compile(r"\\|#[{@$]").search
_MAX_TEXT = 200_000


class DataTypeFile(NamedTuple):
    """What a file says of its data type.

    ``interface`` is the text of the initialiser hash of an Object type, without its braces;
    ``start`` is the offset of the declaration in the file.
    """

    name: str
    interface: str
    has_implementation: bool
    start: int = 0


def read_data_type(text: str) -> DataTypeFile | None:
    """Return what a file says of its data type, None where only running it would tell."""
    if len(text) > _MAX_TEXT:
        return None
    try:
        root = parse_ruby(text)
    except RubyError:
        return None
    if len(root.parts) != 1:
        return None
    call = root.parts[0]
    if call.kind != "call" or call.name != "create_type" or len(call.arguments) != 1:
        return None
    if call.receiver is None or source_of(call.receiver, text) != "Puppet::DataTypes":
        return None
    name = _text(call.arguments[0], text)
    interfaces = [node for node in call.statements if _calls(node, "interface", arguments=1)]
    blocks = [node for node in call.statements if _calls(node, "implementation", arguments=0)]
    if len(interfaces) != 1 or len(blocks) > 1 or len(call.statements) != 1 + len(blocks):
        return None
    interface = _text(interfaces[0].arguments[0], text)
    if name is None or interface is None or any(node.block is None for node in blocks):
        return None
    return DataTypeFile(name, interface, bool(blocks), call.start)


def _calls(node: Node, name: str, *, arguments: int) -> bool:
    if node.kind == "name" and arguments == 0:
        return node.name == name
    return (
        node.kind == "call"
        and node.name == name
        and node.receiver is None
        and len(node.arguments) == arguments
    )


def _text(node: Node, text: str) -> str | None:
    """Return the text of a literal that no code is in."""
    token = node.token
    if node.kind != "literal" or token is None:
        return None
    if token.kind == "heredoc" and token.span is not None:
        found = text[slice(*token.span)].lstrip("\n").rstrip().rpartition("\n")[0] + "\n"
        if token.text.startswith("<<~"):
            found = dedent(found)
    elif token.kind == "symbol" or (token.kind == "string" and token.content is not None):
        if _IS_COMPUTED(source_of(node, text)):
            return None
        found = literal_text(node, text) or ""
    else:
        return None
    return None if _IS_COMPUTED(found) else found


# Loading


def load_data_type(context: Context, name: str, path: str) -> None:
    """Define the data type in a file; raise the error of the file."""
    context.check_reach(path)
    try:
        text = read_text(path, errors="replace")
    except OSError:
        return
    where = f"The code loaded from {path}"
    if not _CREATES(text):
        raise RuntimeFailure(
            f"{where} does not seem to be a Puppet 5x API data type - no create_type call."
        )
    found = read_data_type(text) or _ask_ruby(context, name, path)
    source = Source(f"{{ {found.interface} }}")
    try:
        body = _parsed(source, context)
        check_name("object name", found.name)
    except PuppetError as error:
        raise RuntimeFailure(f"Data Type Load Error for type '{found.name}': {error}") from None
    if found.name.lower() != name:
        raise RuntimeFailure(
            f"{where} produced mis-matched name, expected '{name}', got {found.name}"
        )
    made = object_of(found.name, body, source, context)
    if found.has_implementation:
        made.implementation = Implementation(path, context)
    context.define_type(found.name, made, TypeOrigin(Source(text, path), 0, len(text)))


def _parsed(source: Source, context: Context) -> ast.Node:
    program = parse(source)
    validate(program, strict=context.options.strict)
    return program.body


def _ask_ruby(context: Context, name: str, path: str) -> DataTypeFile:
    ruby = context.ruby
    if not ruby.has_engine:
        message = f"The data type '{name}' is in Ruby ({path}), which cannot be run here"
        raise RuntimeFailure(f"{message}; {remedy(context)}")
    return DataTypeFile(*ruby.request("data_type", path=path))
