"""Functions that Ruby files create: those of Puppet 4 by their dispatches, and older ones."""

from __future__ import annotations

from puppet_repl.environment.reference.comments import Comment
from puppet_repl.environment.reference.model import FunctionEntry, Parameter, Signature
from puppet_repl.environment.reference.parameter_docs import parameters_with
from puppet_repl.environment.reference.ruby.literals import literal_text, pairs_of, scrubbed
from puppet_repl.environment.reference.ruby.tokens import RubyError, tokens_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.reference.model import Problem
    from puppet_repl.environment.reference.ruby.nodes import Node
    from puppet_repl.environment.reference.ruby.source_file import RubyFile
    from puppet_repl.environment.reference.ruby.tokens import Token

#: What declares a parameter in a dispatch: whether it may be left out, and whether repeated.
_PARAMETERS = {
    "param": (False, False),
    "required_param": (False, False),
    "optional_param": (True, False),
    "repeated_param": (False, True),
    "optional_repeated_param": (True, True),
    "required_repeated_param": (False, True),
}
_HASHES = ("list", "hash")
_BLOCKS = ("block_param", "required_block_param", "optional_block_param")


def read_old_function(call: Node, name: str, file: RubyFile) -> FunctionEntry:
    """Return a function of the 3.x API, as far as its text describes it."""
    comment = file.comment(call)
    written = _options(next((part for part in call.parts if part.kind in _HASHES), None), file)
    arity, kind, doc = (written.get(key) for key in ("arity", "type", "doc"))
    given = _options(call.arguments[1] if len(call.arguments) > 1 else None, file).get("doc")
    problems: list[Problem] = []
    if given is None:
        message = f"Missing documentation for Puppet function '{name}'"
        problems.append(file.warning("missing-documentation", message, call.line))
    else:
        text = literal_text(given, file.text)
        if text is None:
            message = f"Failed to parse docstring for 3.x Puppet function '{name}'"
            problems.append(file.warning("unreadable-documentation", message, call.line))
        else:
            is_below = given.token is not None and given.token.kind == "heredoc"
            comment = Comment(scrubbed(text), given.line + is_below)
    parameters = tuple(
        Parameter(
            name=tag.subject or "",
            documented_type=tag.type or None,
            text=tag.text or "",
            line=tag.line,
            is_documented=True,
        )
        for tag in comment.tags
        if tag.name == "param"
    )
    signature = _signature(name, parameters, comment, call.line)
    return FunctionEntry(
        name=name,
        file=file.file,
        line=call.line,
        text=comment.text,
        tags=tuple(comment.tags),
        parameters=signature.parameters,
        signatures=(signature,),
        api="ruby3x",
        unseen=_text(doc, file) if given is None else "",
        arity=None if arity is None else _integer(file.text[arity.start : arity.end]),
        is_statement=kind is None or literal_text(kind, file.text) != "rvalue",
        source=file.source(call),
        problems=(*problems, *file.faults(comment)),
    )


def _options(node: Node | None, file: RubyFile) -> dict[str | None, Node]:
    return {literal_text(key, file.text): value for key, value in pairs_of(node)}


def _text(node: Node | None, file: RubyFile) -> str:
    return scrubbed((literal_text(node, file.text) if node is not None else None) or "")


