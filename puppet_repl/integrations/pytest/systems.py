"""The operating systems that a module supports, with facts for each.

Facts are those of a file that the user has, of a bundled set, or of a bundled set of the same
family in which the name and the release of the system are changed: its other facts are
those of the fact set.
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
    bundled_facts,
    file_facts,
    overlaid,
)
from puppet_repl.environment.facts.factset_words import BUNDLED
from puppet_repl.environment.facts.sample_facts import SampleFacts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from puppet_repl.environment.modules.modules import Module

# Where Facter's own facts say a system is one of these, they are as on the one of the set.
_SETS = {
    "AlmaLinux": "rocky-9",
    "CentOS": "rocky-9",
    "Debian": "debian-12",
    "Fedora": "fedora",
    "OracleLinux": "rocky-9",
    "RedHat": "rocky-9",
    "Rocky": "rocky-9",
    "Ubuntu": "ubuntu-24.04",
    "windows": "windows-2022",
}
_BY_WORD = {name.lower(): name for name in _SETS}
_CODENAMES = {
    ("Debian", "10"): "buster",
    ("Debian", "11"): "bullseye",
    ("Debian", "12"): "bookworm",
    ("Debian", "13"): "trixie",
    ("Ubuntu", "18.04"): "bionic",
    ("Ubuntu", "20.04"): "focal",
    ("Ubuntu", "22.04"): "jammy",
    ("Ubuntu", "24.04"): "noble",
}
# The minor releases of those whose sets are of another one; '' for CentOS Stream, which has none.
_MINOR = {
    ("CentOS", "9"): "",
    ("CentOS", "10"): "",
    ("CentOS", "7"): "9",
    ("CentOS", "8"): "5",
    ("Debian", "10"): "13",
    ("Debian", "11"): "11",
    **{(name, "7"): "9" for name in ("OracleLinux", "RedHat")},
    **{(name, "8"): "10" for name in ("AlmaLinux", "OracleLinux", "RedHat", "Rocky")},
}
_ENDINGS = (*ENDINGS, ".facts")


class NoFactsWarning(UserWarning):
    """Tests are skipped on supported systems for lack of facts."""


class System:
    """An operating system: ``name`` is that of its facts (``debian-12``).

    ``problem`` says why there are no facts of it, '' where there are; ``origin`` is the bundled set
    or the file that they are of.
    """

    def __init__(self, os_name: str, release: str = "", directories: Sequence[str] = ()) -> None:
        self.os_name = os_name
        self.release = release
        words = [word for word in (os_name, release) if word]
        self.name = "-".join(words).lower().replace(" ", "-")
        self.origin = _file_of(self.name, directories) or _SETS.get(os_name, "")
        self._facts: Mapping[str, Any] | None = None

    @property
    def problem(self) -> str:
        """Why there are no facts, ''  where there are."""
        if self.origin:
            return ""
        return f"there are no facts of {self.name}: name files of facts with puppet_facts_path"

    @property
    def is_adapted(self) -> bool:
        """Whether the facts are those of another system, changed."""
        return self.origin in BUNDLED and self.name != self.origin and bool(self.release)

    @property
    def facts(self) -> Mapping[str, Any]:
        """The facts; raises FactsError where there are none."""
        if self._facts is None:
            if not self.origin:
                raise FactsError(self.problem)
            if self.origin not in BUNDLED:
                self._facts = file_facts(self.origin)
            elif self.is_adapted:
                self._facts = _adapted(bundled_facts(self.origin), self.os_name, self.release)
            else:
                self._facts = bundled_facts(self.origin)
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
    system = System(_BY_WORD.get(word.lower(), word), release, directories)
    if name in BUNDLED and not system.origin:
        system.origin = name  # a set that is not named after a system in metadata
    is_invented = system.is_adapted and not release[0].isdecimal()
    if system.problem or is_invented:
        hint = did_you_mean(name, BUNDLED)
        told = f"; {hint}" if hint else ""
        raise FactsError(f"there are no facts of '{name}'; the sets are {', '.join(BUNDLED)}{told}")
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
        name = _BY_WORD.get(name.lower(), name)
        releases = each.get("operatingsystemrelease")
        if not isinstance(releases, list) or not releases:
            releases = [""]
        for release in releases:
            yield name, str(release)


def facts_of_layers(given: Any, directories: Sequence[str] = ()) -> Mapping[str, Any]:
    """Return the facts that a test names.

    They are those of a system, its name, a file or a mapping, or of several of these in a list, of
    which the last one takes precedence. Raises FactsError.
    """
    if isinstance(given, System):
        return given.facts
    if isinstance(given, Mapping):
        return given
    if isinstance(given, (list, tuple)):
        found: Mapping[str, Any] | None = None
        for layer in given:
            found = overlaid(found, _as_dict(facts_of_layers(layer, directories)))
        return {} if found is None else found
    text = os.fspath(given)
    if text.endswith(_ENDINGS) or os.sep in text:
        return file_facts(text)
    return system_named(text, directories).facts


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


def _adapted(facts: Mapping[str, Any], name: str, release: str) -> SampleFacts:
    """Return the facts of a system of the same family, with another name or release."""
    system = dict(facts["os"])
    old = system["name"], str(system["release"]["major"])
    numbers = _numbers(system, name, release)
    system.update(name=name, release=numbers)
    if "distro" in system:
        code = _CODENAMES.get((name, release))
        system["distro"] = {
            "id": name,
            "release": numbers,
            "description": f"{name} {numbers['full']}",
            **({} if code is None else {"codename": code}),
        }
    if "windows" in system:
        product = str(system["windows"]["product_name"]).replace(old[1], release)
        system["windows"] = {**system["windows"], "product_name": product}
    return SampleFacts({**facts, "os": system}, getattr(facts, "chosen", ()))


def _numbers(system: dict[str, Any], name: str, release: str) -> dict[str, str]:
    """Return the numbers of a release; one that metadata shorten has a minor release, too."""
    minor = system["release"].get("minor")
    if minor is None or "." in release:
        return {"full": release, "major": release}
    if release != system["release"]["major"] or (name, release) in _MINOR:
        minor = _MINOR.get((name, release), "0")
    if not minor:
        return {"full": release, "major": release}
    return {"full": f"{release}.{minor}", "major": release, "minor": minor}
