"""The record of installed modules, so that the next one installs exactly these again.

``Puppetfile-lock.json`` beside the Puppetfile: for each module what the Puppetfile asked for, the
version or commit that was taken, the checksum of the archive, and one of the files as they were
unpacked. A directory is known as one of ours, and as unchanged, by the latter.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import NamedTuple

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.file_replacement import replace_file
from puppet_repl.base.json_data import JsonDataError, read_json
from puppet_repl.base.wording import why_unusable
from puppet_repl.environment.installation.wanted import PuppetfileError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.environment.installation.wanted import Wanted

NAME = "Puppetfile-lock.json"
_FORMAT = 1


class Record(NamedTuple):
    """One installed module.

    ``wanted`` is the version or ref that the Puppetfile names, and ``fallback`` the other one.
    ``spec`` tells what became of the directory spec.
    """

    title: str
    kind: str
    source: str
    wanted: str
    fallback: str
    version: str
    checksum: str
    directory: str
    spec: str
    files: str

    def fixes(self, wanted: Wanted) -> bool:
        """Tell whether this has the version of what the Puppetfile asks for now.

        It may come from another Forge, which has the same archives: their checksum is compared.
        """
        asked = (wanted.title, wanted.kind, wanted.version, wanted.fallback)
        own = (self.title, self.kind, self.wanted, self.fallback)
        return asked == own and (self.kind == "forge" or self.source == wanted.shown_source)

    def answers(self, wanted: Wanted, base: str) -> bool:
        """Tell whether this has the same files in the same place, too."""
        return (self.directory, self.spec) == (directory_text(wanted, base), wanted.spec)


def directory_text(wanted: Wanted, base: str) -> str:
    """Return the directory of a module as the record has it: relative, with slashes."""
    return os.path.relpath(wanted.place, os.path.realpath(base)).replace(os.sep, "/")


def read_records(directory: str) -> dict[str, Record]:
    """Return the records of a directory by the name of the module; raise PuppetfileError."""
    path = os.path.join(directory, NAME)
    try:
        data = read_json(read_text(path))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise PuppetfileError(f"{path}: {why_unusable(error)}") from None
    except JsonDataError as error:
        raise PuppetfileError(f"{path} is not JSON: {error}") from None
    rows = data.get("modules") if isinstance(data, dict) and data.get("format") == _FORMAT else None
    if not isinstance(rows, dict):
        raise PuppetfileError(
            f"{path} is not a file that 'puppet-repl modules install' has written"
        )
    return {name: _record(row, path, name) for name, row in rows.items()}


def _record(row: Any, path: str, name: str) -> Record:
    found = [row.get(each) if isinstance(row, dict) else None for each in Record._fields]
    values = [value for value in found if isinstance(value, str)]
    if len(values) < len(found):
        raise PuppetfileError(f"{path}: the entry of {name} is incomplete")
    return Record(*values)


def write_records(directory: str, records: dict[str, Record]) -> None:
    """Write the records of a directory. Raises OSError."""
    rows = {name: records[name]._asdict() for name in sorted(records)}
    text = json.dumps({"format": _FORMAT, "modules": rows}, indent=2)
    replace_file(os.path.join(directory, NAME), f"{text}\n")


def files_digest(directory: str) -> str:
    """Return a checksum of the names and contents below a directory. Raises OSError.

    Links count by what they say; they are not followed.
    """
    made = hashlib.sha256()
    for where, directories, names in os.walk(directory, onerror=_raise):
        directories.sort()
        linked = [name for name in directories if os.path.islink(os.path.join(where, name))]
        for name in sorted([*names, *linked]):
            path = os.path.join(where, name)
            shown = os.fsencode(os.path.relpath(path, directory).replace(os.sep, "/"))
            if os.path.islink(path):
                content, mark = os.fsencode(os.readlink(path)), b"link"
            elif not os.path.isfile(path):  # a pipe would be waited for
                content, mark = b"", b"other"
            else:
                with open(path, "rb") as file:
                    content, mark = hashlib.file_digest(file, "sha256").digest(), b"file"
            made.update(b"%s %d %s %d %s" % (mark, len(shown), shown, len(content), content))
    return f"sha256:{made.hexdigest()}"


def _raise(error: OSError) -> None:
    raise error
