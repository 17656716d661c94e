""".fixtures.yml: the modules that tests need, as puppetlabs_spec_helper reads the file."""

from __future__ import annotations

import os
import posixpath

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.file_reading import read_text
from puppet_repl.base.profiles import DEFAULT_LANGUAGE, PROFILES
from puppet_repl.base.wording import why_unusable
from puppet_repl.base.yaml_data import YamlError, read_yaml
from puppet_repl.language.values.semver_range import SemVerRange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.environment.modules.modules import Module

FILES = (".fixtures.yml", ".fixtures.yaml")
CATEGORIES = ("symlinks", "repositories", "forge_modules")
OPTIONS = frozenset(
    ("branch", "flags", "puppet_version", "ref", "repo", "scm", "subdir", "tag", "target")
)
PROGRAMS = ("git", "hg")
TARGET = "spec/fixtures/modules"
_SOURCE_DIRECTORY = "#{source_dir}"


class FixturesError(Exception):
    """A .fixtures.yml cannot be read, or asks for what nobody can do; the message says what."""


class Fixture:
    """One module of the file, with its options."""

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        self.name = name
        self.options = options

    def text(self, option: str) -> str | None:
        """Return the value of an option that is a text."""
        value = self.options.get(option)
        return value if isinstance(value, str) else None

    @property
    def ref_option(self) -> str:
        """The option that names the revision: ``tag`` if ``ref`` is missing."""
        return "tag" if self.options.get("ref") in (None, False) else "ref"

    @property
    def ref(self) -> str:
        """The revision that ``ref`` or ``tag`` names, '' for none."""
        value = self.options.get(self.ref_option)
        return "" if value in (None, False) else str(value)

    def ref_problem(self) -> str | None:
        """Return why the revision is refused."""
        if self.options.get("scm") != "git" or "/" not in (self.text(self.ref_option) or ""):
            return None
        target = f"{self.text('target') or TARGET}/{self.name}"
        return (
            f"The ref for {target} is invalid (Contains a forward slash). If this is a branch name,"
            " please use the 'branch' setting instead."
        )

    def version_problem(self) -> str | None:
        """Return why no version of Puppet can be compared with ``puppet_version``."""
        try:
            self._versions()
        except RuntimeFailure as error:
            return error.message
        return None

    @property
    def is_for_this_puppet(self) -> bool:
        """Whether ``puppet_version`` is a range with the version of Puppet that runs here."""
        versions = self._versions()
        return versions is None or versions.includes_text(PROFILES[DEFAULT_LANGUAGE].version)

    def _versions(self) -> SemVerRange | None:
        text = self.text("puppet_version")
        return None if text is None else SemVerRange.parse(text)

    def source(self, directory: str) -> str | None:
        """Return the URL or path in ``repo``, for the module in a directory."""
        repo = self.text("repo")
        return None if repo is None else repo.replace(_SOURCE_DIRECTORY, directory)

    def not_followed(self) -> list[str]:
        """Return the options that a clone with git cannot follow, as the file writes them."""
        options = self.options
        found = [f"{name}: {options[name]}" for name in ("subdir", "flags") if options.get(name)]
        if options.get("scm") not in (None, False, "git"):
            found.append(f"scm: {options['scm']}")
        target = str(options.get("target") or TARGET)
        if posixpath.normpath(target.removeprefix(f"{_SOURCE_DIRECTORY}/")) != TARGET:
            found.append(f"target: {target}")
        return found


def fixtures_of(module: Module, category: str) -> list[Fixture]:
    """Return the fixtures of a category in the file of a module that this Puppet needs.

    Each has the options in ``defaults``, too. Raises FixturesError.
    """
    file = next((name for name in FILES if os.path.exists(module.file(name))), None)
    if file is None:
        return []
    try:
        data = read_yaml(read_text(module.file(file)))
    except YamlError as error:
        raise FixturesError(f"{file}: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise FixturesError(f"{file}: {why_unusable(error)}") from None
    defaults = _mapping(file, _mapping(file, data, "defaults"), category)
    made = []
    for name, given in _mapping(file, _mapping(file, data, "fixtures"), category).items():
        row = {"repo": given} if isinstance(given, str) else given
        if not isinstance(row, dict):
            continue  # as puppetlabs_spec_helper does
        fixture = Fixture(str(name), {**defaults, **row})
        problem = fixture.version_problem() or fixture.ref_problem()
        if problem is not None:
            raise FixturesError(f"{file}: {name}: {problem}")
        if fixture.is_for_this_puppet:
            made.append(fixture)
    return made


def _mapping(file: str, data: Any, name: str) -> dict[Any, Any]:
    """Return the mapping of a name, empty if the name is missing."""
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise FixturesError(f"{file}: a mapping with '{name}' is needed, not {data!r}")
    found = data.get(name)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise FixturesError(f"{file}: '{name}' must be a mapping")
    return found
