"""The operating systems that a module supports, with facts for each.

Facts are those of a file that the user has, of the fact set of the system, or of the nearest set.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Mapping
from typing import Any

from puppet_repl.base.matching import did_you_mean
from puppet_repl.environment.facts.facts import (
    ENDINGS,
    FactsError,
    factset_names,
    file_facts,
    overlaid,
)
from puppet_repl.environment.facts.factset_words import told_sets
from puppet_repl.environment.facts.nearest_facts import (
    is_of,
    name_of,
    nearest_facts,
    nearest_set,
    release_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from puppet_repl.environment.modules.modules import Module

_ENDINGS = (*ENDINGS, ".facts")


class NoFactsWarning(UserWarning):
    """Tests are skipped on supported systems for lack of facts."""


class System:
    """An operating system: ``name`` is that of its facts (``debian-12``).

    ``problem`` says why there are no facts of it, '' where there are; ``origin`` is the file, or
    the fact set, that they are of.
    """

    def __init__(self, word: str, release: str = "", directories: Sequence[str] = ()) -> None:
        self.os_name = name_of(word)
        self.release = release_of(word, release)
        words = [word for word in (self.os_name, self.release) if word]
        self.name = "-".join(words).lower().replace(" ", "-")
        file = _file_of(self.name, directories)
        self.origin = file or nearest_set(self.os_name, self.release)
        self._is_of_file = bool(file)
        self._facts: Mapping[str, Any] | None = None

    @property
    def problem(self) -> str:
        """Why there are no facts, ''  where there are."""
        if self.origin:
            return ""
        return f"there are no facts of {self.name}: name files of facts with puppet_facts_path"

    @property
    def adapted_from(self) -> str:
        """The fact set of another system or release that the facts are made from, or ''."""
        if self._is_of_file or not self.origin or is_of(self.origin, self.os_name, self.release):
            return ""
        return self.origin

    @property
    def facts(self) -> Mapping[str, Any]:
        """The facts; raises FactsError where there are none."""
        if self._facts is None:
            if not self.origin:
                raise FactsError(self.problem)
            if self._is_of_file:
                self._facts = file_facts(self.origin)
            else:
                self._facts = nearest_facts(self.os_name, self.release)
        return self._facts

    @property
    def family(self) -> str:
        """The family: ``Debian``, ``RedHat``, ``windows``."""
        return str(self.facts["os"]["family"])

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<System {self.name}>"


def system_named(name: str, directories: Sequence[str] = ()) -> System:
    """Return the system of a name such as ``almalinux-9``; raise FactsError without facts."""
    word, _, release = name.partition("-")
    system = System(word, release, directories)
    is_invented = system.adapted_from and release and not release[0].isdecimal()
    if system.problem or is_invented:
        hint = did_you_mean(name, factset_names())
        told = f"; {hint}" if hint else ""
        raise FactsError(f"there are no facts of '{name}'; the sets are {told_sets()}{told}")
    return system


def supported_systems(module: Module, directories: Sequence[str] = ()) -> list[System]:
    """Return the systems that the metadata of a module say it supports, in their order."""
    return [System(name, release, directories) for name, release in _supported(module.metadata)]


def _supported(metadata: dict[str, Any]) -> Iterator[tuple[str, str]]:
    systems = metadata.get("operatingsystem_support")
    for each in systems if isinstance(systems, list) else ():
        name = each.get("operatingsystem") if isinstance(each, dict) else None
        if not isinstance(name, str):
            continue
        releases = each.get("operatingsystemrelease")
        if not isinstance(releases, list) or not releases:
            releases = [""]
        for release in releases:
            yield name, str(release)


def facts_of_layers(
    given: Any, directories: Sequence[str] = (), adapted: dict[str, str] | None = None
) -> Mapping[str, Any]:
    """Return the facts that a test names.

    A test gives a system, its name, a file or a mapping, or a list of these, whose last one takes
    precedence. Systems whose facts are made from those of another one are
    added to ``adapted``, with the set. Raises FactsError.
    """
    if isinstance(given, System):
        if adapted is not None and given.adapted_from:
            adapted[given.name] = given.adapted_from
        return given.facts
    if isinstance(given, Mapping):
        return given
    if isinstance(given, (list, tuple)):
        found: Mapping[str, Any] | None = None
        for layer in given:
            found = overlaid(found, _as_dict(facts_of_layers(layer, directories, adapted)))
        return {} if found is None else found
    text = os.fspath(given)
    if text.endswith(_ENDINGS) or os.sep in text:
        return file_facts(text)
    return facts_of_layers(system_named(text, directories), directories, adapted)


def _as_dict(facts: Mapping[str, Any]) -> dict[str, Any]:
    return facts if isinstance(facts, dict) else dict(facts)


def _file_of(name: str, directories: Sequence[str]) -> str:
    """Return the file with the facts of a system, as facterdb and others name them, or ''."""
    for directory in directories:
        found = [
            path
            for mark in (".", "-")
            for path in glob.glob(
                os.path.join(glob.escape(directory), glob.escape(name) + mark + "*")
            )
            if path.endswith(_ENDINGS)
        ]
        if found:
            return max(found, key=_version_in)
    return ""


def _version_in(path: str) -> list[int]:
    """Return the numbers in the name of a file: 4.10 is newer than 4.9."""
    return [int(number) for number in re.findall(r"\d+", os.path.basename(path))]
