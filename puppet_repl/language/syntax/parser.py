"""Parsing tokens to the tree.

Expressions are parsed by precedence in one loop (Pratt); one table has the beginnings of
expressions, another their continuations. The grammar is that of Puppet's egrammar.ra, an LALR(1)
grammar: like the parser made from it, this one stops at the first token that cannot continue the
text before it.

Three levels nest: an *expression* knows operators only, an *assignment* adds resource bodies,
relationships and ``=``, a *statement* adds calls without parentheses.
"""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError, Report
from puppet_repl.language.syntax import ast, calls, issues, literals, resources
from puppet_repl.language.syntax.lexer import MAX_NESTING, Lexer
from puppet_repl.language.syntax.strings import unescape_single

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.syntax.tokens import TokenKind

_EDGES: frozenset[TokenKind] = frozenset(("->", "~>", "<-", "<~"))
_ASSIGNMENTS: frozenset[TokenKind] = frozenset(("=", "+=", "-="))
# The tokens after an expression in a place for assignments.
_CONTINUES_ASSIGNMENT = _EDGES | _ASSIGNMENTS | {"{"}
_OPENING: frozenset[TokenKind] = frozenset(("(", "[", "{"))

_NOT = 90
_SPLAT = 85
_MINUS = 80
# The binary operators: how tightly they bind and the node they make.
_BINARY: dict[
    TokenKind,
    tuple[
        int,
        type[ast.MatchExpression] | type[ast.ArithmeticExpression] | type[ast.ComparisonExpression],
    ],
] = {
    "=~": (70, ast.MatchExpression),
    "!~": (70, ast.MatchExpression),
    "*": (65, ast.ArithmeticExpression),
    "/": (65, ast.ArithmeticExpression),
    "%": (65, ast.ArithmeticExpression),
    "+": (60, ast.ArithmeticExpression),
    "-": (60, ast.ArithmeticExpression),
    "<<": (55, ast.ArithmeticExpression),
    ">>": (55, ast.ArithmeticExpression),
    "==": (50, ast.ComparisonExpression),
    "!=": (50, ast.ComparisonExpression),
    "<": (45, ast.ComparisonExpression),
    "<=": (45, ast.ComparisonExpression),
    ">": (45, ast.ComparisonExpression),
    ">=": (45, ast.ComparisonExpression),
}


