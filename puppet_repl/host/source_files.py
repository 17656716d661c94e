"""The files of modules that resources name with ``source``: a catalog only has their addresses."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.matching import did_you_mean
from puppet_repl.catalog.resource import error_location

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from io import BufferedReader

    from puppet_repl.base.reach import Reach
    from puppet_repl.catalog.catalog import Catalog
    from puppet_repl.catalog.content import Json, ResourceContent
    from puppet_repl.environment.modules.environment import Environment

MODULES = "puppet:///modules/"
# Of larger files, and of binary ones, only digests are compared; of larger trees nothing.
MAX_TEXT = 1 << 20
MAX_FILES = 1000


def add_sources(resources: Iterable[ResourceContent], environment: Environment) -> None:
    """Add to resources what the files contain that their parameter ``source`` names."""
    reach = environment.context.reach
    for resource in resources:
        sources = resource.parameters.get("source")
        if resource.type != "File" or sources is None:
            continue
        recurses = str(resource.parameters.get("recurse")).lower() in ("true", "remote")
        for source in sources if isinstance(sources, list) else [sources]:
            path = _path(source, environment)
            if path is not None:
                is_tree = os.path.isdir(path) and recurses
                resource.source = _tree(path, reach) if is_tree else _file(path)
                break


def missing_sources(catalog: Catalog) -> list[str]:
    """Return a message for each file whose ``source`` names a file that its module does not have.

    An agent fails there. At least one of several sources has to exist. Unknown modules are left
    out.
    """
    environment = catalog.context.environment
    found: list[str] = []
    if environment is None:
        return found
    for member in catalog.tables.members:
        if member.type != "File" or member.virtual or member.value("ensure") == "absent":
            continue
        parameter = member.parameters.get("source")
        if parameter is None:
            continue
        given = parameter.value if type(parameter.value) is tuple else (parameter.value,)
        missing = [_missing(each, environment) for each in given]
        if missing and all(missing):
            where = error_location(parameter.source, parameter.line)
            found.append(f"{member.ref}: {', '.join(map(str, missing))} {where}".rstrip())
    return found


def _missing(source: object, environment: Environment) -> str | None:
    """Return a message about a missing file; None for a file that exists, or may exist."""
    if not isinstance(source, str) or not source.startswith(MODULES):
        return None
    name, _, rest = source.removeprefix(MODULES).partition("/")
    module = environment.modules.get(name)
    if module is None or not rest or ".." in rest.split("/"):
        return None
    try:
        if environment.find_file("files", f"{name}/{rest}") is not None:
            return None
        directory, _, last = rest.rpartition("/")
        beside = os.listdir(os.path.join(module.path, "files", directory))
    except (OSError, RuntimeFailure):
        return f"the module {name} has no file files/{rest}"
    hint = did_you_mean(last, beside)
    return f"the module {name} has no file files/{rest}" + (f"; {hint}" if hint else "")


def _path(source: Json, environment: Environment) -> str | None:
    """Return the path of a file of a module, None for any other source."""
    if not isinstance(source, str) or not source.startswith(MODULES):
        return None
    reference = source.removeprefix(MODULES)
    if os.path.isabs(reference) or ".." in reference.split("/"):
        return None  # no file of a module
    return environment.find_file("files", reference)


def _file(path: str) -> Json:
    """Return the text of a file, the digest of a large or binary one, None without a file."""
    if not os.path.isfile(path):
        return None  # a pipe could be read forever
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_TEXT + 1)
            if len(data) <= MAX_TEXT and b"\0" not in data:
                with suppress(UnicodeDecodeError):
                    return data.decode("utf-8")
            file.seek(0)
            return {"bytes": os.fstat(file.fileno()).st_size, "sha256": _digest(file)}
    except OSError:
        return None


def _digest(file: BufferedReader) -> str:
    """Return as much of a file's SHA-256 as tells files apart on a line of a difference."""
    return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def _tree(directory: str, reach: Reach | None) -> Json:
    """Return the digests of the files below a directory by path, None for too many."""
    digests: dict[str, str] = {}
    for parent, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(parent, name)
            if not os.path.isfile(path) or not (reach is None or reach.allows(path)):
                continue
            try:
                with open(path, "rb") as file:
                    digests[os.path.relpath(path, directory)] = _digest(file)
            except OSError:
                continue
            if len(digests) > MAX_FILES:
                return None
    return dict(sorted(digests.items()))
