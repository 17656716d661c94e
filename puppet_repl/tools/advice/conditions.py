"""Checks of conditions and branches."""

from __future__ import annotations

from puppet_repl.environment.facts.legacy_facts import structured
from puppet_repl.language.syntax import ast
from puppet_repl.language.values.compare import fold
from puppet_repl.tools.advice.nodes import bare, fact_path, has_call, is_constant, string_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.tools.advice.model import Context

# Values of the fact os.name that are not values of os.family, and the family of each.
_FAMILIES = {
    "AlmaLinux": "RedHat",
    "Amazon": "RedHat",
    "CentOS": "RedHat",
    "Fedora": "RedHat",
    "Kali": "Debian",
    "LinuxMint": "Debian",
    "OpenSuSE": "Suse",
    "OracleLinux": "RedHat",
    "Raspbian": "Debian",
    "Rocky": "RedHat",
    "SLED": "Suse",
    "SLES": "Suse",
    "Scientific": "RedHat",
    "Ubuntu": "Debian",
}
_ENDS = frozenset(("fail", "return", "next", "break"))


def selector(context: Context, node: ast.Node) -> None:
    """Warn of selectors that fail for the values that they do not name."""
    assert isinstance(node, ast.SelectorExpression)
    keys = [entry.matching for entry in node.selectors]
    _duplicates(context, [[key] for key in keys])
    if any(isinstance(key, ast.LiteralDefault) for key in keys):
        return
    left = bare(node.left)
    if _is_boolean(left) or {True, False} <= {
        key.value for key in keys if isinstance(key, ast.LiteralBoolean)
    }:
        return
    missing = _missing(context, left, {_key(key) for key in keys})
    if missing is not None:
        message = f"the program fails for {missing}: add default => ..."
        context.warn("selector_without_default", left, message)


def _is_boolean(node: ast.Node) -> bool:
    return isinstance(
        bare(node),
        ast.ComparisonExpression
        | ast.MatchExpression
        | ast.InExpression
        | ast.NotExpression
        | ast.AndExpression
        | ast.OrExpression,
    )


def _missing(context: Context, left: ast.Node, keys: set[tuple[str, object] | None]) -> str | None:
    """Return for what no key matches: other values of a fact, or a member of an Enum.

    Of other expressions nobody knows whether there are other values.
    """
    # What else a regular expression or a type matches, nobody knows.
    if any(key is None or key[0] == "regexp" for key in keys):
        return None
    if fact_path(left) is not None:
        return "other values of the fact"
    if not isinstance(left, ast.VariableExpression):
        return None
    name = left.name.removeprefix("::")
    if structured(name) is not None and (left.name != name or not context.is_bound(name)):
        return "other values of the fact"
    declared = None if "::" in left.name else context.scope.declared_type(name)
    if declared is None:
        return None
    missing = sorted(str(value) for kind, value in _members(declared) - keys if kind == "string")
    return f"'{missing[0]}'" if missing else None


def _members(declared: ast.Node) -> set[tuple[str, object]]:
    """Return the strings that an Enum or an Optional of one consists of; empty for others."""
    if not isinstance(declared, ast.AccessExpression):
        return set()
    name = declared.left.value if isinstance(declared.left, ast.QualifiedReference) else ""
    if name == "Enum":
        return {key for key in map(_key, declared.keys) if key is not None}
    if name == "Optional" and len(declared.keys) == 1:
        return _members(declared.keys[0])
    return set()


def case(context: Context, node: ast.Node) -> None:
    """Warn of options that an earlier one takes away."""
    assert isinstance(node, ast.CaseExpression)
    _duplicates(context, [list(option.values) for option in node.options])


def _duplicates(context: Context, options: list[list[ast.Node]]) -> None:
    """Warn of values that an earlier option has, or that one option has twice.

    Two spellings of a string in one option do no harm, and tell the reader of both.
    """
    seen: set[object] = set()
    for values in options:
        here: set[tuple[object, str]] = set()
        for node in values:
            key = _key(node)
            if key is None:
                continue
            written = context.written(node)
            if key in seen:
                effect = "it never leads here" if len(values) > 1 else "this option is never taken"
                message = f"{written} occurs further up: {effect}"
                context.warn("duplicate_option", node, message)
            elif (key, written) in here:
                context.warn("duplicate_option", node, f"this option has {written} twice")
            here.add((key, written))
        seen.update(key for key, _ in here)