class Parser:
    """The tokens of a text and how far they are read.

    ``refused_at`` is where the first list of arguments begins that will be refused, when all
    statements around it are read.
    """

    __slots__ = (
        "definitions",
        "ends",
        "i",
        "kinds",
        "lexer",
        "names",
        "refused_at",
        "source",
        "starts",
        "texts",
    )

    def __init__(self, lexer: Lexer) -> None:
        self.lexer = lexer
        self.source = lexer.source
        self.kinds = lexer.kinds
        self.texts = lexer.texts
        self.starts = lexer.starts
        self.ends = lexer.ends
        self.i = 0
        self.names: list[str] = []  # of the classes around
        self.definitions: list[ast.Node] = []
        self.refused_at: int | None = None

    # Errors

    def unexpected(self, index: int) -> PuppetError:
        """Return the error of a token that is not allowed at its place."""
        kind = self.kinds[index]
        self.i = index
        if kind == "ERROR":
            assert self.lexer.error is not None
            return self.lexer.error
        from puppet_repl.language.syntax.unclosed import closed_wrongly, ended_early

        if kind == "END":
            return ended_early(issues.unexpected_end(self.source), self.lexer)
        start = self.starts[index]
        error = issues.syntax_error(self.shown(index), self.source, start, self.ends[index])
        return closed_wrongly(error, self.lexer, index)

    def refuse(self, message: str, start: int, end: int) -> PuppetError:
        """Return the error of something that the grammar takes and Puppet's parser refuses."""
        return issues.refused(message, self.source, start, end)

    def shown(self, index: int) -> str:
        """Return how a message shows a token."""
        kind = self.kinds[index]
        text = self.texts[index]
        if kind == "SQ":
            return unescape_single(text[1:-1])
        if kind == "DQ":
            return text[1:-1]
        if kind == "OTHER":
            return ""
        if kind == "VARIABLE":
            return text.removeprefix("$")
        if kind == "REGEX":
            return f"(?-mix:{text.replace('/', chr(92) + '/')})"
        return text

    def expect(self, kind: TokenKind) -> int:
        """Take a token of this kind; its index."""
        i = self.i
        if self.kinds[i] != kind:
            raise self.unexpected(i)
        self.i = i + 1
        return i

    def first_on_line(self, index: int) -> bool:
        """Tell whether only blanks precede a token on its line: then ``(`` is not a call."""
        return self.lexer.first_on_line(index)

    # Statements

    def statements(self) -> tuple[ast.Node, ...]:
        """Parse one statement or more, up to a token that begins none."""
        kinds = self.kinds
        done: list[ast.Node] = []
        refused: PuppetError | None = None
        while True:
            node = self.assignment()
            arguments: tuple[ast.Node, ...] = (node,)
            before = done[-1] if done else None
            is_call = type(before) is ast.QualifiedName and before.value in calls.STATEMENT_CALLS
            if kinds[self.i] == ",":
                comma = self.i
                if not is_call and self.refused_at is None:
                    self.refused_at = self.starts[comma]
                listed = [node]
                while kinds[self.i] == ",":
                    self.i += 1
                    listed.append(self.assignment())
                arguments = tuple(listed)
            else:
                comma = 0
            if is_call:
                assert before is not None
                done[-1] = ast.CallNamedFunctionExpression(
                    before, arguments, None, False, before.start, arguments[-1].end, before.at
                )
            elif comma:
                refused = refused or self._refuse_list(before, comma)
            else:
                if type(node) is ast.CallNamedFunctionExpression:
                    node.rval_required = False
                done.append(node)
            kind = kinds[self.i]
            if kind == ";":
                self.i += 1
            elif kind not in STARTS:
                break
        if refused is not None:
            if kinds[self.i] == "ERROR":
                raise self.unexpected(self.i)
            raise refused
        return tuple(done)

    def _refuse_list(self, before: ast.Node | None, comma: int) -> PuppetError:
        message = "illegal comma separated argument list"
        if type(before) is ast.QualifiedName:
            message = (
                f"attempt to pass argument list to the function '{before.value}' "
                "which cannot be called without parentheses"
            )
        return self.refuse(message, self.starts[comma], self.ends[comma])

    def block(self) -> ast.Node | None:
        """Parse ``{ statements }`` of a control structure; None for an empty one."""
        opening = self.expect("{")
        if self.kinds[self.i] == "}":
            self.i += 1
            return None
        statements = self.statements()
        closing = self.expect("}")
        if len(statements) == 1:
            return statements[0]
        start = self.starts[opening]
        return ast.BlockExpression(statements, start, self.ends[closing], start)

    def body(self, at: int) -> ast.BlockExpression | None:
        """Parse ``{ statements }`` of a definition, always a block; None for an empty one."""
        opening = self.expect("{")
        if self.kinds[self.i] == "}":
            self.i += 1
            return None
        statements = self.statements()
        closing = self.expect("}")
        return ast.BlockExpression(statements, self.starts[opening], self.ends[closing], at)

    # Assignments

    def assignment(self) -> ast.Node:
        """Parse a resource, a relationship, an assignment or a plain expression."""
        kind = self.kinds[self.i]
        if kind == "@" or kind == "@@" or kind == "class":
            left = self._resource()
        else:
            left = self.expression(0)
        if self.kinds[self.i] in _CONTINUES_ASSIGNMENT:
            return self._continue_assignment(left)
        return left

    def element(self) -> ast.Node:
        """Parse an assignment that is often a single token: an argument, a key, a value."""
        kinds = self.kinds
        i = self.i
        begin = _SINGLE.get(kinds[i])
        if begin is not None and kinds[i + 1] in _ENDS:
            return begin(self)
        return self.assignment()

    def continue_from(self, left: ast.Node) -> ast.Node:
        """Parse the assignment that begins with an expression already read."""
        if self.kinds[self.i] in _CONTINUES_ASSIGNMENT:
            return self._continue_assignment(left)
        return left

    def _continue_assignment(self, left: ast.Node) -> ast.Node:
        kinds = self.kinds
        while kinds[self.i] == "{":
            left = resources.resource(self, left)
        while kinds[self.i] in _EDGES:
            i = self.i
            self.i = i + 1
            right = self._resource()
            left = ast.RelationshipExpression(
                kinds[i], left, right, left.start, right.end, self.starts[i]
            )
        i = self.i
        if kinds[i] in _ASSIGNMENTS:
            self.i = i + 1
            right = self.assignment()
            return ast.AssignmentExpression(
                kinds[i], left, right, left.start, right.end, self.starts[i]
            )
        return left

    def _resource(self) -> ast.Node:
        kinds = self.kinds
        kind = kinds[self.i]
        if kind == "@" or kind == "@@":
            return self._virtual()
        if kind == "class" and kinds[self.i + 1] == "{":
            left = resources.class_resource(self)
        else:
            left = self.expression(0)
        while kinds[self.i] == "{":
            left = resources.resource(self, left)
        return left

    def _virtual(self) -> ast.Node:
        i = self.i
        self.i = i + 1
        node = self._resource()
        if self.kinds[self.i] == "ERROR":
            raise self.unexpected(self.i)
        form: ast.ResourceForm
        if self.kinds[i] == "@":
            form, shown = "virtual", "Virtual (@)"
        else:
            form, shown = "exported", "Exported (@@)"
        if not isinstance(
            node,
            ast.ResourceExpression
            | ast.ResourceDefaultsExpression
            | ast.ResourceOverrideExpression,
        ):
            raise self.refuse(
                f"{shown} can only be applied to a Resource Expression",
                self.starts[i],
                self.ends[i],
            )
        node.form = form
        node.start = node.at = self.starts[i]
        return node

    # Expressions

    def value(self) -> ast.Node:
        """Parse an expression that is often a single token: a title, the value of an attribute."""
        kinds = self.kinds
        i = self.i
        begin = _SINGLE.get(kinds[i])
        if begin is not None and kinds[i + 1] in _ENDS:
            return begin(self)
        return self.expression(0)

    def expression(self, power: int) -> ast.Node:
        """Parse an expression whose operators bind more tightly than ``power``."""
        i = self.i
        begin = _PREFIX.get(self.kinds[i])
        if begin is None:
            raise self.unexpected(i)
        left = begin(self)
        kinds = self.kinds
        while True:
            i = self.i
            operator = _INFIX.get(kinds[i])
            if operator is None or operator[0] <= power:
                return left
            node = operator[1](self, left, i)
            if node is None:
                return left
            left = node


