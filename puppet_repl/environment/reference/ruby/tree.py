"""The statements of Ruby code, as far as the languages of Puppet in Ruby need them.

Calls with their arguments and blocks, literals, hashes, classes, modules and methods are nodes.
Operands that operators join are in one node, so that a literal differs from an expression that
contains a literal. Comments belong to the code below them.
"""

from __future__ import annotations

from puppet_repl.environment.reference.ruby.nodes import Cursor, Node
from puppet_repl.environment.reference.ruby.tokens import RubyError, Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from puppet_repl.environment.reference.ruby.nodes import NodeKind

__all__ = ["parse_tokens"]

_ASSIGNMENTS = frozenset(
    ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "&&=", "||=", "<<=", ">>=", "**=")
)
_BINARY = _ASSIGNMENTS | frozenset(
    (
        *("+", "-", "*", "/", "%", "**", "<<", ">>", "&", "|", "^", "&&", "||", "==", "!=", "==="),
        *("=~", "!~", "<", ">", "<=", ">=", "<=>", "..", "...", "?", ":"),
    )
)
_UNARY = frozenset(("!", "-", "+", "~", "*", "**", "&", "..", "...", "::"))
_MODIFIERS = frozenset(("if", "unless", "while", "until", "rescue"))
_JOINING = frozenset(("and", "or"))
_LITERALS = frozenset(
    (
        *("string", "heredoc", "percent", "character", "command", "symbol", "quoted symbol"),
        *("regexp", "number"),
    )
)
_CONTROL: Mapping[str, NodeKind] = {
    "if": "condition",
    "unless": "condition",
    "case": "branches",
    "begin": "branches",
}
_SEPARATORS = frozenset(("else", "elsif", "when", "in", "then", "ensure", "rescue", "do"))
#: What may begin the first argument of a call without parentheses.
_ARGUMENT_KEYWORDS = frozenset(
    (
        *("nil", "true", "false", "self", "not", "defined?", "lambda", "proc", "super", "yield"),
        *("__FILE__", "__LINE__", "case", "if", "begin", "def", "unless"),
    )
)


def parse_tokens(tokens: list[Token]) -> Node:
    """Return the statements of a text by its tokens; raise RubyError."""
    return _Parser([token for token in tokens if token.kind != "comment"]).program()


