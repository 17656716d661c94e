"""What a comment says of parameters, and what is wrong with a comment."""

from __future__ import annotations

from dataclasses import replace

from puppet_repl.reference.model import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.reference.comments import Comment
    from puppet_repl.reference.model import Option, Parameter, Tag

_FAULTS = {
    "unknown-tag": "Unknown tag @{}",
    "invalid-tag": "Invalid tag format for @{}",
    "unknown-directive": "Unknown directive @!{}",
}


def faults_of(comment: Comment, file: str) -> tuple[Problem, ...]:
    """Return what is wrong with a comment by itself."""
    return tuple(
        Problem("warning", fault.rule, _FAULTS[fault.rule].format(fault.name), file, fault.line)
        for fault in comment.faults
    )


def parameters_with(declared: Sequence[Parameter], tags: Sequence[Tag]) -> tuple[Parameter, ...]:
    """Return parameters with what the tags of a comment say of them."""
    told: dict[str | None, Tag] = {}
    for tag in tags:
        if tag.name == "param":
            told.setdefault(tag.subject, tag)
    return tuple(_described(each, told.get(each.name), tags) for each in declared)


def _described(parameter: Parameter, tag: Tag | None, tags: Sequence[Tag]) -> Parameter:
    options = _options("option", parameter.name, tags)
    enums = _options("enum", parameter.name, tags)
    if tag is None:
        return replace(parameter, options=options, enums=enums) if options or enums else parameter
    return replace(
        parameter,
        documented_type=tag.type or None,
        text=tag.text or "",
        is_documented=True,
        options=options,
        enums=enums,
    )


def _options(name: str, parent: str, tags: Sequence[Tag]) -> tuple[Option, ...]:
    return tuple(
        tag.option for tag in tags if tag.name == name and tag.subject == parent and tag.option
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
