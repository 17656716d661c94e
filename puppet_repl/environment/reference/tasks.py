"""Tasks, by the metadata that stand in JSON files beside them."""

from __future__ import annotations

import os
from dataclasses import replace

from puppet_repl.base.json_data import JsonDataError, read_json
from puppet_repl.environment.reference.comments import Comment
from puppet_repl.environment.reference.model import Parameter, TaskEntry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.environment.reference.model import Entry


def read_task(text: str, file: str) -> list[Entry]:
    """Return the task that a file describes, nothing for an empty one; raise JsonDataError."""
    data = read_json(text)
    if not data:
        return []
    if not isinstance(data, dict):
        raise JsonDataError("the metadata of a task must be an object")
    description = data.get("description")
    parameters = data.get("parameters")
    given = parameters if isinstance(parameters, dict) else {}
    comment = Comment(description if isinstance(description, str) else "")
    method = data.get("input_method")
    named = data.get("implementations")
    listed = named if isinstance(named, list) else []
    implementations = [each.get("name") for each in listed if isinstance(each, dict)]
    return [
        TaskEntry(
            name=os.path.basename(file).replace(".json", ""),
            file=file,
            line=0,
            text=comment.text,
            parameters=tuple(_parameter(name, told) for name, told in given.items()),
            supports_noop=data.get("supports_noop") is True,
            input_method=method if isinstance(method, str) else None,
            source=text,
            files=tuple(f"tasks/{name}" for name in implementations if isinstance(name, str)),
        )
    ]


def _parameter(name: str, told: object) -> Parameter:
    facts = told if isinstance(told, dict) else {}
    kind, description, default = (facts.get(key) for key in ("type", "description", "default"))
    return Parameter(
        name=name,
        declared_type=kind if isinstance(kind, str) else None,
        text=description if isinstance(description, str) else "",
        is_documented=description is not None,
        value=default,
    )


def with_files(entry: TaskEntry, files: Iterable[str]) -> TaskEntry:
    """Return a task with the files that implement it: those of its name, if it names none."""
    if entry.files:
        return entry
    stem = f"tasks/{entry.name}"
    found = [file for file in files if os.path.splitext(file)[0] == stem and file != entry.file]
    return replace(entry, files=tuple(found))