class _Parser(Cursor):
    """The grammar: statements, expressions, calls, values."""

    def program(self) -> Node:
        """Return all statements."""
        root = Node("list", 0, self.tokens[-1].end, 1)
        while True:
            self.statements(root)
            if self.token.kind == "end":
                return root
            if self.has_word("end") or self.has(")", "]", "}"):
                raise RubyError(f"unexpected {self.token.text}", self.token.line)
            self.at += 1

    def statements(self, into: Node) -> None:
        """Take statements up to what cannot begin one."""
        self.enter()
        taken, self.is_do_taken = self.is_do_taken, False
        while True:
            self.skip_lines()
            token = self.token
            if token.kind == "end" or self.has(")", "]", "}"):
                break
            if token.kind == "keyword" and token.text in ("end", *_SEPARATORS):
                break
            before = self.at
            node = self.statement()
            node.is_listed = True
            into.parts.append(node)
            if self.at == before:
                self.at += 1  # this token cannot begin a statement
            while self.has(",", "=>"):  # of a list of values, or of patterns
                self.at += 1
                self.skip_lines()
                if not self.ends_value():
                    into.parts.append(self.statement())
        self.is_do_taken = taken
        self.depth -= 1

    def ends_value(self) -> bool:
        """Tell whether no value can begin here."""
        token = self.token
        if token.kind in ("end", "line end"):
            return True
        if token.kind == "keyword":
            return token.text in ("end", *_SEPARATORS)
        return token.kind == "operator" and token.text in (")", "]", "}", ",", "=>", "|")

    def body(self, node: Node, *, ends: tuple[str, ...] = ("end",)) -> Node:
        """Take statements into a list, with all parts of the construct, up to its end."""
        line = self.token.line
        while True:
            self.statements(node)
            if self.has_word(*ends):
                self.at += 1
                return self.finish(node)
            if self.token.kind == "end":
                raise RubyError("an end is missing", line)
            self.at += 1  # a part: else, when, rescue ...

    # Statements

    def statement(self) -> Node:
        """Return an expression with its modifiers: ``x if y``, ``x and y``."""
        node = self.expression()
        while self.token.kind == "keyword":
            word = self.token.text
            if word in ("if", "unless"):
                self.at += 1
                outer = Node("condition", node.start, node.end, node.line)
                node.is_listed = True  # its comment is that of the whole
                node = self.finish(outer, node, self.expression())
            elif word in _MODIFIERS or word in _JOINING:
                self.at += 1
                self.skip_lines()
                outer = Node("other", node.start, node.end, node.line)
                node = self.finish(outer, node, self.expression())
            else:
                break
        return node

    def expression(self) -> Node:
        """Return operands that operators join; the precedence of operators is ignored."""
        self.enter()
        node = self.operand()
        while self.token.kind == "operator" and self.token.text in _BINARY:
            operator = self.token.text
            if operator == ":" and not self.token.is_spaced:
                break
            self.at += 1
            self.skip_lines()
            outer = Node("assign" if operator == "=" else "other", node.start, node.end, node.line)
            right = self.expression() if operator in _ASSIGNMENTS else self.operand()
            node = self.finish(outer, node, right)
        self.depth -= 1
        return node

    def operand(self) -> Node:
        """Return a value with the calls on it: ``a.b(c)[d] { }``."""
        token = self.token
        if token.kind == "operator" and token.text in _UNARY:
            return self.unary()
        if token.kind == "keyword" and token.text in ("not", "defined?"):
            return self.unary()
        node = self.primary()
        while True:
            if self.has(".", "&.", "::") or self.continues_below():
                node = self.call_on(node)
            elif self.has("[") and not self.token.is_spaced:
                node = self.index(node)
            else:
                return node

    def unary(self) -> Node:
        """Return the operand after an operator; a splat is its operand, as for YARD."""
        node = self.start("other")
        is_splat = self.has("*", "**", "&")
        self.at += 1
        if self.ends_value():
            return node
        self.enter()
        inner = self.operand()
        self.depth -= 1
        return inner if is_splat else self.finish(node, inner)

    def continues_below(self) -> bool:
        """Tell whether a call goes on in the next line, which begins with a dot."""
        if self.token.kind != "line end" or self.token.text == ";":
            return False
        at = self.at
        while self.tokens[at].kind == "line end":
            at += 1
        token = self.tokens[at]
        if token.kind == "operator" and token.text in (".", "&."):
            self.at = at
            return True
        return False

    def call_on(self, receiver: Node) -> Node:
        """Return a call after a dot, or a constant after ``::``."""
        is_path = self.has("::")
        self.at += 1
        self.skip_lines()
        token = self.token
        node = Node("call", receiver.start, receiver.end, receiver.line)
        node.receiver = receiver
        node.parts.append(receiver)
        if self.has("("):
            node.name = "call"
            return self.call_rest(node, None)
        if token.kind not in ("ident", "const", "keyword", "operator", "label"):
            return self.finish(node)
        self.at += 1
        if is_path and token.kind == "const" and not (self.has("(") and not self.token.is_spaced):
            node.kind = "name"
            node.receiver = None
            node.name = ""
            return self.finish(node)
        node.name = token.text
        return self.call_rest(node, token)

    def index(self, node: Node) -> Node:
        """Return an access by an index."""
        outer = Node("other", node.start, node.end, node.line)
        outer.parts.append(node)
        self.arguments(outer, "]")
        return self.finish(outer)

    # Calls

    def call_rest(self, node: Node, name: Token | None) -> Node:
        """Take the arguments and the block of a call."""
        if self.has("(") and not self.token.is_spaced:
            node.arguments = self.arguments(node, ")")
            if self.has_final_comma:
                # For YARD the last argument is that of the block, which is missing here.
                node.arguments = node.arguments[:-1]
        elif name is not None and name.kind in ("ident", "const") and self.begins_argument(name):
            node.arguments = self.command_arguments(node)
        self.finish(node)
        if self.has("{"):
            self.block(node, "}")
        elif self.has_word("do") and not self.is_do_taken:
            self.block(node, "end")
        return self.finish(node)

    def begins_argument(self, name: Token) -> bool:
        """Tell whether an argument without parentheses follows a name."""
        token = self.token
        if not token.is_spaced or token.kind in ("line end", "end"):
            return False
        if token.kind == "keyword":
            return token.text in _ARGUMENT_KEYWORDS and not (
                token.text in ("if", "unless") or name.kind == "const"
            )
        if token.kind != "operator":
            return True
        following = self.tokens[self.at + 1]
        if token.text in ("-", "*", "&", "**", "+", "::", ":"):
            return not following.is_spaced and following.kind not in ("line end", "end")
        return token.text in ("->", "!", "~", "(", "[") and name.kind != "const"

    def arguments(self, node: Node, closer: str) -> list[Node]:
        """Take the arguments in brackets, which begin here."""
        self.enter()
        line = self.token.line
        self.at += 1
        taken, self.is_do_taken = self.is_do_taken, False
        found: list[Node] = []
        is_after_comma = False
        while True:
            self.skip_lines()
            if self.has(closer):
                self.at += 1
                break
            if self.token.kind == "end" or self.has_word("end"):
                raise RubyError(f"a {closer} is missing", line)
            self.argument(found)
            self.skip_lines()
            is_after_comma = self.has(",")
            if is_after_comma:
                self.at += 1
        self.has_final_comma = is_after_comma
        self.is_do_taken = taken
        self.depth -= 1
        node.parts.extend(found)
        return found

    def command_arguments(self, node: Node, *, takes_do: bool = True) -> list[Node]:
        """Take arguments without parentheses, to the end of the line; ``do`` is not theirs."""
        self.enter()
        taken, self.is_do_taken = self.is_do_taken, takes_do
        found: list[Node] = []
        while True:
            before = self.at
            self.argument(found)
            if not self.has(",") or self.at == before:
                break
            self.at += 1
            self.skip_lines()
        self.is_do_taken = taken
        self.depth -= 1
        node.parts.extend(found)
        return found

    def argument(self, found: list[Node]) -> None:
        """Take one argument, or a pair: all pairs without braces are one argument, a hash."""
        before = self.at
        node = self.pair()
        if self.at == before:
            if self.token.kind == "end":
                raise RubyError("an argument is missing", self.token.line)
            self.at += 1  # it begins no value
            return
        node.is_listed = True
        if node.kind != "pair":
            found.append(node)
            return
        if found and found[-1].kind == "list":
            pairs = found[-1]
        else:
            pairs = Node("list", node.start, node.end, node.line)
            found.append(pairs)
        pairs.parts.append(node)
        pairs.end = node.end

    def pair(self) -> Node:
        """Return a value, or a pair of them."""
        if self.token.kind == "label":
            node = self.start("pair")
            key = self.start("literal")
            key.token = self.token
            self.at += 1
            self.skip_lines()
            node.parts.append(key)
            return node if self.ends_value() else self.finish(node, self.no_modifier())
        first = self.no_modifier()
        if not self.has("=>"):
            return first
        self.at += 1
        self.skip_lines()
        node = Node("pair", first.start, first.end, first.line)
        return self.finish(node, first, self.no_modifier())

    def no_modifier(self) -> Node:
        """Return an expression; within brackets statements are allowed, too."""
        node = self.expression()
        if not self.is_do_taken and self.has_word("if", "unless", "and", "or", "rescue"):
            outer = Node("other", node.start, node.end, node.line)
            self.at += 1
            node = self.finish(outer, node, self.expression())
        return node

    def block(self, call: Node, closer: str) -> None:
        """Take the block of a call, which begins here."""
        block = self.start("block")
        self.at += 1
        if self.has("|"):
            self.at += 1
            while not self.has("|") and self.token.kind != "end":
                self.at += 1
            self.at += 1 if self.token.kind != "end" else 0
        elif self.has("||"):
            self.at += 1
        if closer == "end":
            self.body(block)
        else:
            self.braces(block)
        call.block = block
        call.parts.append(block)

    def braces(self, node: Node) -> Node:
        """Take statements up to a closing brace."""
        line = node.line
        while True:
            self.statements(node)
            if self.has("}"):
                self.at += 1
                return self.finish(node)
            if self.token.kind == "end" or self.has_word("end"):
                raise RubyError("a } is missing", line)
            self.at += 1

    # Values

    def primary(self) -> Node:
        """Return a value without the calls on it."""
        token = self.token
        if token.kind in _LITERALS:
            return self.literal()
        if token.kind == "words":
            node = self.start("words")
            node.token = token
            self.at += 1
            return node
        if token.kind == "ident":
            return self.call()
        if token.kind == "const":
            if self.tokens[self.at + 1].start == token.end and self.follows("("):
                return self.call()
            node = self.start("name")
            node.token = token
            self.at += 1
            return node
        if token.kind == "variable":
            node = self.start("name")
            node.token = token
            self.at += 1
            return node
        if token.kind == "operator":
            return self.bracketed()
        if token.kind == "keyword":
            return self.keyword()
        return self.start("other")

    def follows(self, text: str) -> bool:
        """Tell whether an operator follows the next token."""
        following = self.tokens[self.at + 1]
        return following.kind == "operator" and following.text == text

    def literal(self) -> Node:
        """Return a literal; texts side by side are one, and no literal."""
        node = self.start("literal")
        node.token = self.token
        self.at += 1
        if node.token.kind in ("string", "percent", "heredoc", "character"):
            while self.token.kind in ("string", "percent", "heredoc"):
                node.kind = "other"
                self.at += 1
            self.finish(node)
        return node

    def call(self) -> Node:
        """Return a call without a receiver, which may be a variable."""
        token = self.token
        node = self.start("call")
        node.name = token.text
        node.token = token
        self.at += 1
        return self.call_rest(node, token)

    def bracketed(self) -> Node:
        """Return what begins with a bracket: an array, a hash, parentheses, or a lambda."""
        if self.has("["):
            node = self.start("array")
            self.arguments(node, "]")
            return self.finish(node)
        if self.has("{"):
            node = self.start("hash")
            inner = Node("list", node.start, node.end, node.line)
            self.arguments(inner, "}")
            for part in inner.parts:
                for each in part.parts if part.kind == "list" else (part,):
                    each.is_listed = False
                    node.parts.append(each)
            return self.finish(node)
        if self.has("("):
            node = self.start("parentheses")
            self.at += 1
            self.statements(node)
            while not self.has(")"):
                if self.token.kind == "end" or self.has_word("end"):
                    raise RubyError("a ) is missing", node.line)
                self.at += 1
                self.statements(node)
            self.at += 1
            return self.finish(node)
        if self.has("->"):
            return self.arrow()
        return self.start("other")

    def arrow(self) -> Node:
        """Return ``->(x) { }``."""
        node = self.start("other")
        self.at += 1
        if self.has("("):
            self.arguments(node, ")")
        while self.token.kind in ("ident",) or self.has(",", "*"):
            self.at += 1
        if self.has("{"):
            self.block(node, "}")
        elif self.has_word("do"):
            self.block(node, "end")
        return self.finish(node)

    def keyword(self) -> Node:
        """Return what a keyword begins."""
        word = self.token.text
        if word in ("class", "module"):
            return self.module()
        if word == "def":
            return self.method()
        if word in ("if", "unless", "case", "begin", "while", "until", "for"):
            return self.control(word)
        node = self.start("other")
        if word in ("end", *_SEPARATORS):
            return node
        self.at += 1
        if word in ("super", "yield"):
            self.call_rest(node, Token("ident", word, 0, 0, 0, is_spaced=False))
        elif word in ("BEGIN", "END") and self.has("{"):
            self.block(node, "}")
        elif word in ("return", "break", "next", "alias", "undef"):
            if not self.ends_value() and not self.has_word(*_MODIFIERS, *_JOINING):
                self.command_arguments(node, takes_do=self.is_do_taken)
        return self.finish(node)

    def control(self, word: str) -> Node:
        """Return a condition, a loop or a ``begin``, with all statements in it."""
        node = self.start(_CONTROL.get(word, "other"))
        self.at += 1
        if word in ("while", "until", "for"):
            taken, self.is_do_taken = self.is_do_taken, True
            if word == "for":
                while not self.has_word("in") and self.token.kind not in ("line end", "end"):
                    self.at += 1
                self.at += 1 if self.has_word("in") else 0
            node.parts.append(self.statement())
            self.is_do_taken = taken
        elif word in ("if", "unless"):
            node.parts.append(self.statement())
        return self.body(node)

    def module(self) -> Node:
        """Return a class or a module with its statements."""
        node = self.start("module")
        is_class = self.token.text == "class"
        self.at += 1
        if is_class and self.has("<<"):
            self.at += 1
            node.kind = "other"
        self.expression()
        return self.body(node)

    def method(self) -> Node:
        """Return a method; its parameters are read where they are asked for."""
        node = self.start("def")
        self.at += 1
        while True:
            if self.token.kind == "end":
                raise RubyError("a method has no name", node.line)
            node.name = self.token.text
            if self.token.kind == "label":  # no parameters: a one-line method is meant
                break
            self.at += 1
            if not self.has("."):
                break
            self.at += 1
        if node.name in ("[", "+", "-", "!", "~", "==", "<=", ">=", "[]"):
            while self.has("]", "=", "@"):
                self.at += 1
        elif self.has("=") and not self.token.is_spaced:
            node.name += "="
            self.at += 1
        parameters = self.start("list")
        is_short = self.has("=")
        if self.has("("):
            self.skip_brackets()
            is_short = self.has("=")
        else:
            while not is_short and self.token.kind not in ("line end", "end"):
                self.at += 1
        node.block = self.finish(parameters)
        if is_short:
            self.at += 1
            self.skip_lines()
            return self.finish(node, self.statement())
        return self.body(node)

    def skip_brackets(self) -> None:
        """Go over brackets and all that is in them."""
        depth = 0
        while self.token.kind != "end":
            if self.has("(", "[", "{"):
                depth += 1
            elif self.has(")", "]", "}"):
                depth -= 1
            self.at += 1
            if not depth:
                return
