"""Describe the directory of an environment without running any of its code."""

from __future__ import annotations

import os
import shlex

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_reading import read_text
from puppet_repl.base.wording import counted, listed
from puppet_repl.environment.modules.environment_conf import (
    NAME,
    default_conf,
    manifest_files,
    read_environment_conf,
)
from puppet_repl.environment.modules.listings import Listings
from puppet_repl.environment.modules.modules import Module, find_modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.base.reach import Reach

# What makes a directory an environment for its users, the most telling first.
PARTS = (NAME, "hiera.yaml", "modules", "manifests", "Puppetfile")
# Directories of modules of one's own; Puppet searches them only where environment.conf says so.
_OWN_MODULES = ("site-modules", "site")
# Further directories of an environment.
_FURTHER_PARTS = (*_OWN_MODULES, "data", "functions", "lib", "types")
# Files that only a module has; manifests and hiera.yaml may also be those of an environment.
_OF_MODULE = ("metadata.json", os.path.join("manifests", "init.pp"))


def install_command(directory: str) -> str:
    """Return the command that installs the modules of the Puppetfile in a directory."""
    try:
        place = os.path.relpath(directory)
    except OSError:  # the working directory was removed
        place = os.pardir
    words = ["puppet-repl", "modules", "install"]
    if place != os.curdir:
        words.append(directory if place.startswith(os.pardir) else place)
    return shlex.join(words)


def parts_of(directory: str, reach: Reach | None = None) -> list[str]:
    """Return the names of what makes a directory an environment; none for any other directory."""
    return [name for name in PARTS if _has(directory, (name,), reach)]


def offer_of(directory: str) -> str | None:
    """Return the sentence that offers the working directory as an environment, if it is one.

    Manifests alone do not make one: any module has them.
    """
    found = parts_of(directory)
    if not any(name in found for name in PARTS[:3]):
        return None
    return f"this directory has {listed(found)}: ':environment .' takes it"


def doubt_of(directory: str, reach: Reach | None = None) -> str | None:
    """Return why a directory is hardly meant as an environment, and which one is; None if it is.

    An empty directory may become one. With a ``reach`` nothing outside of it is looked for.
    """
    try:
        if reach is not None:
            reach.check(directory)
        is_empty = not os.listdir(directory)
    except OSError:
        return None  # whoever reads it says so
    if is_empty or parts_of(directory, reach) or _has(directory, _FURTHER_PARTS, reach):
        return None
    text = f"{directory} is not an environment: it has no manifests, modules, hiera.yaml or {NAME}"
    below = _environments_below(directory, reach)
    return f"{text}; did you mean {' or '.join(below[:3])}?" if below else text


def _environments_below(directory: str, reach: Reach | None) -> list[str]:
    """Return the environments in a directory; only production if it exists."""
    found = []
    for parent in (directory, os.path.join(directory, "environments")):
        try:
            if reach is not None:
                reach.check(parent)
            names = sorted(os.listdir(parent))
        except OSError:
            continue
        paths = [os.path.normpath(os.path.join(parent, name)) for name in names]
        found += [
            path for path in paths if parts_of(path, reach) and not _has(path, _OF_MODULE, reach)
        ]
    production = [path for path in found if os.path.basename(path) == "production"]
    return production[:1] or found


def _has(directory: str, names: Iterable[str], reach: Reach | None = None) -> bool:
    paths = [os.path.join(directory, name) for name in names]
    return any((reach is None or reach.allows(path)) and os.path.exists(path) for path in paths)


