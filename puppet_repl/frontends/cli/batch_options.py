"""The keys of a request of the machine interface; most describe its session.

Those are the options of the command line. Arrays stand for options that may be repeated, objects
for NAME=VALUE.
"""

from __future__ import annotations

import os

from puppet_repl.base.matching import nearest
from puppet_repl.base.profiles import DEFAULT_LANGUAGE
from puppet_repl.environment.facts.facts import layered_facts
from puppet_repl.environment.modules.environment_conf import is_mere_name
from puppet_repl.environment.modules.layout import doubt_of
from puppet_repl.host.session_options import problem_with_file
from puppet_repl.language.runtime.options import RUBY_SECONDS, Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.environment.facts.local_facts import Facts

    Request = dict[str, Any]

_STRINGS = ("node", "environment", "hiera_config", "ruby")
_ARRAYS = ("modulepath", "stubs")
KEYS = (
    *("code", "document", "id", "max_seconds", "mode", "params", "redacted", "session"),
    *("environment", "facts", "hermetic", "hiera_config", "language", "modulepath", "node"),
    *("ruby", "ruby_seconds"),
    *("stdlib", "storeconfigs", "strict", "strict_variables", "stubs", "trusted"),
    *("unknown_functions", "unknown_types"),
)
# Options of a session that requests do not have, and what holds for them instead.
REFUSED = {
    "allow_generate": "batch runs no programs",
    "bind_once": "without 'session' a request binds each name once",
    "cache": "it is that of the process: puppet-repl batch --no-cache",
    "fact": "did you mean 'facts'?",
    "max_memory": "the limit is that of the process: puppet-repl batch --max-memory",
    "puppetdb": "exported resources are kept by 'session', with 'storeconfigs'",
    "references": "what a request refers to has to be declared at its end",
}
# The keys of responses: a request may carry the answer that is expected.
ANSWERS = ("document", "edges", "error", "id", "logs", "pn", "resources", "str", "type", "value")
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
    """Return what is wrong with the keys that describe a session, or None."""
    for field in _STRINGS:
        if not isinstance(request.get(field), str | None):
            return f"'{field}' has to be a string"
    for field in _ARRAYS:
        given = [] if request.get(field) is None else request[field]
        if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
            return f"'{field}' has to be an array of strings"
    if not isinstance(request.get("trusted"), dict | None):
        return "'trusted' has to be an object"
    facts = {} if request.get("facts") is None else request["facts"]
    if not isinstance(facts, dict) and not all(isinstance(each, str) for each in _names(facts)):
        return "'facts' has to be an object, the name of a set, a file, or an array of these names"
    return _path_problem(request)


def _path_problem(request: Request) -> str | None:
    environment = request.get("environment") or ""
    if os.path.isdir(environment):
        doubt = doubt_of(environment)
        if doubt is not None:
            return f"'environment': {doubt}"
    elif not is_mere_name(environment):
        return f"'environment': {environment} is not a directory"
    elif environment and request.get("mode") == "catalog" and not request.get("code"):
        return f"'environment': {environment} is not a directory, and there is no 'code'"
    files = [("stubs", path) for path in request.get("stubs") or ()]
    if request.get("hiera_config"):
        files.append(("hiera_config", request["hiera_config"]))
    for field, path in files:
        problem = problem_with_file(path)
        if problem is not None:
            return f"'{field}': {problem}"
    return None


def is_compiled_by_server(request: Request) -> bool:
    """Tell whether a checked request is for the catalog of a node, from nothing but its manifests.

    The mere name of an environment has none.
    """
    if request.get("mode") != "catalog":
        return False
    return bool(request.get("node")) or os.path.isdir(request.get("environment") or "")


def options_of(request: Request) -> Options:
    """Return the options of a session that a checked request describes."""
    seconds = request.get("ruby_seconds")
    options = Options(
        language=request.get("language") or DEFAULT_LANGUAGE,
        environment=request.get("environment"),
        node=request.get("node"),
        trusted=request.get("trusted"),
        hermetic=bool(request.get("hermetic")),
        hiera_config=request.get("hiera_config"),
        stubs=tuple(request.get("stubs") or ()),
        strict=request.get("strict") or "error",
        strict_variables=request.get("strict_variables") is not False,
        stdlib=request.get("stdlib") or "off",
        storeconfigs=bool(request.get("storeconfigs")),
        ruby=request.get("ruby") or "auto",
        ruby_seconds=RUBY_SECONDS if seconds is None else seconds,
        unknown_functions=request.get("unknown_functions") or "error",
        unknown_types=request.get("unknown_types") or "error",
    )
    options.modulepath = tuple(request.get("modulepath") or ())  # one may be missing, as in Puppet
    return options


def facts_of(request: Request) -> Facts | None:
    """Return the facts of a checked request; None if it has none. Raises FactsError."""
    given = request.get("facts")
    if not given or isinstance(given, dict):
        return given or None
    return layered_facts(_names(given))


def _names(given: object) -> list[Any]:
    return given if isinstance(given, list) else [given]