def _integer(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def read_function(call: Node, name: str, file: RubyFile) -> FunctionEntry:
    """Return a function of the 4.x API, by its dispatches, or by its method if it has none."""
    comment = file.comment(call)
    problems = list(file.faults(comment))
    signatures: list[Signature] = []
    local_types: list[tuple[str, str]] = []
    method: Node | None = None
    for node in call.statements:
        if node.kind == "call":
            if node.name == "local_types":
                local_types += _local_types(node, file)
            if node.name == "dispatch" and len(node.arguments) == 1 and node.block is not None:
                signatures.append(_Dispatch(node, name, file, problems).signature())
        elif node.kind == "def" and node.name == name.rpartition("::")[2]:
            method = node
    if not signatures and method is not None:
        signatures.append(_of_method(method, name, file, problems))
    return FunctionEntry(
        name=name,
        file=file.file,
        line=call.line,
        text=comment.text,
        tags=tuple(comment.tags),
        parameters=signatures[0].parameters if len(signatures) == 1 else (),
        signatures=tuple(signatures),
        local_types=tuple(local_types),
        api="ruby4x",
        source=file.source(call),
        problems=tuple(problems),
    )


def _local_types(call: Node, file: RubyFile) -> list[tuple[str, str]]:
    """Return names and definitions of the types in a block ``local_types``: ``type 'A = B'``."""
    nodes = [node for node in call.statements if node.kind == "call" and node.name == "type"]
    texts = [literal_text(node.arguments[0], file.text) for node in nodes if node.arguments]
    parts = [text.partition("=") for text in texts if text is not None and "=" in text]
    return [(name.strip(), definition.strip()) for name, _, definition in parts]


def _signature(
    name: str,
    parameters: tuple[Parameter, ...],
    comment: Comment,
    line: int,
    returns: str | None = None,
) -> Signature:
    told = next((tag for tag in comment.tags if tag.name == "return"), None)
    return Signature(
        name=name,
        parameters=parameters_with(parameters, comment.tags),
        declared_return=returns,
        documented_return=(told.type or None) if told else None,
        return_text=(told.text if told else None) or "",
        text=comment.text,
        tags=tuple(comment.tags),
        line=line,
    )


class _Dispatch:
    """The declarations in the block of a dispatch."""

    def __init__(self, node: Node, name: str, file: RubyFile, problems: list[Problem]) -> None:
        self.node = node
        self.name = name
        self.file = file
        self.problems = problems
        self.parameters: list[Parameter] = []
        self.block: Node | None = None
        self.returns: str | None = None

    def signature(self) -> Signature:
        """Return what the dispatch declares."""
        comment = self.file.comment(self.node)
        self.problems.extend(self.file.faults(comment))
        for call in self.node.statements:
            if call.kind == "call":
                self._declare(call)
        if self.block is not None:
            self._declare_block(self.block)
        return _signature(self.name, tuple(self.parameters), comment, self.node.line, self.returns)

    def _declare(self, call: Node) -> None:
        if call.name == "return_type":
            if call.arguments:
                self.returns = literal_text(call.arguments[0], self.file.text)
        elif call.name in _BLOCKS:
            if self.block is None:
                self.block = call
                return
            message = f"A duplicate block parameter was found for Puppet function '{self.name}'"
            self._warn("duplicate-block", message, call)
        elif call.name in _PARAMETERS:
            if len(call.arguments) != 2:
                message = (
                    f"Expected 2 arguments to '{call.name}' call:"
                    " parameter information may not be correct"
                )
                self._warn("wrong-arguments", message, call)
                return
            is_optional, is_repeated = _PARAMETERS[call.name]
            self._add(call, *call.arguments, is_optional=is_optional, captures_rest=is_repeated)

    def _declare_block(self, call: Node) -> None:
        is_optional = call.name == "optional_block_param"
        text = self.file.text
        name, type_text = "block", "Callable"
        if len(call.arguments) > 2:
            self._warn(
                "wrong-arguments", "Unexpected number of arguments to block definition", call
            )
            return
        if call.arguments:
            name = literal_text(call.arguments[-1], text) or ""
        if len(call.arguments) == 2:
            type_text = literal_text(call.arguments[0], text) or ""
        if name and type_text:
            self.parameters.append(
                Parameter(
                    name=name,
                    declared_type=f"Optional[{type_text}]" if is_optional else type_text,
                    line=call.line,
                    is_optional=is_optional,
                    is_block=True,
                )
            )

    def _add(
        self, call: Node, kind: Node, name: Node, *, is_optional: bool, captures_rest: bool
    ) -> None:
        type_text = literal_text(kind, self.file.text)
        if type_text is not None and is_optional:
            type_text = f"Optional[{type_text}]"
        self.parameters.append(
            Parameter(
                name=literal_text(name, self.file.text) or "",
                declared_type=type_text,
                line=call.line,
                captures_rest=captures_rest,
                requires_one=call.name == "required_repeated_param",
                is_optional=is_optional,
            )
        )

    def _warn(self, rule: str, message: str, node: Node) -> None:
        self.problems.append(self.file.warning(rule, message, node.line))


def _of_method(node: Node, name: str, file: RubyFile, problems: list[Problem]) -> Signature:
    comment = file.comment(node)
    problems.extend(file.faults(comment))
    return _signature(name, method_parameters(node, file.text), comment, node.line)


#: Values of Ruby that Puppet calls otherwise.
_WORDS = {"nil": "undef", ":default": "default"}


def method_parameters(node: Node, text: str) -> tuple[Parameter, ...]:
    """Return the parameters that a method takes by their positions, and its block.

    Required ones after others are left out, as puppet-strings does.
    """
    head = node.block
    if head is None:
        return ()
    code = text[head.start : head.end]
    found: dict[str, list[Parameter]] = {"": [], "=": [], "*": [], "&": []}
    try:
        tokens = [token for token in tokens_of(code) if token.kind not in ("comment", "line end")]
    except RubyError:
        return ()
    if tokens and tokens[0].text == "(":
        tokens = tokens[1:-2] if tokens[-2].text == ")" else tokens[1:]
    for part in _parts([token for token in tokens if token.kind != "end"]):
        line = node.line + code.count("\n", 0, part[0].start)
        mark, parameter = _parameter(part, code, line)
        is_late = mark == "" and (found["="] or found["*"])  # those are lost
        if parameter is not None and not is_late:
            found[mark].append(parameter)
    return (*found[""], *found["="], *found["*"][:1], *found["&"][:1])


def _parts(tokens: list[Token]) -> list[list[Token]]:
    """Return the tokens between commas that are in no brackets."""
    parts: list[list[Token]] = []
    current: list[Token] = []
    depth = 0
    for token in tokens:
        if token.kind == "operator" and token.text in "([{":
            depth += 1
        elif token.kind == "operator" and token.text in ")]}":
            depth -= 1
        if token.kind == "operator" and token.text == "," and depth <= 0:
            parts.append(current)
            current = []
        else:
            current.append(token)
    return [part for part in [*parts, current] if part]


def _parameter(part: list[Token], code: str, line: int) -> tuple[str, Parameter | None]:
    first = part[0]
    if first.kind == "operator" and first.text in ("*", "&") and len(part) > 1:
        is_rest = first.text == "*"
        return first.text, Parameter(
            name=part[1].text, line=line, captures_rest=is_rest, is_block=not is_rest
        )
    if first.kind != "ident":
        return "", None
    if len(part) > 2 and part[1].text == "=":
        default = code[part[2].start : part[-1].end]
        return "=", Parameter(
            name=first.text,
            default=_WORDS.get(default, default),
            line=line,
            is_optional=True,
        )
    return "", Parameter(name=first.text, line=line)
