"""Functions of stdlib that take the names of files apart: basename, dirname, extname."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.stdlib.declaring import stdlib_function, stdlib_legacy_function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value


@stdlib_legacy_function(
    "basename",
    "String $path, String $suffix?",
    returns="String",
    examples=(
        "basename('/etc/ssh/sshd.conf')  # => 'sshd.conf'",
        "basename('/etc/ssh/sshd.conf', '.conf')  # => 'sshd'",
    ),
    counts=False,
)
def basename(values: tuple[Value, ...]) -> Value:
    """Return the last part of a path, without a suffix if one is given and the part ends with it.

    The suffix '.*' stands for any extension.

    @param path the path
    @param suffix the end to cut off; '.*' for any extension
    """
    if not values:
        raise RuntimeFailure("basename(): No arguments given")
    if len(values) > 2:
        raise RuntimeFailure(f"basename(): Too many arguments given ({len(values)})")
    path = values[0]
    if type(path) is not str:
        raise RuntimeFailure("basename(): Requires string as first argument")
    if len(values) == 1:
        return _last_part(path)
    suffix = values[1]
    if type(suffix) is not str:
        raise RuntimeFailure("basename(): Requires string as second argument")
    last = _last_part(path)
    if suffix == ".*":
        return last.removesuffix(_extension(last))
    return last if last == suffix else last.removesuffix(suffix)


@stdlib_legacy_function(
    "dirname",
    "String[1] $path",
    returns="String",
    examples=("dirname('/etc/ssh/sshd.conf')  # => '/etc/ssh'", "dirname('file')  # => '.'"),
    counts=False,
)
def dirname(values: tuple[Value, ...]) -> Value:
    """Return a path without its last part; '.' for a single part.

    @param path the path
    """
    if not values:
        raise RuntimeFailure("dirname(): No arguments given")
    if len(values) > 1:
        raise RuntimeFailure(f"dirname(): Too many arguments given ({len(values)})")
    path = values[0]
    if type(path) is not str:
        raise RuntimeFailure("dirname(): Requires string as argument")
    if not path:
        raise RuntimeFailure("dirname(): Requires a non-empty string as argument")
    _refuse_null(path)
    absolute = path.startswith("/")
    inner = path.strip("/")
    before = inner.rpartition("/")[0].rstrip("/")
    if absolute:
        return f"/{before}"
    return before or "."


@stdlib_function(
    "stdlib::extname",
    "String $filename",
    returns="String",
    examples=(
        "stdlib::extname('a/b.tar.gz')  # => '.gz'",
        "stdlib::extname('.profile')  # => ''",
    ),
)
def extname(filename: str) -> str:
    """Return the extension of a file name with its dot; a dot at the beginning begins none.

    @param filename the name, or a path
    """
    _refuse_null(filename)
    return _extension(_last_part(filename))


def _last_part(path: str) -> str:
    """Return the part after the last slash, ignoring slashes at the end; '/' for slashes alone."""
    _refuse_null(path)
    inner = path.rstrip("/")
    if path and not inner:
        return "/"
    return inner.rpartition("/")[2]


def _extension(name: str) -> str:
    leading = len(name) - len(name.lstrip("."))
    dot = name.rfind(".", leading)
    return name[dot:] if dot > leading else ""


def _refuse_null(path: str) -> None:
    if "\0" in path:
        raise RuntimeFailure("path name contains null byte")
