"""Compare the modules that are there with what a Puppetfile and other modules ask for."""

from __future__ import annotations

import os
from typing import NamedTuple

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.environment.installation.forge import Forge
from puppet_repl.environment.installation.record import directory_text, read_records
from puppet_repl.environment.modules.modules import read_metadata, short_name
from puppet_repl.language.values.semver import SemVer
from puppet_repl.language.values.semver_range import SemVerRange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from puppet_repl.environment.installation.downloads import Downloads
    from puppet_repl.environment.installation.wanted import Wanted
    from puppet_repl.environment.modules.modules import Module

# The agent's package has these modules.
_OF_AGENT = frozenset(
    f"puppetlabs-{name}"
    for name in (
        *("augeas_core", "cron_core", "host_core", "mount_core", "scheduled_task"),
        *("selinux_core", "sshkeys_core", "yumrepo_core", "zfs_core", "zone_core"),
    )
)


class Dependency(NamedTuple):
    """A module that another one needs; ``installed`` is the present version, None without one."""

    name: str
    asked: str
    installed: str | None


class Row(NamedTuple):
    """A module of the Puppetfile.

    ``installed`` is its version: None for a missing module, '' for one without a version.
    ``commit`` is that of a module from git, or ''. ``hidden_by`` is the directory that Puppet uses
    instead, or ''. ``unmet`` are the dependencies that are missing or have another version.
    """

    name: str
    kind: str
    wanted: str
    commit: str
    installed: str | None
    directory: str
    hidden_by: str
    unmet: tuple[Dependency, ...]

    @property
    def is_good(self) -> bool:
        """Whether the module is there as asked for, and all that it needs."""
        is_version = self.kind != "forge" or self.wanted in ("", "latest", self.installed)
        is_there = self.installed is not None and not self.hidden_by
        return is_there and is_version and not self.unmet


class Newer(NamedTuple):
    """A module with a newer release; ``allowed`` is the newest that the other modules allow."""

    name: str
    installed: str
    allowed: str
    newest: str


def rows_of(base: str, wanted: Iterable[Wanted], modules: Mapping[str, Module]) -> Iterator[Row]:
    """Return a row for each module of a Puppetfile; ``modules`` are all on the module path."""
    records = read_records(base)
    for each in wanted:
        module = _installed(each, modules)
        record = records.get(each.name)
        version: str | None = None
        hidden_by = ""
        if module is not None:
            version = module.version or ""
        elif os.path.isdir(each.place):
            found = read_metadata(each.place).get("version")
            version = found if isinstance(found, str) else ""
            other = modules.get(each.name)
            hidden_by = "" if other is None else os.path.relpath(other.path, base)
        is_of_git = record is not None and version is not None and each.kind == "git"
        commit = record.version if record is not None and is_of_git else ""
        unmet = () if module is None else tuple(unmet_by(module, modules))
        yield Row(
            *(each.title, each.kind, each.version, commit, version),
            *(directory_text(each, base), hidden_by, unmet),
        )


def _installed(wanted: Wanted, modules: Mapping[str, Module]) -> Module | None:
    module = modules.get(wanted.name)
    if module is None or os.path.realpath(module.path) != os.path.realpath(wanted.place):
        return None
    return module


def unmet_by(module: Module, modules: Mapping[str, Module]) -> Iterator[Dependency]:
    """Return the dependencies in the metadata of a module that the other modules do not meet."""
    for name, asked in _dependencies(module):
        there = modules.get(short_name(name))
        if there is None and name in _OF_AGENT:
            continue
        if there is None:
            yield Dependency(name, asked, None)
        elif asked and there.version and not _admits(asked, there.version):
            yield Dependency(name, asked, there.version)


def _dependencies(module: Module) -> Iterator[tuple[str, str]]:
    rows = module.metadata.get("dependencies")
    for row in rows if isinstance(rows, list) else ():
        name = row.get("name") if isinstance(row, dict) else None
        if isinstance(name, str):
            asked = row.get("version_requirement")
            yield name.replace("/", "-"), asked if isinstance(asked, str) else ""


def _admits(asked: str, version: str) -> bool:
    """Tell whether a range has a version; a range that cannot be read refuses none."""
    try:
        return SemVerRange.parse(asked).includes_text(version)
    except RuntimeFailure:
        return True


def newer_than(wanted: Wanted, modules: Mapping[str, Module], downloads: Downloads) -> Newer | None:
    """Return the newer release of a module of the Forge, None without one; raise ModuleError."""
    module = _installed(wanted, modules)
    version = module.version if module is not None else wanted.version
    own = _parsed(version or "")
    if own is None:
        return None
    found = [_parsed(text) for text in Forge(wanted.source, downloads).versions(wanted.title)]
    stable = [each for each in found if each is not None and each.is_stable]
    newer = [each for each in stable if each.order(own) > 0]
    if not newer:
        return None
    asked = [
        text
        for other in modules.values()
        for name, text in _dependencies(other)
        if text and short_name(name) == wanted.name
    ]
    allowed = [each for each in newer if all(_admits(text, each.puppet_text()) for text in asked)]
    newest = _newest(allowed)
    return Newer(
        wanted.title,
        version or "",
        own.puppet_text() if newest is None else newest.puppet_text(),
        _text(_newest(newer)),
    )


def _newest(versions: list[SemVer]) -> SemVer | None:
    best: SemVer | None = None
    for each in versions:
        if best is None or each.order(best) > 0:
            best = each
    return best


def _text(version: SemVer | None) -> str:
    return "" if version is None else version.puppet_text()


def _parsed(text: str) -> SemVer | None:
    try:
        return SemVer.parse(text)
    except RuntimeFailure:
        return None
