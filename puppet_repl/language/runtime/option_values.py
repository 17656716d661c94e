"""Which values options of each kind can have.

Options with a default, and choices, do without this module: a short evaluation does not import it.
"""

from __future__ import annotations

import os

from puppet_repl.base.deadline import limit_problem
from puppet_repl.language.runtime.puppetdb_address import address_problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.runtime.option_table import Option
    from puppet_repl.language.values.hash import PuppetHash

DECLARED_NAME = "puppet_name"
"""The attribute of a callable with the name of the function that it implements."""


def taken(row: Option, name: str, value: Any) -> Any:
    """Return a value that an option is given as it is kept.

    Raises ValueError or TypeError, which call the option by a name.
    """
    if row.kind == "extensions":
        return _extensions(name, value or {})
    if row.kind == "settings":
        return _settings(value or {})
    if row.kind == "data":
        return _data(name, value)
    if row.kind == "functions":
        return _functions(name, value)
    if value is None and row.default is None:
        return None
    if row.kind == "path":
        if isinstance(value, (str, os.PathLike)):
            path = os.fspath(value)
            problem = address_problem(path) if row.name == "puppetdb" else None
            if problem is not None:
                raise ValueError(f"{name}: {problem}")
            return path
        raise TypeError(f"{name} is a path, not {value!r}, a {type(value).__name__}")
    if row.kind in ("paths", "search_path"):
        return _paths(row, name, value)
    if row.kind == "program" and isinstance(value, os.PathLike):
        value = os.fspath(value)
    if accepts(row, value):
        if row.kind == "limit":
            check_limit(name)
        return value
    error = TypeError if row.kind in ("program", "switch", "text") else ValueError
    raise error(f"{name} is {wanted(row)}, not {value!r}")


def check_limit(name: str) -> None:
    """Raise ValueError where no limit of time can be kept."""
    problem = limit_problem()
    if problem is not None:
        raise ValueError(f"{name} cannot be kept: {problem}")


def _extensions(name: str, value: Any) -> dict[str, object]:
    """Return extensions by name: they are given like that, or as in ``$trusted``."""
    if not value:
        return {}
    from collections.abc import Mapping

    if not isinstance(value, Mapping) or not all(map(_is_text, value)):
        raise TypeError(f"{name} are extensions by name, not {value!r}")
    inner = value.get("extensions")
    if isinstance(inner, Mapping):
        if len(value) > 1:
            other = min(value.keys() - {"extensions"})
            raise ValueError(f"{name}: only 'extensions' can be set, not '{other}'")
        return _extensions(f"{name}: extensions", inner)
    for extension, each in value.items():
        if isinstance(each, Mapping):
            raise ValueError(f"{name}: the extension '{extension}' is a text, not {each!r}")
    return dict(value)


def _settings(value: Any) -> dict[str, object]:
    if not value:
        return {}
    # Few sessions are given any, and Puppet has many.
    from collections.abc import Mapping

    from puppet_repl.language.runtime.puppet_settings import taken

    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise TypeError(f"puppet_settings are values by name, not {value!r}")

    return taken(value)


def _data(name: str, value: Any) -> tuple[PuppetHash, ...]:
    from collections.abc import Mapping

    from puppet_repl.language.values.python import from_python

    layers = (value,) if isinstance(value, Mapping) else tuple(value or ())
    if not all(isinstance(each, Mapping) and all(map(_is_text, each)) for each in layers):
        raise TypeError(f"{name}: data are values by key, not {value!r}")
    hashes: Any = [from_python(each) for each in layers]
    return tuple(hashes)


def _functions(name: str, value: Any) -> dict[str, Any]:
    from collections.abc import Iterable, Mapping

    given = value or {}
    if not isinstance(given, Mapping) and isinstance(given, Iterable):
        given = {getattr(each, DECLARED_NAME, None): each for each in given}
    if not isinstance(given, Mapping) or not all(map(_is_text, given)):
        raise TypeError(
            f"{name} are callables by the names of functions, or a list of those that "
            f"@puppet.function has declared, not {value!r}"
        )
    for function, each in given.items():
        try:
            check_function_name(function)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        if not callable(each):
            raise TypeError(f"{name}: '{function}' is not a callable of Python, but {each!r}")
    return {function.removeprefix("::"): each for function, each in given.items()}


def check_function_name(name: str) -> None:
    """Raise ValueError for a name that no function can have."""
    import re

    if re.fullmatch("(?:::)?[a-z][A-Za-z0-9_]*(?:::[a-z][A-Za-z0-9_]*)*", name) is None:
        raise ValueError(f"no function can have the name {name!r}")


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _paths(row: Option, name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        return split_paths(text) if row.kind == "search_path" else (text,)
    try:
        paths = tuple([os.fspath(each) for each in value])
    except TypeError:
        paths = (None,)
    if not all(isinstance(path, str) for path in paths):
        raise TypeError(f"{name} is a path, or a sequence of paths, not {value!r}")
    return paths


def split_paths(text: str) -> tuple[str, ...]:
    """Return the paths that a string joins, as in Puppet's setting modulepath."""
    return tuple(part for part in text.split(os.pathsep) if part)


def accepts(row: Option, value: Any) -> bool:
    """Tell whether an option of a plain kind accepts a value."""
    if row.kind == "choice":
        return value in row.choices
    if row.kind == "switch":
        return isinstance(value, bool)
    if row.kind in ("number", "size", "limit"):
        allowed = (int, float) if row.kind == "limit" else (int,)
        if isinstance(value, bool) or not isinstance(value, allowed):
            return False
        is_enough = value > 0 if row.kind == "limit" else value >= 1
        return is_enough and (row.highest is None or value <= row.highest)
    return isinstance(value, str)


def wanted(row: Option) -> str:
    """Return in words which values an option can have."""
    if row.kind == "choice":
        return f"one of {', '.join(row.choices)}"
    if row.kind == "switch":
        return "True or False"
    if row.kind == "number":
        return f"a whole number from 1 to {row.highest}"
    if row.kind == "size":
        return "a whole number, at least 1"
    if row.kind == "limit":
        return f"a number of seconds above 0, up to {row.highest}"
    return "a string"
