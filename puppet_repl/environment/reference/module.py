"""All that a module defines, from its files."""

from __future__ import annotations

import os

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_reading import read_text
from puppet_repl.base.json_data import JsonDataError, read_json
from puppet_repl.base.wording import why_unusable
from puppet_repl.environment.reference.assembling import assembled
from puppet_repl.environment.reference.manifests import read_manifest
from puppet_repl.environment.reference.model import ModuleReference, Problem, TaskEntry
from puppet_repl.environment.reference.ruby.files import read_ruby
from puppet_repl.environment.reference.ruby.tokens import RubyError
from puppet_repl.environment.reference.tasks import read_task, with_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from puppet_repl.environment.reference.model import Entry

    Reader = Callable[[str, str], Sequence[Entry | Problem]]

#: Where the files are, whether below that directory, too, how they end, and what reads them.
_PLACES: tuple[tuple[str, bool, str, Reader], ...] = (
    ("manifests", True, ".pp", read_manifest),
    ("functions", True, ".pp", read_manifest),
    ("types", True, ".pp", read_manifest),
    ("lib", True, ".rb", read_ruby),
    ("tasks", False, ".json", read_task),
    ("plans", True, ".pp", read_manifest),
)


def read_module(path: str | os.PathLike[str]) -> ModuleReference:
    """Return the documentation of the module in a directory.

    A file that cannot be read or parsed is a problem of the result. Raises OSError if there is no
    such directory.
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
    return ModuleReference(
        name=name,
        version=version,
        path=root,
        entries=tuple(assembled(entries)),
        problems=tuple(problems),
    )


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