def parse(source: Source, *, epp: bool = False, tasks: bool = False) -> ast.Program:
    """Return the tree of a text, not validated yet; raise PuppetError for a syntax error."""
    lexer = Lexer(source, tasks)
    if epp:
        from puppet_repl.language.syntax.epp import run

        run(lexer)
    else:
        lexer.run()
    return parse_tokens(lexer, epp=epp)


def parse_tokens(lexer: Lexer, *, epp: bool = False) -> ast.Program:
    """Return the tree of a text that is lexed already."""
    parser = Parser(lexer)
    check_nesting(lexer)
    source = lexer.source
    try:
        body = _program(parser, epp)
    except RecursionError:
        i = min(parser.i, len(parser.starts) - 1)
        raise issues.nested_too_deeply(MAX_NESTING, source, parser.starts[i]) from None
    except PuppetError as error:
        reports = _warnings(lexer, parser.i)
        if reports and not error.reports:
            error.reports = reports
        raise
    reports = _warnings(lexer, len(lexer.kinds))
    return ast.Program(source, body, tuple(parser.definitions), reports, 0, lexer.limit)


def _program(parser: Parser, epp: bool) -> ast.Node:
    if epp:
        from puppet_repl.language.syntax.epp import program

        return program(parser)
    kinds = parser.kinds
    if kinds[0] == "END":
        end = parser.lexer.limit
        return ast.Nop(end, end)
    statements = parser.statements()
    if kinds[parser.i] != "END":
        raise parser.unexpected(parser.i)
    if len(statements) == 1:
        return statements[0]
    first = statements[0]
    return ast.BlockExpression(statements, first.start, statements[-1].end, first.at)


def _warnings(lexer: Lexer, index: int) -> tuple[Report, ...]:
    return tuple(report for at, report in lexer.warnings if at <= index)


def check_nesting(lexer: Lexer) -> None:
    """Refuse brackets nested beyond the limit, long before Python's stack ends."""
    text = lexer.text
    if text.count("(") + text.count("[") + text.count("{") <= MAX_NESTING:
        return
    kinds = lexer.kinds
    depth = 0
    for index, kind in enumerate(kinds):
        if kind in _OPENING:
            depth += 1
            if depth > MAX_NESTING:
                raise issues.nested_too_deeply(MAX_NESTING, lexer.source, lexer.starts[index])
        elif kind in ")]}":
            depth -= 1


