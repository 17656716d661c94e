"""The tags of parameters in a comment, and the faults of a comment."""

from __future__ import annotations

from dataclasses import replace

from puppet_repl.base.matching import did_you_mean
from puppet_repl.environment.reference.model import Problem
from puppet_repl.environment.reference.tags import READERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from puppet_repl.environment.reference.comments import Comment, Fault
    from puppet_repl.environment.reference.model import Option, Parameter, Tag

_FAULTS = {
    "unknown-tag": "Unknown tag @{}",
    "invalid-tag": "Invalid tag format for @{}",
    "unknown-directive": "Unknown directive @!{}",
}


def faults_of(comment: Comment, file: str) -> tuple[Problem, ...]:
    """Return the faults of a comment by itself."""
    return tuple(
        Problem("warning", fault.rule, _message(fault), file, fault.line)
        for fault in comment.faults
    )


def _message(fault: Fault) -> str:
    message = _FAULTS[fault.rule].format(fault.name)
    if fault.rule != "unknown-tag":
        return message
    return with_hint(message, did_you_mean(fault.name, READERS, "@{}"))


def with_hint(message: str, hint: str | None) -> str:
    """Return a message with a hint after it, if there is one."""
    return message if hint is None else f"{message}; {hint}"


def tags_of_parameters(tags: Iterable[Tag]) -> dict[str | None, Tag]:
    """Return the first tag of each parameter by its name."""
    found: dict[str | None, Tag] = {}
    for tag in tags:
        if tag.name == "param":
            found.setdefault(tag.subject, tag)
    return found


def parameters_with(declared: Sequence[Parameter], tags: Sequence[Tag]) -> tuple[Parameter, ...]:
    """Return parameters with what the tags of a comment say of them."""
    told = tags_of_parameters(tags)
    options: dict[tuple[str, str | None], list[Option]] = {}
    for tag in tags:
        if tag.option is not None:
            options.setdefault((tag.name, tag.subject), []).append(tag.option)
    return tuple(_described(each, told.get(each.name), options) for each in declared)


def _described(
    parameter: Parameter,
    tag: Tag | None,
    options: Mapping[tuple[str, str | None], Sequence[Option]],
) -> Parameter:
    name = parameter.name
    parameter = replace(
        parameter,
        options=tuple(options.get(("option", name), ())),
        enums=tuple(options.get(("enum", name), ())),
    )
    if tag is None:
        return parameter
    return replace(
        parameter,
        documented_type=tag.type or None,
        text=tag.text or "",
        is_documented=True,
    )


def outdented(source: str) -> str:
    """Return code whose lines are as far to the left as its last one."""
    source = source.rstrip("\n")
    last = source.rpartition("\n")[2]
    width = len(last) - len(last.lstrip(" \t"))
    return "\n".join(
        line[width:] if len(line) >= width and not line[:width].strip(" \t") else line
        for line in source.split("\n")
    )