def _key(node: ast.Node) -> tuple[str, object] | None:
    """Return a key that equal literals share, ignoring ASCII case; None for other nodes."""
    text = string_of(node)
    if text is not None:
        return ("string", fold(text))
    if isinstance(node, ast.LiteralInteger | ast.LiteralFloat):
        return ("number", node.value)
    if isinstance(node, ast.LiteralBoolean):
        return ("boolean", node.value)
    if isinstance(node, ast.LiteralUndef):
        return ("undef", None)
    if isinstance(node, ast.LiteralRegularExpression):
        return ("regexp", node.pattern)
    return None


def condition(context: Context, node: ast.Node) -> None:
    """Warn of conditions that are strings or numbers: all of them count as true."""
    if isinstance(node, ast.AndExpression | ast.OrExpression):
        test, left = node.right, node.left
    else:
        assert isinstance(node, ast.IfExpression | ast.UnlessExpression)
        test, left = node.test, None
    test = bare(test)
    while isinstance(test, ast.NotExpression):
        test = bare(test.expr)
    if isinstance(test, ast.QualifiedName):
        message = f"{test.value} is a string here, which is always true: ${test.value}?"
    elif isinstance(test, ast.LiteralString | ast.ConcatenatedString):
        message = "a string is always true, an empty one and 'false' as well"
    elif isinstance(test, ast.LiteralInteger | ast.LiteralFloat):
        message = "a number is always true, 0 as well"
    else:
        return
    # Asked last, because the left side of a long chain is long.
    if left is None or not is_constant(left):
        context.warn("constant_condition", test, message)


def negation(context: Context, node: ast.Node) -> None:
    """Warn of ``!$a == $b`` and the like: ``!`` binds more tightly."""
    assert isinstance(node, ast.ComparisonExpression | ast.InExpression | ast.MatchExpression)
    left = node.left
    if not isinstance(left, ast.NotExpression) or is_constant(node):
        return
    word = "in" if isinstance(node, ast.InExpression) else node.operator
    if word in ("==", "!=") and _may_be_boolean(node.right):
        return
    rest = context.text[left.expr.start : node.end]
    context.warn_span(
        "not_before_comparison",
        left.start,
        left.end,
        f"! applies to the left side alone, before {word} does: write !({rest})",
    )


def _may_be_boolean(node: ast.Node) -> bool:
    node = bare(node)
    return _is_boolean(node) or not isinstance(
        node,
        ast.LiteralString
        | ast.ConcatenatedString
        | ast.LiteralInteger
        | ast.LiteralFloat
        | ast.LiteralUndef
        | ast.QualifiedName,
    )


def same_sides(context: Context, node: ast.Node) -> None:
    """Warn of operators with the same expression on either side."""
    assert isinstance(node, ast.AndExpression | ast.OrExpression | ast.ComparisonExpression)
    left = node.left
    if left.end - left.start != node.right.end - node.right.start:
        return  # of long chains not every part is written out
    right = context.written(node.right)
    if context.written(left) == right and not has_call(left) and not is_constant(left):
        message = f"both sides are {right}: is one of them meant to be another?"
        context.warn("same_sides", node, message)


def statements(context: Context, node: ast.Node) -> None:
    """Warn of code after a call that never returns."""
    assert isinstance(node, ast.BlockExpression)
    for statement, following in zip(node.statements, node.statements[1:], strict=False):
        if not isinstance(statement, ast.CallNamedFunctionExpression):
            continue
        name = string_of(statement.functor)
        if name in _ENDS:
            message = f"this is never run: {name}() does not return"
            context.warn("unreachable_code", following, message)
            return


def families(context: Context, node: ast.Node) -> None:
    """Warn of names of systems that are compared with the family of the system."""
    for left, right in _compared(node):
        if fact_path(bare(left)) != ("os", "family"):
            continue
        for value in right:
            text = string_of(value)
            for name, family in _FAMILIES.items():
                if text is not None and fold(text) == fold(name):
                    context.warn(
                        "os_family",
                        value,
                        f"os.family is never '{text}': that is os.name, its family is {family}",
                    )


def _compared(node: ast.Node) -> Iterator[tuple[ast.Node, list[ast.Node]]]:
    """Yield the compared expression, and the values that it is compared with."""
    if isinstance(node, ast.CaseExpression):
        yield node.test, [value for option in node.options for value in option.values]
    elif isinstance(node, ast.SelectorExpression):
        yield node.left, [entry.matching for entry in node.selectors]
    elif isinstance(node, ast.InExpression):
        right = bare(node.right)
        yield node.left, list(right.values) if isinstance(right, ast.LiteralList) else []
    elif isinstance(node, ast.ComparisonExpression) and node.operator in ("==", "!="):
        yield node.left, [node.right]
        yield node.right, [node.left]
