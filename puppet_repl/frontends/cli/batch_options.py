"""The keys of a request of the machine interface; most describe its session.

Those are the options of the command line. Arrays stand for options that may be repeated, objects
for NAME=VALUE.
"""

from __future__ import annotations

import os

from puppet_repl.base.deadline import limit_problem
from puppet_repl.base.matching import nearest
from puppet_repl.environment.facts.facts import layered_facts
from puppet_repl.environment.modules.environment_conf import is_mere_name
from puppet_repl.environment.modules.layout import doubt_of
from puppet_repl.host.session_setup import make_options, problem_of
from puppet_repl.language.runtime.option_values import accepts, wanted
from puppet_repl.language.runtime.options import OPTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from puppet_repl.environment.facts.local_facts import Facts
    from puppet_repl.language.runtime.option_table import Kind, Option
    from puppet_repl.language.runtime.options import Options

    Request = dict[str, Any]

_OPTIONS = {name: row for name, row in OPTIONS.items() if not row.no_key}
KEYS = (
    *("code", "document", "facts", "id", "mode", "params", "redacted", "session"),
    *_OPTIONS,
)
# Options that requests do not have, and what holds for them instead.
REFUSED = {
    **{name: row.no_key for name, row in OPTIONS.items() if row.no_key},
    "fact": "did you mean 'facts'?",
    "profile": "profiles are in files, and a request has its own options",
    "setting": "did you mean 'puppet_settings'?",
    "settings": "did you mean 'puppet_settings'?",
}
# Values of JSON in words, where they are others than those of Python, and their types.
_IN_JSON: dict[Kind, str] = {
    "extensions": "an object",
    "paths": "an array of strings",
    "search_path": "an array of strings",
    "settings": "an object",
    "switch": "true or false",
}
_JSON_TYPES: dict[Kind, str] = {
    "extensions": "object",
    "limit": "number",
    "number": "integer",
    "paths": "array",
    "search_path": "array",
    "settings": "object",
    "switch": "boolean",
}
# The keys of responses: a request may carry the answer that is expected.
ANSWERS = (
    "document",
    "edges",
    "error",
    "id",
    "logs",
    "new_session",
    "notes",
    "pn",
    "resources",
    "str",
    "type",
    "value",
)
_MISSPELT = 0.8


def key_problem(request: Request) -> str | None:
    """Return which key of a request is an option that it cannot have, or misspelt; or None."""
    for key in further_keys(request):
        name = key.lower().replace("-", "_")
        if name in REFUSED:
            return f"unknown key '{key}': {REFUSED[name]}"
        near = nearest(name, (*KEYS, *REFUSED), likeness=_MISSPELT)
        if near is not None:
            return f"unknown key '{key}', did you mean '{near}'?"
    return None


def further_keys(request: Request) -> list[str]:
    """Return the keys of a request that are neither of requests nor of responses."""
    return [key for key in request if key not in KEYS and key not in ANSWERS]


def session_problem(request: Request) -> str | None:
    """Return the problem of the keys that describe a session, or None."""
    for name, row in _OPTIONS.items():
        given = request.get(name)
        if given is not None and not _is_json_of(row, given):
            return f"'{name}' has to be {_IN_JSON.get(row.kind) or wanted(row)}"
        problem = limit_problem() if row.kind == "limit" and given is not None else None
        if row.kind == "settings" and given:
            problem = _setting_problem(row, given)
        if problem is not None:
            return f"'{name}': {problem}"
    facts = {} if request.get("facts") is None else request["facts"]
    if not isinstance(facts, dict) and not all(isinstance(each, str) for each in _names(facts)):
        return "'facts' has to be an object, the name of a set, a file, or an array of these names"
    return _path_problem(request)


def _setting_problem(row: Option, given: dict[str, Any]) -> str | None:
    try:
        row.taken(given)
    except ValueError as error:
        return str(error)
    return None


def _is_json_of(row: Option, value: object) -> bool:
    """Tell whether an option can have a value of JSON."""
    if row.kind in ("paths", "search_path"):
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    if row.kind in ("extensions", "settings"):
        return isinstance(value, dict)
    return accepts(row, value)


def schemas_of_options() -> Mapping[str, dict[str, Any]]:
    """Return the schema of the value of each key that is an option, by name."""
    return {name: _schema(row) for name, row in _OPTIONS.items()}


def _schema(row: Option) -> dict[str, Any]:
    found: dict[str, Any] = {"description": f"{row.key_help[0].upper()}{row.key_help[1:]}."}
    if row.kind == "choice":
        found["enum"] = [*row.choices, None]
    else:
        found["type"] = [_JSON_TYPES.get(row.kind, "string"), "null"]
    if row.kind in ("paths", "search_path"):
        found["items"] = {"type": "string"}
    elif row.kind == "limit":
        found |= {"exclusiveMinimum": 0, "maximum": row.highest}
    elif row.kind == "number":
        found |= {"minimum": 1, "maximum": row.highest}
    if row.default_of_key not in (None, (), {}):
        found["default"] = row.default_of_key
    return found


def _path_problem(request: Request) -> str | None:
    environment = request.get("environment") or ""
    is_directory = os.path.isdir(environment)
    doubt = doubt_of(environment) if is_directory else None
    if doubt is not None:
        return f"'environment': {doubt}"
    values = {key: value for key, value in request.items() if value != ""}
    if not is_directory and is_mere_name(environment):
        if environment and request.get("mode") == "catalog" and not request.get("code"):
            return f"'environment': {environment} is not a directory, and there is no 'code'"
        values.pop("environment", None)
    problem = problem_of(values)
    return None if problem is None else f"'{problem[0]}': {problem[1]}"


def is_compiled_by_server(request: Request) -> bool:
    """Tell whether a checked request is for the catalog of a node, from nothing but its manifests.

    The mere name of an environment has none.
    """
    if request.get("mode") != "catalog":
        return False
    return bool(request.get("node")) or os.path.isdir(request.get("environment") or "")


def is_input(request: Request) -> bool:
    """Tell whether a checked request is an input of its session, which has a number."""
    mode = request.get("mode") or "eval"
    is_site = is_compiled_by_server(request) or not request.get("code")
    return mode == "eval" or (mode == "catalog" and not is_site)


def options_of(request: Request) -> Options:
    """Return the options of a session that a checked request describes."""
    given = {name: request.get(name) for name in _OPTIONS}
    return make_options(
        {
            name: _OPTIONS[name].default_of_key if value in (None, "") else value
            for name, value in given.items()
        }
    ).spell("key")


def facts_of(request: Request) -> Facts | None:
    """Return the facts of a checked request; None if it has none. Raises FactsError."""
    given = request.get("facts")
    return layered_facts(_names(given)) if given else None


def _names(given: object) -> list[Any]:
    return given if isinstance(given, list) else [given]
