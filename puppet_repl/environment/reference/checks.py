"""Check the documentation of a module: the warnings of puppet-strings.

Each warning has the name of a rule. Its line is the line of the tag or parameter, where
puppet-strings names the line of the definition.
"""

from __future__ import annotations

import re

from puppet_repl.base.matching import did_you_mean
from puppet_repl.environment.reference.model import (
    ClassEntry,
    DataTypeAliasEntry,
    DataTypeEntry,
    DefinedTypeEntry,
    FunctionEntry,
    PlanEntry,
    Problem,
    TaskEntry,
)
from puppet_repl.environment.reference.parameter_docs import tags_of_parameters, with_hint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from puppet_repl.environment.reference.model import (
        Entry,
        Module,
        Parameter,
        Signature,
        Tag,
    )

__all__ = ["RULES", "check_entry", "check_module"]

MAX_SUMMARY = 140
"""How long a summary may be, in characters."""

RULES = {
    "syntax": "The file cannot be parsed, and nothing that it defines is documented.",
    "unreadable": "The file cannot be read, or is not UTF-8.",
    "undocumentable": "A declaration in Ruby has a name, or a hash, that is not written out.",
    "unreadable-documentation": "A description in Ruby is not a plain string or heredoc.",
    "missing-documentation": "A class, type, function or plan has no comment.",
    "missing-description": "A resource type, an attribute, a provider or a task is not described.",
    "missing-param": "A parameter has no ``@param``, though there is a comment.",
    "unknown-param": "A ``@param`` is about no parameter.",
    "type-mismatch": "A ``@param`` or ``@return`` gives another type than the code.",
    "needless-type": "A ``@param`` gives a type that the dispatch gives already.",
    "misplaced-tag": "A tag of a Ruby function belongs to a dispatch.",
    "missing-return": "A function has no ``@return``.",
    "missing-method": "A function of a data type has no ``@!method``.",
    "unknown-method": "A ``@!method`` is about no function of the data type.",
    "long-summary": f"A summary is longer than {MAX_SUMMARY} characters.",
    "see-in-braces": "The target of ``@see`` is in braces.",
    "unknown-tag": "There is no tag of that name.",
    "invalid-tag": "What follows a tag has not the form that the tag has.",
    "unknown-directive": "There is no directive of that name.",
    "defined-twice": "A file defines what another one has defined.",
    "duplicate-block": "A dispatch has two blocks.",
    "wrong-arguments": "A parameter of a dispatch has not a type and a name.",
    "invalid-interface": "The interface of a data type cannot be parsed.",
    "invalid-function": "The type of a function of a data type is not a Callable.",
}
"""What each rule means."""

_BRACES = re.compile(r"\{.*\}\n?\Z", re.DOTALL)
_WORDS = {"data type alias": "type alias"}


def check_module(reference: Module) -> list[Problem]:
    """Return all problems with the documentation of a module, in the order of files and lines."""
    found = list(reference.problems)
    for entry in reference.entries:
        found += check_entry(entry)
    return sorted(found, key=lambda each: (each.file, each.line))


def check_entry(entry: Entry) -> list[Problem]:
    """Return the problems with the documentation of one entry."""
    return [*entry.problems, *_found(entry)]


def _found(entry: Entry) -> Iterator[Problem]:
    if isinstance(entry, TaskEntry):
        yield from _of_task(entry)
        return
    if isinstance(entry, FunctionEntry) and entry.api == "ruby4x":
        yield from _of_ruby_function(entry)
    elif isinstance(entry, FunctionEntry):
        yield from _of_function(entry)
    elif isinstance(entry, ClassEntry | DefinedTypeEntry | PlanEntry | DataTypeAliasEntry):
        yield from _undocumented(entry)
        yield from _of_parameters(entry)
    elif isinstance(entry, DataTypeEntry):
        yield from _of_data_type(entry)
    yield from _of_tags(entry)


def _problem(entry: Entry, rule: str, message: str, line: int = 0) -> Problem:
    return Problem("warning", rule, message, entry.file, line or entry.line)


def _undocumented(entry: Entry) -> Iterator[Problem]:
    if not entry.is_documented:
        kind = _WORDS.get(entry.kind, entry.kind)
        message = f"Missing documentation for {kind} '{entry.name}'"
        yield _problem(entry, "missing-documentation", message)


def _of_tags(entry: Entry) -> Iterator[Problem]:
    for tag in entry.tags:
        if tag.name == "see" and _BRACES.match(f"{tag.subject or ''}{tag.text or ''}"):
            message = "The target of @see is in braces, which are shown"
            yield _problem(entry, "see-in-braces", message, tag.line)
    summary = next((tag for tag in entry.tags if tag.name == "summary"), None)
    if summary is not None and len(summary.text or "") > MAX_SUMMARY:
        message = f"The summary of '{entry.name}' is longer than {MAX_SUMMARY} characters"
        yield _problem(entry, "long-summary", message, summary.line)


