"""Exported resources in a JSON file, as PuppetDB's query of resources returns them.

The file is an array of objects with certname, type, title, tags, exported, parameters, file and
line, or an object that has this array as ``resources``. Its other keys are kept: rows of other
entities, and as ``queries`` the answers to whole queries, by their text.
"""

from __future__ import annotations

import json
import os

from puppet_repl.base.file_locks import locked_directory
from puppet_repl.base.file_reading import read_text
from puppet_repl.base.file_replacement import replace_file
from puppet_repl.base.json_data import JsonDataError, read_json, with_finite_numbers
from puppet_repl.base.wording import why_unusable
from puppet_repl.catalog.export_data import ExportedResource
from puppet_repl.catalog.exports import ExportStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

QUERIES = "queries"
"""The key of a file with the answers to whole queries."""
_RESOURCES = "resources"
# Seconds before each attempt to lock the directory of the file: another process may be writing.
LOCK_PAUSES = (0.0, *[0.02] * 100)


class ExportsError(Exception):
    """A file that cannot be read or written, or that holds no resources; the message says why."""


class ExportsFile:
    """A file that a session reads once and writes often, as other processes may do meanwhile.

    The resources that other processes have written for other nodes are kept; for the same node the
    last writer applies. Raises ExportsError if the file cannot be read.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._known = read_exports(path)

    def store(self) -> ExportStore:
        """Return a store with what the file had when it was last read or written from here."""
        return self._known.copy()

    def write(self, store: ExportStore) -> None:
        """Write the changes of a store since the file was last read or written.

        Other processes wait meanwhile, but two seconds at most. Raises ExportsError.
        """
        directory = os.path.dirname(os.path.realpath(self._path))
        with locked_directory(directory, LOCK_PAUSES):
            latest = read_exports(self._path)
            latest.take_over_changes(self._known, store)
            write_exports(self._path, latest, _read(self._path))
        self._known = store.copy()


def read_exports(path: str) -> ExportStore:
    """Return the resources of a file, an empty store for a missing file. Raises ExportsError."""
    rows = (read_tables(path) or {}).get(_RESOURCES, [])
    resources = (resource_of_row(row, f"{path}: resource {n}") for n, row in enumerate(rows, 1))
    return ExportStore(resource for resource in resources if resource is not None)


def read_tables(path: str) -> dict[str, Any] | None:
    """Return the rows of a file by entity, and its answers to ``QUERIES``; None without a file.

    Raises ExportsError.
    """
    data = _read(path)
    if data is None:
        return None
    if isinstance(data, list):
        data = {_RESOURCES: data}
    if not isinstance(data, dict) or not data:
        raise ExportsError(
            f"{path}: neither an array of exported resources nor an object with rows by entity"
        )
    for name, value in data.items():
        if name == QUERIES:
            if not isinstance(value, dict):
                raise ExportsError(f"{path}: '{name}' must be an object with answers by query")
        elif not isinstance(value, list):
            raise ExportsError(f"{path}: '{name}' must be an array of rows")
        else:
            for number, row in enumerate(value, 1):
                if not isinstance(row, dict):
                    raise ExportsError(f"{path}: row {number} of '{name}' must be an object")
    return data


def _read(path: str) -> Any:
    """Return the data of a file, None for a missing one. Raises ExportsError."""
    try:
        data = read_json(read_text(path))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ExportsError(f"cannot read {path}: {why_unusable(error)}") from None
    except JsonDataError as error:
        raise ExportsError(f"{path}: not JSON: {error}") from None
    return False if data is None else data  # null is no more an object than false


def resource_of_row(row: Any, where: str) -> ExportedResource | None:
    """Return the resource that a row describes, None for a resource that is not exported."""
    if not isinstance(row, dict):
        raise ExportsError(f"{where} is no object")
    for key in ("certname", "type", "title"):
        if not isinstance(row.get(key), str) or not row[key]:
            raise ExportsError(f"{where} has no {key}")
    tags, parameters = row.get("tags", []), row.get("parameters", {})
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise ExportsError(f"{where}: tags are an array of strings")
    if not isinstance(parameters, dict):
        raise ExportsError(f"{where}: parameters are an object")
    if row.get("exported") is False:
        return None
    file, line = row.get("file"), row.get("line")
    return ExportedResource(
        row["certname"],
        row["type"],
        row["title"],
        with_finite_numbers(parameters),
        tuple(tags),
        file if isinstance(file, str) else None,
        line if type(line) is int else None,
    )


def exports_text(store: ExportStore, data: Any = None) -> str:
    """Return all resources of a store as JSON text, with the other ``data`` of the file."""
    rows: Any = [
        {
            "certname": resource.certname,
            "type": resource.type,
            "title": resource.title,
            "tags": list(resource.tags),
            "exported": True,
            "parameters": resource.parameters,
            "file": resource.file,
            "line": resource.line,
        }
        for resource in store.resources()
    ]
    if isinstance(data, dict):
        others = [row for row in data.get("resources", ()) if row.get("exported") is False]
        rows = {**data, "resources": [*others, *rows]}
    return json.dumps(rows, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def write_exports(path: str, store: ExportStore, data: Any = None) -> None:
    """Write a store to a file with other ``data``, whole or not at all. Raises ExportsError."""
    try:
        replace_file(path, exports_text(store, data))
    except OSError as error:
        raise ExportsError(f"cannot write {path}: {why_unusable(error)}") from None
