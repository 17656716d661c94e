"""The module or environment that a file belongs to."""

from __future__ import annotations

import os

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.yaml_data import YamlError, read_yaml
from puppet_repl.environment.modules.environment_conf import default_conf, read_environment_conf
from puppet_repl.environment.modules.modules import METADATA, is_module_name, named_by_metadata
from puppet_repl.environment.modules.tested_module import FIXTURE_MODULES
from puppet_repl.tools.validation.hiera_layout import Layout
from puppet_repl.tools.validation.module_index import read_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from puppet_repl.base.reach import Reach

BOLT_PROJECT = "bolt-project.yaml"
MODULE_DIRECTORIES = ("modules", "site-modules", "site")
"""What the directories of modules are called in a control repository."""
_SITE_MANIFEST = os.path.join("manifests", "site.pp")
_INIT = os.path.join("manifests", "init.pp")


class Root:
    """A module or an environment.

    ``directory`` is a path as the user has begun it. ``name`` is that of the module, "" for an
    environment and for a directory whose name no module can have; it ``is_sure`` if more than the
    directory of a checkout has it. ``environment`` has the module on its module path; None for a
    module of no environment. ``project`` is the module that an environment itself is: a project of
    Bolt.
    """

    __slots__ = (
        "_data",
        "_modulepath",
        "directory",
        "environment",
        "is_sure",
        "kind",
        "name",
        "project",
        "reach",
    )

    def __init__(
        self,
        kind: Literal["module", "environment"],
        directory: str,
        name: str = "",
        environment: Root | None = None,
        *,
        is_sure: bool = True,
    ) -> None:
        self.kind = kind
        self.directory = directory
        self.name = name
        self.environment = environment
        self.is_sure = is_sure
        self.project: Root | None = None
        self.reach: Reach | None = None
        self._modulepath: tuple[str, ...] | None = None
        self._data: Layout | None = None

    @property
    def holder(self) -> Root | None:
        """The environment whose modules are below the root: itself, or that of a Bolt project."""
        if self.kind == "environment":
            return self
        around = self.environment
        return around if around is not None and around.project is self else None

    @property
    def data(self) -> Layout:
        """Which files of the root are data."""
        if self.kind == "module" and self.holder is not None:
            return self.holder.data
        if self._data is None:
            is_environment = self.kind == "environment"
            directory = os.path.abspath(self.directory)
            self._data = Layout(directory, self.reach, is_environment=is_environment)
        return self._data

    def inside(self, path: str) -> str:
        """Return a path below the root, with slashes, relative to it."""
        return os.path.relpath(path, self.directory or os.curdir).replace(os.sep, "/")

    def modulepath(self, reach: Reach | None = None) -> tuple[str, ...]:
        """Return the absolute directories of modules of an environment: named ones, usual ones."""
        if self._modulepath is None:
            directory = os.path.abspath(self.directory)
            try:
                conf = read_environment_conf(directory, reach=reach)
            except (PuppetError, OSError):
                conf = default_conf(directory)
            names = [*MODULE_DIRECTORIES, *_bolt_modulepath(bolt_config(directory, reach))]
            usual = [os.path.normpath(os.path.join(directory, name)) for name in names]
            self._modulepath = tuple(dict.fromkeys([*conf.modulepath, *usual]))
        return self._modulepath


