"""The syntax of heredocs that name one: json, base64, pp and epp are checked."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.language.syntax.json_syntax import json_problem
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.tokens import BLANKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from puppet_repl.language.syntax import ast

    class CheckSource(Protocol):
        """What parses and validates Puppet code, and raises a PuppetError if it is wrong."""

        def __call__(self, source: Source, *, epp: bool) -> None: ...


def check_external(
    text: str, syntax: str, source: Source, node: ast.Node, check_source: CheckSource
) -> None:
    """Raise a PuppetError for a text that is wrong in its own language; ``node`` made it."""
    try:
        problem = external_problem(text, syntax, check_source)
    except RuntimeFailure as error:
        raise PuppetError(error.message) from None  # Puppet gives no location
    if problem is not None:
        message, code = problem
        raise PuppetError(
            f"Invalid produced text having syntax: '{syntax}'. {message}",
            code,
            source=source,
            start=node.at,
            end=node.end,
        )


def external_problem(text: str, syntax: str, check_source: CheckSource) -> tuple[str, str] | None:
    """Return the error of a text and its code; None for a correct text.

    Of ``a+b+json`` the last part decides. ``check_source`` raises a PuppetError for wrong Puppet
    code. Raises RuntimeFailure for ``a+pp``, which Puppet refuses.
    """
    name = syntax.rpartition("+")[2]
    if name == "json":
        return _json(text)
    if name == "base64":
        return _base64(text)
    if name == "pp" or name == "epp":
        if name != syntax:
            raise RuntimeFailure(
                f"{name.upper()} syntax checker: the syntax identifier must be a String, e.g. pp"
            )
        return _puppet(text, syntax, check_source)
    return None


def _json(text: str) -> tuple[str, str] | None:
    problem = json_problem(text)
    if problem is None:
        return None
    shown = problem[:100].replace("\r\n", "\\n").replace("\n", "\\n")
    return f'JSON syntax checker: Cannot parse invalid JSON string. "{shown}"', "ILLEGAL_JSON"


def _base64(text: str) -> tuple[str, str] | None:
    import base64
    import binascii

    cleaned = text.translate(dict.fromkeys(map(ord, BLANKS + "\r\n?")))
    try:
        base64.b64decode(cleaned.encode("utf-8"), validate=True)
    except (binascii.Error, ValueError):
        if len(cleaned.encode("utf-8")) * 8 % 6:
            problem = "padding is not correct"
        else:
            problem = "contains letters outside strict base 64 range (or whitespace)"
        return (
            f"Base64 syntax checker: Cannot parse invalid Base64 string - {problem}",
            "ILLEGAL_BASE64",
        )
    return None


def _puppet(text: str, syntax: str, check_source: CheckSource) -> tuple[str, str] | None:
    try:
        check_source(Source(text), epp=syntax == "epp")
    except PuppetError as error:
        shown = str(error)[:500].replace("\r\n", "\\n").replace("\n", "\\n")
        name = syntax.upper()
        return f'{name} syntax checker: "{shown}"', f"ILLEGAL_{name}"
    return None
