"""Resource types of modules, known by evaluating their definitions in Ruby."""

from __future__ import annotations

from textwrap import dedent

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.catalog.resource_types import NativeType, TitlePattern
from puppet_repl.language.values.regex import Regexp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from puppet_repl.catalog.resource_types import TitleValues
    from puppet_repl.environment.ruby.host import RubyHost


class NotEvaluated(Exception):
    """A definition needs something that Ruby here does not have; the message says what."""


def evaluate_type(host: RubyHost, name: str, path: str, *, has_provider: bool) -> NativeType | None:
    """Return the resource type that a file defines; None if the file does not define it.

    Only a type that ``has_provider`` has the attribute provider. Raises RuntimeFailure for a file
    that Puppet refuses, NotEvaluated for a file that only this Ruby cannot run.
    """
    found = host.request("resource_type", name=name, path=path)
    if found is None:
        host.context.log("warning", f"Loaded puppet/type/{name} but no class was created")
        return None
    if "failed" in found:
        raise NotEvaluated(found["failed"])
    if "refused" in found:
        raise RuntimeFailure(f"Could not autoload puppet/type/{name}: {found['refused']}")
    parameters = [attribute["name"] for attribute in found["parameters"]]
    if has_provider or found["has_provider"]:
        parameters.append("provider")
    return NativeType(
        found["name"],
        tuple([attribute["name"] for attribute in found["properties"]]),
        (*parameters, *found["metaparameters"]),
        tuple(found["namevars"]),
        isomorphic=found["isomorphic"],
        file=path,
        patterns=_patterns(found),
        parse_title=_title_parser(host, name, path) if found.get("asks") else None,
        docs=_documentation(found),
        values={
            attribute["name"]: tuple(attribute["values"])
            for attribute in (*found["properties"], *found["parameters"])
            if attribute["values"]
        },
        checks_in_ruby=bool(found.get("applied")),
    )


def _patterns(found: dict[str, Any]) -> tuple[TitlePattern, ...] | None:
    patterns = found.get("patterns")
    if patterns is None:
        return None
    if (
        len(patterns) == 1
        and patterns[0][:2] == ["(.*)", 4]
        and patterns[0][2] == found["namevars"]
    ):
        return None  # what the title means anyway
    return tuple(
        [
            TitlePattern(Regexp(source, flags), tuple(attributes))
            for source, flags, attributes in patterns
        ]
    )


def _title_parser(host: RubyHost, name: str, path: str) -> Callable[[str], TitleValues]:
    """Return a function that asks Ruby what a title means, once for each title."""
    known: dict[str, TitleValues] = {}

    def parse(title: str) -> TitleValues:
        if title not in known:
            values = host.request("parse_title", type=name, path=path, title=title)
            known[title] = dict(host.codec.decode(values).items())
        return known[title]

    return parse


def _documentation(found: dict[str, Any]) -> dict[str, str]:
    """Return what the definition says of the type (under '') and of its attributes."""
    docs = {"": found["doc"] or ""}
    for attribute in (*found["properties"], *found["parameters"]):
        docs[attribute["name"]] = attribute["doc"] or ""
    return {name: _unindented(text) for name, text in docs.items() if text.strip()}


def _unindented(text: str) -> str:
    """Return a text without the common indentation of the lines after the first."""
    first, newline, rest = text.strip().partition("\n")
    return first.strip() + newline + dedent(rest)
