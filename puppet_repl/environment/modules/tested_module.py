"""The module that a file belongs to, and the module path that its tests and examples need.

That path is what the tools of module authors make: the module itself, and the modules it depends
on where ``rake spec_prep`` (puppetlabs_spec_helper) puts them.
"""

from __future__ import annotations

import json
import os

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.json_data import JsonDataError, read_json
from puppet_repl.base.wording import shortened, why_unusable
from puppet_repl.environment.modules.fixtures import TARGET, FixturesError, fixtures_of
from puppet_repl.environment.modules.modules import (
    METADATA,
    Module,
    is_module_name,
    named_by_metadata,
    short_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FIXTURE_MODULES = os.path.join(*TARGET.split("/"))
# What directories of modules are called in a control repository.
_PARENTS = ("modules", "site-modules", "site")


def module_of(path: str) -> Module | None:
    """Return the module that a file or directory belongs to, None for one of no module."""
    directory = directory_of_module(path)
    name = None if directory is None else named_by_metadata(directory)
    return None if directory is None or name is None else Module(name, directory)


def directory_of_module(path: str) -> str | None:
    """Return the nearest directory with a metadata.json, None if there is none.

    That file may be broken: ``metadata_problem`` tells.
    """
    directory = os.path.abspath(path)
    if not os.path.isdir(directory):
        directory = os.path.dirname(directory)
    while not os.path.isfile(os.path.join(directory, METADATA)):
        parent = os.path.dirname(directory)
        if parent == directory:
            return None
        directory = parent
    return directory


def metadata_problem(directory: str) -> str | None:
    """Return why the metadata.json of a directory names no module, None if it names one."""
    try:
        data = read_json(read_text(os.path.join(directory, METADATA)))
    except JsonDataError as error:
        return f"not JSON: {error}"
    except (OSError, UnicodeDecodeError) as error:
        return why_unusable(error)
    if not isinstance(data, dict):
        return "not a JSON object"
    if "name" not in data:
        return "it has no name"
    if named_by_metadata(directory) is None:
        return f"its name is not that of a module: {shortened(json.dumps(data['name']), 60)}"
    return None


def module_path(module: Module) -> tuple[str, ...]:
    """Return the existing directories of the module path for the examples and tests of a module.

    The module comes first, then its fixtures, then the directory of modules that contains it, or
    the modules beside it that it depends on.
    """
    paths = [module.path, module.file(FIXTURE_MODULES), *_linked(module)]
    parent = os.path.dirname(module.path)
    paths += [parent] if os.path.basename(parent) in _PARENTS else _beside(module)
    return tuple(dict.fromkeys(path for path in paths if os.path.isdir(path)))


def _linked(module: Module) -> Iterator[str]:
    """Yield the modules that the file of fixtures links to."""
    try:
        found = fixtures_of(module, "symlinks")
    except FixturesError:
        return  # which the tool that makes the fixtures reports
    for fixture in found:
        path = fixture.source(module.path)
        if path is not None:
            yield os.path.normpath(os.path.join(module.path, path))


def _beside(module: Module) -> list[str]:
    """Return the directories beside a module that are modules that it needs, and these need."""
    parent = os.path.dirname(module.path)
    found: dict[str, str] = {}
    wanted = list(module.required)
    while wanted:
        full = wanted.pop(0)
        name = short_name(full)
        if name in found or name == module.name or not is_module_name(name) or "\0" in full:
            continue
        for directory in (name, full.replace("/", "-"), f"puppet-{name}"):
            path = os.path.join(parent, directory)
            if named_by_metadata(path) == name:
                found[name] = path
                wanted += Module(name, path).required
                break
    return list(found.values())