# Operators


def _binary(parser: Parser, left: ast.Node, i: int) -> ast.Node:
    parser.i = i + 1
    operator = parser.kinds[i]
    power, node = _BINARY[operator]
    right = parser.expression(power)
    return node(operator, left, right, left.start, right.end, parser.starts[i])


def _in(parser: Parser, left: ast.Node, i: int) -> ast.Node:
    parser.i = i + 1
    right = parser.expression(75)
    return ast.InExpression(left, right, left.start, right.end, parser.starts[i])


def _and(parser: Parser, left: ast.Node, i: int) -> ast.Node:
    parser.i = i + 1
    right = parser.expression(35)
    return ast.AndExpression(left, right, left.start, right.end, parser.starts[i])


def _or(parser: Parser, left: ast.Node, i: int) -> ast.Node:
    parser.i = i + 1
    right = parser.expression(30)
    return ast.OrExpression(left, right, left.start, right.end, parser.starts[i])


def _not(parser: Parser) -> ast.Node:
    start = parser.starts[parser.i]
    parser.i += 1
    expr = parser.expression(_NOT)
    return ast.NotExpression(expr, start, expr.end)


def _minus(parser: Parser) -> ast.Node:
    start = parser.starts[parser.i]
    parser.i += 1
    expr = parser.expression(_MINUS)
    return ast.UnaryMinusExpression(expr, start, expr.end)


def _unfold(parser: Parser) -> ast.Node:
    start = parser.starts[parser.i]
    parser.i += 1
    expr = parser.expression(_SPLAT)
    return ast.UnfoldExpression(expr, start, expr.end)


def _render_string(parser: Parser) -> ast.Node:
    from puppet_repl.language.syntax.epp import render_string

    return render_string(parser)


def _render_expression(parser: Parser) -> ast.Node:
    from puppet_repl.language.syntax.epp import render_expression

    return render_expression(parser)


_DEFINITIONS: tuple[TokenKind, ...] = (
    *("apply", "class", "define", "function", "node", "plan", "type"),
)


def _definition(parser: Parser) -> ast.Node:
    """Parse the first definition of a process, and have the others parsed without this function."""
    from puppet_repl.language.syntax.definitions import PREFIX

    _PREFIX.update(PREFIX)
    return _PREFIX[parser.kinds[parser.i]](parser)


_CONTROL: tuple[TokenKind, ...] = ("case", "if", "unless")


def _control(parser: Parser) -> ast.Node:
    """Parse the first control structure of a process, as ``_definition`` does definitions."""
    from puppet_repl.language.syntax.control import PREFIX

    _PREFIX.update(PREFIX)
    return _PREFIX[parser.kinds[parser.i]](parser)


def _selector(parser: Parser, left: ast.Node, i: int) -> ast.Node | None:
    """Parse the first selector of a process."""
    from puppet_repl.language.syntax.control import selector

    _INFIX["?"] = (_INFIX["?"][0], selector)
    return selector(parser, left, i)


_SINGLE = literals.SINGLE
# Tokens that end whatever expression is before them.
_ENDS: frozenset[TokenKind] = frozenset((",", ";", ":", "=>", ")", "]", "}", "DQMID", "DQPOST"))
_PREFIX: dict[TokenKind, Callable[[Parser], ast.Node]] = {
    "!": _not,
    "-": _minus,
    "*": _unfold,
    **literals.PREFIX,
    **dict.fromkeys(_CONTROL, _control),
    **dict.fromkeys(_DEFINITIONS, _definition),
    "RENDER_STRING": _render_string,
    "RENDER_EXPR": _render_expression,
}
_INFIX: dict[TokenKind, tuple[int, Callable[[Parser, ast.Node, int], ast.Node | None]]] = {
    **{operator: (power, _binary) for operator, (power, _) in _BINARY.items()},
    "in": (75, _in),
    "and": (35, _and),
    "or": (30, _or),
    "?": (40, _selector),
    **{operator: (100, parse) for operator, parse in calls.POSTFIX.items()},
    **{operator: (100, parse) for operator, parse in resources.POSTFIX.items()},
}
STARTS = frozenset(_PREFIX) | {"@", "@@"}