class Roots:
    """The roots of directories, each looked for once. With a ``reach`` nothing else is read."""

    __slots__ = ("_known", "reach")

    def __init__(self, reach: Reach | None = None) -> None:
        self._known: dict[str, Root | None] = {}
        self.reach = reach

    def of(self, path: str) -> Root | None:
        """Return the root of a file, None if it belongs to none."""
        return self._of_directory(os.path.dirname(path))

    def _of_directory(self, directory: str) -> Root | None:
        try:
            return self._known[directory]
        except KeyError:
            pass
        found = None
        if self.reach is None or self.reach.allows(directory or os.curdir):
            above = _above(directory)
            outer = None if above is None else self._of_directory(above)
            found = self._own(directory, outer) or outer
            if found is not None:
                found.reach = self.reach
        self._known[directory] = found
        return found

    def _own(self, directory: str, outer: Root | None) -> Root | None:
        """Return the root that a directory is itself."""
        if self._has(directory, "environment.conf"):
            return Root("environment", directory)
        if self._has(directory, BOLT_PROJECT) and not self._has(directory, _SITE_MANIFEST):
            return self._project(directory)
        parent = os.path.dirname(os.path.abspath(directory))
        holder = None if outer is None else outer.holder
        if holder is not None:
            if parent in holder.modulepath(self.reach):
                name = os.path.basename(os.path.abspath(directory))  # Puppet takes no other
                return Root("module", directory, name if is_module_name(name) else "", holder)
        elif outer is not None and parent == os.path.join(
            os.path.abspath(outer.directory), FIXTURE_MODULES
        ):
            return Root("module", directory, _module_name(directory))
        if self._has(directory, METADATA):
            named = named_by_metadata(directory or os.curdir, self.reach)
            return Root("module", directory, named or _module_name(directory), is_sure=bool(named))
        if os.path.basename(parent) in MODULE_DIRECTORIES and self._has(directory, "manifests"):
            return Root("module", directory, _module_name(directory))
        if self._has(directory, _INIT):  # a checkout may have any name
            return Root("module", directory, _module_name(directory), is_sure=False)
        is_environment = (
            self._has(directory, "Puppetfile")
            or self._has(directory, _SITE_MANIFEST)
            or (
                self._has(directory, "hiera.yaml")
                and any(self._has(directory, name) for name in ("data", "manifests", "modules"))
            )
        )
        if is_environment:
            is_sure = self._has(directory, "Puppetfile") or self._has(directory, _SITE_MANIFEST)
            return Root("environment", directory, is_sure=is_sure)
        return None

    def _project(self, directory: str) -> Root:
        """Return the root of a project of Bolt: a module, if it has a good name."""
        environment = Root("environment", directory)
        config = bolt_config(directory, self.reach)
        name = config.get("name")
        if not isinstance(name, str) or not is_module_name(name):
            return environment
        environment.project = Root("module", directory, name, environment)
        return environment.project

    def _has(self, directory: str, name: str) -> bool:
        path = os.path.join(directory, name)
        return (self.reach is None or self.reach.allows(path)) and os.path.exists(path)


def bolt_config(directory: str, reach: Reach | None) -> dict[str, Any]:
    """Return the configuration of a project of Bolt; nothing for any other directory."""
    text = read_within(os.path.join(directory, BOLT_PROJECT), reach)
    try:
        config = read_yaml(text) if text else None
    except YamlError:
        config = None
    return config if isinstance(config, dict) else {}


def _bolt_modulepath(config: dict[str, Any]) -> list[str]:
    """Return the directories of modules of a project; Bolt installs modules in the last one."""
    if not config:
        return []
    path = config.get("modulepath")
    named = path.split(os.pathsep) if isinstance(path, str) else path
    return [*map(str, named if isinstance(named, list) else ()), ".modules"]


def _above(directory: str) -> str | None:
    """Return the directory above, written as this one; None at the top."""
    whole = os.path.abspath(directory)
    if os.path.dirname(whole) == whole:
        return None
    bare = directory.rstrip(os.sep)
    if os.path.basename(bare) in ("", os.curdir, os.pardir):
        return os.path.normpath(os.path.join(bare, os.pardir))
    return os.path.dirname(bare)


def _module_name(directory: str) -> str:
    """Return the name of a module by its directory, which may begin with that of its author."""
    name = os.path.basename(os.path.abspath(directory)).rpartition("-")[2]
    return name if is_module_name(name) else ""
