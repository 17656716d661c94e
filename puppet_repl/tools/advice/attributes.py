"""Checks of the attributes of resources: names and values."""

from __future__ import annotations

import re

from puppet_repl.base.matching import nearest
from puppet_repl.base.wording import with_article
from puppet_repl.catalog import core_types
from puppet_repl.catalog.resource_types import METAPARAMETER_SET, METAPARAMETERS
from puppet_repl.language.syntax import ast
from puppet_repl.tools.advice.nodes import items, outcomes, string_of, word_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.tools.advice.model import Context, Edit

# Those that Puppet's type file takes.
_OCTAL = re.compile(r"0?[0-7]{1,4}")
_DIGITS = re.compile(r"[0-7]{3,4}")
_SYMBOLIC = re.compile(r"[ugoa]*[-=+][-=+rstwxXugo]*(?:,[ugoa]*[-=+][-=+rstwxXugo]*)*")
# The least and greatest number of the times of a cron job.
_CRON_RANGES = {
    "minute": (0, 59),
    "hour": (0, 23),
    "monthday": (1, 31),
    "month": (1, 12),
    "weekday": (0, 7),
}
# Of a shorter word any other is near.
_MIN_LETTERS = 4
_LIKENESS = 0.75


def mode(context: Context, given: Attributes) -> None:
    """Warn of modes that are numbers, and of strings that are not mode."""
    if given.type_name != "file":
        return
    value = given.get("mode")
    for node in () if value is None else outcomes(value):
        if isinstance(node, ast.LiteralInteger):
            written = context.written(node)
            quoted = written if written.startswith("0") else f"0{written}"
            number = f"{written} is the number {node.value}"
            if written == str(node.value):
                number = f"{written} is a number"
            context.warn(
                "unquoted_file_mode",
                node,
                f"a mode is a string, and {number}: write '{quoted}'",
                *_quoted_mode(node, written),
            )
            continue
        text = string_of(node)
        if text is not None and not _OCTAL.fullmatch(text) and not _SYMBOLIC.fullmatch(text):
            context.warn(
                "file_mode",
                node,
                f"'{text}' is not a mode: write up to four digits from 0 to 7, such as '0644', "
                "or symbols, such as 'u=rw,go=r'",
            )


def _quoted_mode(node: ast.LiteralInteger, written: str) -> list[Edit]:
    """Return the edit that makes a number of octal digits a mode of four."""
    digits = written.lstrip("0")
    if not _DIGITS.fullmatch(digits):
        return []
    return [(node.start, node.end, f"'{digits:0>4}'")]


def values(context: Context, given: Attributes) -> None:
    """Warn of values that a type refuses, and of words that are probably misspelt."""
    for operation in given.operations:
        attribute = core_types.attributes_of(given.type_name).get(operation.name)
        words = () if attribute is None else attribute.values
        if attribute is None or not words:
            continue
        # The name begins with a vowel that is spoken as a consonant.
        is_user = given.type_name == "user"
        a_type = "a user" if is_user else with_article(given.type_name)
        for node in outcomes(operation.value):
            text = word_of(node)
            if text is None or text in words:
                continue
            what = f"{operation.name} of {a_type}"
            if not attribute.has_others:
                near = nearest(text, words, likeness=_LIKENESS)
                instead = f"did you mean {near}?" if near else f"one of {', '.join(words)}"
                context.warn(
                    "unknown_value",
                    node,
                    f"{what} cannot be '{text}': {instead}",
                    replacements=context.replacements(node, text, *([near] if near else words)),
                )
            elif len(text) >= _MIN_LETTERS and text.isalpha():
                near = nearest(text, words, likeness=_LIKENESS)
                if near is not None and near != text:
                    message = f"{what} is '{text}': did you mean {near}?"
                    meant = context.replacements(node, text, near)
                    context.warn("unknown_value", node, message, replacements=meant)