class Layout:
    """The present content of an environment; ``directory`` is an absolute path.

    ``modules`` are the modules of its module path by directory, ``names`` the names of all.
    ``problem`` is the error of its environment.conf. With a ``reach`` nothing else is read.
    """

    def __init__(self, directory: str, reach: Reach | None = None) -> None:
        self.directory = directory
        self.reach = reach
        self.problem: PuppetError | None = None
        try:
            self.conf = read_environment_conf(directory, reach=reach)
        except PuppetError as error:
            self.conf, self.problem = default_conf(directory), error
        found = find_modules(self.conf.modulepath, Listings(reach), reach)
        self.modules: dict[str, list[Module]] = {path: [] for path in self.conf.modulepath}
        for module in found.values():
            is_of_path = module.path in self.modules
            self.modules[module.path if is_of_path else os.path.dirname(module.path)].append(module)
        self.names = set(found)

    @property
    def manifests(self) -> list[str]:
        """The paths of the site manifests; none if they cannot be read."""
        try:
            return manifest_files(self.conf.manifest, self.reach)
        except OSError:
            return []

    @property
    def module_text(self) -> str:
        """How many modules there are, and where: ``3 modules: 2 in modules, 1 in site-modules``."""
        total = sum(len(modules) for modules in self.modules.values())
        places = [
            f"{len(modules)} in {self.short_path(path)}"
            for path, modules in self.modules.items()
            if modules
        ]
        return counted(total, "module") + (f": {', '.join(places)}" if len(places) > 1 else "")

    @property
    def modulepath_texts(self) -> list[str]:
        """The directories of the module path, each with the number of its modules."""
        return [
            f"{self.short_path(path)} ({counted(len(modules), 'module')})"
            if os.path.isdir(path)
            else f"{self.short_path(path)} (no such directory)"
            for path, modules in self.modules.items()
        ]

    @property
    def data_text(self) -> str | None:
        """What hiera.yaml says; None without such a file."""
        from puppet_repl.base.yaml_data import YamlError, read_yaml

        try:
            data = read_yaml(read_text(self._readable("hiera.yaml")))
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError, YamlError):
            return "hiera.yaml that cannot be read"
        levels = data.get("hierarchy") if isinstance(data, dict) else None
        if not isinstance(levels, list):
            return "hiera.yaml"
        return f"hiera.yaml with {counted(len(levels), 'level')}"

    @property
    def texts(self) -> list[str]:
        """What the environment has, a phrase each."""
        manifests = self.manifests
        return [
            self.module_text,
            self.data_text or "no hiera.yaml",
            counted(len(manifests), "manifest") if manifests else "no manifests",
        ]

    @property
    def hints(self) -> list[str]:
        """Sentences about parts of the directory that are not used."""
        doubt = doubt_of(self.directory, self.reach)
        hints = [] if doubt is None else [doubt]
        for name in _OWN_MODULES:
            path = os.path.join(self.directory, name)
            is_used = path in self.modules
            if not is_used and find_modules((path,), Listings(self.reach), self.reach):
                wanted = f"modulepath = {name}:modules:$basemodulepath"
                hints.append(f"{name} is not on the module path; {NAME} has to say: {wanted}")
        return hints + self._puppetfile_hints()

    def _puppetfile_hints(self) -> list[str]:
        from puppet_repl.environment.modules.puppetfile import MODULEDIR, read_puppetfile
        from puppet_repl.environment.reference.ruby.tokens import RubyError

        try:
            content = read_puppetfile(read_text(self._readable("Puppetfile"), errors="replace"))
        except (OSError, RubyError):
            return []
        installed = [entry for entry in content.modules if entry.kind != "local"]
        wanted = sorted({entry.short_name for entry in installed if entry.short_name is not None})
        place = MODULEDIR if content.moduledir is None else content.moduledir.string
        if wanted and place is not None:
            where = os.path.normpath(os.path.join(self.directory, place))
            if where not in self.modules:
                return [f"Puppetfile installs modules in {place}, which is not on the module path"]
        missing = [name for name in wanted if name not in self.names]
        if not missing:
            return []
        named = ", ".join(missing[:4]) + (", ..." if len(missing) > 4 else "")
        return [
            f"Puppetfile names {counted(len(missing), 'module')} that "
            f"{'is' if len(missing) == 1 else 'are'} not there ({named}); "
            f"'{install_command(self.directory)}' installs them"
        ]

    def _readable(self, name: str) -> str:
        """Return the path of a file of the environment; raise OSError if it may not be read."""
        path = os.path.join(self.directory, name)
        if self.reach is not None:
            self.reach.check(path)
        return path

    def short_path(self, path: str) -> str:
        """Return a path relative to the environment, where it is inside of it."""
        inner = os.path.relpath(path, self.directory)
        return path if inner.startswith(os.pardir) else inner