# Manifests


def _of_parameters(entry: Entry) -> Iterator[Problem]:
    names = {each.name for each in entry.parameters}
    tags = tags_of_parameters(entry.tags)
    for tag in entry.tagged("param"):
        if tag.subject not in names and tag.subject not in ("name", "title"):
            if not isinstance(entry, DataTypeAliasEntry):
                undescribed = [each.name for each in entry.parameters if each.name not in tags]
                yield _unknown(entry, tag, undescribed)
    for parameter in entry.parameters:
        told = tags.get(parameter.name)
        if told is None:
            if entry.text:
                yield _missing(entry, parameter)
        elif parameter.declared_type is not None and told.types:
            if parameter.declared_type != told.types[0]:
                message = f"The @param tag for '{parameter.name}' gives another type than the code"
                yield _problem(entry, "type-mismatch", message, told.line)


def _unknown(entry: Entry, tag: Tag, undescribed: Sequence[str] = ()) -> Problem:
    name = tag.subject or ""
    message = f"The @param tag for '{name}' has no matching parameter"
    message = with_hint(message, did_you_mean(name, undescribed))
    return _problem(entry, "unknown-param", message, tag.line)


def _missing(entry: Entry, parameter: Parameter) -> Problem:
    message = f"Missing @param tag for parameter '{parameter.name}'"
    return _problem(entry, "missing-param", message, parameter.line)


def _of_function(entry: FunctionEntry) -> Iterator[Problem]:
    """Yield the problems of a function of the language, or of the 3.x API."""
    returned = next((tag for tag in entry.tags if tag.name == "return"), None)
    if entry.api == "puppet":
        yield from _undocumented(entry)
        yield from _of_parameters(entry)
        declared = entry.signatures[0].declared_return
        if declared and returned is not None and returned.types and returned.types[0] != declared:
            message = f"The @return tag of '{entry.name}' gives another type than the code"
            yield _problem(entry, "type-mismatch", message, returned.line)
    if returned is None:
        yield _problem(entry, "missing-return", f"Missing @return tag for '{entry.name}'")


# Ruby


def _of_ruby_function(entry: FunctionEntry) -> Iterator[Problem]:
    yield from _undocumented(entry)
    for name in ("param", "return", "overload"):
        tags = entry.tagged(name)
        if tags:
            message = (
                f"The comment of '{entry.name}' has @{name} tags, which belong to its dispatches"
            )
            yield _problem(entry, "misplaced-tag", message, tags[0].line)
    for signature in entry.signatures:
        yield from _of_signature(entry, signature)


def _of_signature(entry: FunctionEntry, signature: Signature) -> Iterator[Problem]:
    names = {each.name for each in signature.parameters}
    has_comment = bool(signature.text or signature.tags)
    tags = tags_of_parameters(signature.tags)
    for parameter in signature.parameters:
        told = tags.get(parameter.name)
        if told is None:
            if has_comment:
                yield _missing(entry, parameter)
        elif told.types and parameter.declared_type is not None:
            message = (
                f"The @param tag for '{parameter.name}' gives a type, which the dispatch gives"
            )
            yield _problem(entry, "needless-type", message, told.line)
    for tag in signature.tags:
        if tag.name == "param" and tag.subject not in names:
            yield _unknown(entry, tag)
    is_told = any(tag.name == "return" for tag in signature.tags)
    if not is_told and signature.declared_return is None:
        message = f"Missing @return tag for '{entry.name}'"
        yield _problem(entry, "missing-return", message, signature.line)


def _of_data_type(entry: DataTypeEntry) -> Iterator[Problem]:
    names = {each.name for each in entry.parameters}
    tags = tags_of_parameters(entry.tags)
    for parameter in entry.parameters:
        told = tags.get(parameter.name)
        if told is None:
            yield _missing(entry, parameter)
        elif told.types is not None and parameter.declared_type is not None:
            if told.types != (parameter.declared_type,):
                message = f"The @param tag for '{parameter.name}' gives another type than the code"
                yield _problem(entry, "type-mismatch", message, told.line)
    for tag in entry.tagged("param"):
        if tag.subject not in names:
            yield _unknown(entry, tag)


# Tasks


def _of_task(entry: TaskEntry) -> Iterator[Problem]:
    if not entry.text:
        message = f"Missing description of task '{entry.name}'"
        yield _problem(entry, "missing-description", message)
    for parameter in entry.parameters:
        if not parameter.is_documented:
            message = f"Missing description of parameter '{parameter.name}' of task '{entry.name}'"
            yield _problem(entry, "missing-description", message)