def names(context: Context, given: Attributes) -> None:
    """Warn of attributes that a type of Puppet itself lacks."""
    native = core_types.find(given.type_name)
    if native is None or core_types.gives_way(native):
        return
    for operation in given.operations:
        name = operation.name
        if name in native.attributes or name in METAPARAMETER_SET:
            continue
        if given.title is None and name in ("title", "name"):
            continue
        near = nearest(name, (*native.attributes, *METAPARAMETERS))
        hint = f"; did you mean {near}?" if near else ""
        end = operation.start + len(name)
        context.warn_span(
            "unknown_attribute",
            operation.start,
            end,
            f"{with_article(given.type_name)} has no attribute {name}{hint}",
            replacements=context.replacements(operation, name, near),
        )


def cron_times(context: Context, given: Attributes) -> None:
    """Warn of times of cron jobs that do not exist, and of jobs that run each minute of an hour."""
    if given.type_name != "cron":
        return
    for operation in given.operations:
        limits = _CRON_RANGES.get(operation.name)
        for node in items(operation.value) if limits is not None else ():
            text = word_of(node)
            assert limits is not None
            if text is not None and text.isascii() and text.isdigit():
                low, high = limits
                if not low <= int(text) <= high:
                    context.warn(
                        "cron_time",
                        node,
                        f"{operation.name} of a cron job is a number from {low} to {high}",
                    )
    if given.title is None or given.is_open or string_of(given.get("ensure")) == "absent":
        return
    if context.may_default("cron", "minute", "special", "ensure"):
        return
    names = {operation.name for operation in given.operations}
    for name in ("hour", "monthday", "month", "weekday"):
        value = given.get(name)
        if value is not None and not names & {"minute", "special"} and _is_set(value):
            context.warn_span(
                "cron_without_minute",
                value.start,
                value.end,
                "without a minute the job runs each minute of that time: add minute => 0",
            )
            return


def _is_set(node: ast.Node) -> bool:
    """Tell whether a time is given for sure: no variable, which may be undef, and no ``*``."""
    if isinstance(node, ast.LiteralInteger | ast.LiteralList):
        return True
    text = string_of(node)
    return text is not None and text not in ("*", "absent")


class Attributes:
    """Attributes that one expression gives to resources of a type.

    ``title`` is set where the expression declares a resource; defaults and overrides have none.
    ``has_hash`` says that a hash (``* =>``) adds others, ``is_open`` that this or ``default`` does.
    """

    __slots__ = ("has_hash", "is_open", "operations", "title", "type_name")

    def __init__(
        self, type_name: str, operations: tuple[ast.Node, ...], title: ast.Node | None = None
    ) -> None:
        self.type_name = type_name
        self.title = title
        self.operations = [each for each in operations if isinstance(each, ast.AttributeOperation)]
        self.has_hash = self.is_open = len(self.operations) < len(operations)

    def get(self, name: str) -> ast.Node | None:
        """Return the value of an attribute, None if it is not among them."""
        for operation in self.operations:
            if operation.name == name:
                return operation.value
        return None


def attributes_of(node: ast.Node) -> Iterator[Attributes]:
    """Yield what an expression gives to resources: one item for each body of a resource."""
    if isinstance(node, ast.ResourceExpression):
        name = _name_of(node.type_name)
        if name is None:
            return
        default: tuple[ast.Node, ...] = ()
        for body in node.bodies:
            if isinstance(body.title, ast.LiteralDefault):
                default = body.operations
        for body in node.bodies:
            if isinstance(body.title, ast.LiteralDefault):
                yield Attributes(name, body.operations)
            else:
                found = Attributes(name, body.operations, body.title)
                found.is_open = found.is_open or bool(default)
                yield found
    elif isinstance(node, ast.ResourceDefaultsExpression):
        name = _name_of(node.type_ref)
        if name is not None:
            yield Attributes(name, node.operations)
    elif isinstance(node, ast.ResourceOverrideExpression):
        resources = node.resources
        name = _name_of(resources.left) if isinstance(resources, ast.AccessExpression) else None
        if name is not None:
            yield Attributes(name, node.operations)
    elif isinstance(node, ast.CollectExpression):
        name = _name_of(node.type_expr)
        if name is not None:
            yield Attributes(name, node.operations)


def _name_of(node: ast.Node) -> str | None:
    if isinstance(node, ast.QualifiedName | ast.QualifiedReference):
        return node.value.removeprefix("::").lower()
    return None
