"""The control repositories that are compiled: their nodes, facts and settings, as requests."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.corpus.control_repos import facts, names

Request = dict[str, Any]


class Repository(NamedTuple):
    """How the nodes of a repository are found and described; settings are those of its servers."""

    names: Callable[[Path], list[str]]
    facts: Callable[[str, Path], facts.Facts]
    strict: str
    strict_variables: bool


REPOSITORIES = {
    "ocf": Repository(names.ocf, facts.ocf, "warning", strict_variables=False),
    "wikimedia": Repository(names.wikimedia, facts.wikimedia, "error", strict_variables=True),
}


def request_for(identifier: str, directory: Path) -> Request:
    """Return the request for a node, ``REPOSITORY/NODE``, of the environments in a directory."""
    name, _, node = identifier.partition("/")
    repository = REPOSITORIES[name]
    environment = directory.resolve() / name
    return {
        "id": identifier,
        "mode": "catalog",
        "environment": os.fspath(environment),
        "node": node,
        "facts": repository.facts(node, environment),
        "strict": repository.strict,
        "strict_variables": repository.strict_variables,
    }


def identifiers(directory: Path) -> list[str]:
    """Return the nodes of all environments in a directory."""
    return [
        f"{name}/{node}"
        for name, repository in REPOSITORIES.items()
        for node in repository.names(directory / name)
    ]
