"""All that a module defines, from its files."""

from __future__ import annotations

import os
from dataclasses import replace

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_reading import read_text
from puppet_repl.base.json_data import JsonDataError, read_json
from puppet_repl.base.wording import why_unusable
from puppet_repl.environment.reference.comments import Comment
from puppet_repl.environment.reference.manifests import read_manifest
from puppet_repl.environment.reference.model import (
    ClassEntry,
    FunctionEntry,
    Module,
    Parameter,
    Problem,
    ProviderEntry,
    ResourceTypeEntry,
    TaskEntry,
)
from puppet_repl.environment.reference.module_data import data_defaults, read_module_data
from puppet_repl.environment.reference.ruby.files import read_ruby
from puppet_repl.environment.reference.ruby.resource_types import with_namevar
from puppet_repl.environment.reference.ruby.tokens import RubyError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from puppet_repl.environment.reference.model import Entry

    Reader = Callable[[str, str], Sequence[Entry | Problem]]


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
    """Return a task with its implementation files; by default the files with its name."""
    if entry.files:
        return entry
    stem = f"tasks/{entry.name}"
    found = [file for file in files if os.path.splitext(file)[0] == stem and file != entry.file]
    return replace(entry, files=tuple(found))


#: Where the files are, whether below that directory, too, how they end, and what reads them.
_PLACES: tuple[tuple[str, bool, str, Reader], ...] = (
    ("manifests", True, ".pp", read_manifest),
    ("functions", True, ".pp", read_manifest),
    ("types", True, ".pp", read_manifest),
    ("lib", True, ".rb", read_ruby),
    ("tasks", False, ".json", read_task),
    ("plans", True, ".pp", read_manifest),
)


def read_module(path: str | os.PathLike[str]) -> Module:
    """Return the documentation of the module in a directory.

    The result lists files that cannot be read or parsed as problems. Raises OSError if the
    directory does not exist.
    """
    root = os.path.abspath(path)
    os.stat(os.path.join(root, ""))
    entries: list[Entry] = []
    problems: list[Problem] = []
    for directory, is_deep, ending, read in _PLACES:
        found = files_below(root, directory, ending, is_deep=is_deep)
        for file in sorted(found, key=lambda file: (len(file), file)):  # as YARD has them
            try:
                for each in read(read_text(os.path.join(root, file)), file):
                    if isinstance(each, Problem):
                        problems.append(each)
                    else:
                        entries.append(each)
            except PuppetError as error:
                problems.append(Problem("error", "syntax", error.message, file, error.line or 0))
            except RubyError as error:
                problems.append(Problem("error", "syntax", error.message, file, error.line))
            except JsonDataError as error:
                problems.append(Problem("error", "syntax", str(error), file))
            except (OSError, UnicodeDecodeError) as error:
                problems.append(Problem("error", "unreadable", why_unusable(error), file))
    of_tasks = list(files_below(root, "tasks", "", is_deep=False))
    entries = [
        with_files(entry, of_tasks) if isinstance(entry, TaskEntry) else entry for entry in entries
    ]
    name, version = _name_and_version(root, problems)
    data = read_module_data(root)
    return Module(
        name=name,
        version=version,
        path=root,
        entries=tuple(_with_data(entry, data) for entry in assembled(entries)),
        problems=tuple(problems),
        data=data,
    )


def _with_data(entry: Entry, data: Mapping[str, Any]) -> Entry:
    """Return a class with the values that the data gives parameters without a default."""
    if not data or not isinstance(entry, ClassEntry):
        return entry
    defaults = data_defaults(data, entry.name)
    parameters = [
        replace(each, data_default=defaults.get(each.name)) if each.default is None else each
        for each in entry.parameters
    ]
    return replace(entry, parameters=tuple(parameters))


def is_module(path: str | os.PathLike[str]) -> bool:
    """Tell whether a directory has something that a module is made of. Raises OSError."""
    names = set(os.listdir(path))
    return not names.isdisjoint(("metadata.json", *(place[0] for place in _PLACES)))


def files_below(root: str, directory: str, ending: str, *, is_deep: bool) -> Iterator[str]:
    """Yield the files in a directory of a module that have an ending, in order.

    Links to directories are not followed, and names that begin with a dot are left out.
    """
    try:
        with os.scandir(os.path.join(root, directory)) as listed:
            entries = sorted(listed, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        path = f"{directory}/{entry.name}"
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            if is_deep:
                yield from files_below(root, path, ending, is_deep=True)
        elif entry.name.endswith(ending) and _is_file(entry):
            yield path


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # links that lead in a circle
        return False


def _name_and_version(root: str, problems: list[Problem]) -> tuple[str, str | None]:
    """Return what metadata.json says a module is called, and its version.

    A module may have no such file; one that cannot be read is a problem.
    """
    name, file = os.path.basename(root), "metadata.json"
    data = None
    try:
        data = read_json(read_text(os.path.join(root, file)))
    except FileNotFoundError:
        return name, None
    except JsonDataError as error:
        problems.append(Problem("error", "syntax", f"not JSON: {error}", file))
    except (OSError, UnicodeDecodeError) as error:
        problems.append(Problem("error", "unreadable", why_unusable(error), file))
    else:
        if not isinstance(data, dict):
            problems.append(Problem("error", "syntax", "not a JSON object", file))
    if not isinstance(data, dict):
        return name, None
    full, version = data.get("name"), data.get("version")
    if isinstance(full, str) and full:
        name = full.replace("/", "-").rpartition("-")[2]
    return name, version if isinstance(version, str) else None


def assembled(entries: Iterable[Entry]) -> list[Entry]:
    """Return entries without duplicates, and resource types with the additions of other files.

    A duplicate keeps the place of the first definition and the comment that was read last, as in
    puppet-strings.
    """
    found: dict[tuple[str, ...], Entry] = {}
    for entry in entries:
        key = _key(entry)
        first = found.get(key)
        found[key] = entry if first is None else _joined(first, entry)
    providers: dict[str, list[str]] = {}
    for entry in found.values():
        if isinstance(entry, ProviderEntry):
            providers.setdefault(entry.type_name, []).append(entry.name)
    return [
        replace(entry, providers=tuple(sorted(providers[entry.name])))
        if isinstance(entry, ResourceTypeEntry) and entry.name in providers
        else entry
        for entry in found.values()
    ]


def _key(entry: Entry) -> tuple[str, ...]:
    if isinstance(entry, FunctionEntry):
        return entry.kind, entry.api, entry.name
    if isinstance(entry, ProviderEntry):
        return entry.kind, entry.type_name, entry.name
    return entry.kind, entry.name


def _joined(first: Entry, later: Entry) -> Entry:
    problems = (*first.problems, *later.problems)
    is_told = later.is_documented
    text = later.text if is_told else first.text
    tags = later.tags if is_told else first.tags
    if isinstance(first, ResourceTypeEntry) and isinstance(later, ResourceTypeEntry):
        parameters = with_namevar((*first.parameters, *later.parameters))
        features = (*first.features, *later.features)
        return replace(
            first,
            text=text,
            tags=tags,
            parameters=parameters,
            features=features,
            problems=problems,
        )
    message = f"'{first.name}' is defined twice, first in {first.file}"
    problems += (Problem("warning", "defined-twice", message, later.file, later.line),)
    defaults = {each.name: each.default for each in first.parameters}
    declared: tuple[Parameter, ...] = tuple(
        replace(each, default=defaults.get(each.name)) for each in later.parameters
    )
    return replace(first, text=text, tags=tags, parameters=declared, problems=problems)
