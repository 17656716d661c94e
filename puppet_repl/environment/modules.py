"""Modules on disk: where they are, what they are called, and which files they hold."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def is_module_name(name: str) -> bool:
    """Whether a folder of this name can be a module: lower case letters, digits, ``_``."""
    return (
        name.isascii()
        and name[:1].isalpha()
        and name.islower()
        and name.replace("_", "a").isalnum()
    )


class Module:
    """One module: a name and a folder."""

    __slots__ = ("_metadata", "name", "path")

    def __init__(self, name: str, path: str) -> None:
        self.name = name
        self.path = path
        self._metadata: dict[str, Any] | None = None

    @property
    def metadata(self) -> dict[str, Any]:
        """What metadata.json says; nothing where there is none or it is broken."""
        if self._metadata is None:
            self._metadata = read_metadata(self.path)
        return self._metadata

    @property
    def version(self) -> str | None:
        """The version that the metadata name."""
        version = self.metadata.get("version")
        return version if type(version) is str else None

    @property
    def dependencies(self) -> list[str]:
        """Names of the modules that the metadata ask for, without their authors."""
        found = []
        for entry in self.metadata.get("dependencies") or ():
            if isinstance(entry, dict) and isinstance(entry.get("name"), str):
                found.append(short_name(entry["name"]))
        return found

    def file(self, *parts: str) -> str:
        """The path of a file of the module, there or not."""
        return os.path.join(self.path, *parts)

    def files(self, folder: str, ending: str) -> Iterator[str]:
        """Paths below ``folder``, relative to it and without their ending, in order."""
        root = self.file(folder)
        for where, folders, names in os.walk(root, followlinks=True):
            folders.sort()
            for name in sorted(names):
                if name.endswith(ending):
                    path = os.path.relpath(os.path.join(where, name), root)
                    yield path[: -len(ending)].replace(os.sep, "/")

    def __repr__(self) -> str:
        return f"<module {self.name}>"


def read_metadata(path: str) -> dict[str, Any]:
    """The content of a module's metadata.json, {} where it is missing or no JSON object."""
    import json

    try:
        with open(os.path.join(path, "metadata.json"), encoding="utf-8") as file:
            data = json.load(file)
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def short_name(name: str) -> str:
    """``stdlib`` of ``puppetlabs-stdlib`` or ``puppetlabs/stdlib``."""
    return name.replace("/", "-").rpartition("-")[2]


def find_modules(modulepath: tuple[str, ...]) -> dict[str, Module]:
    """All modules of a module path by name; folders named first win.

    A folder with a name that Puppet would not take (``puppetlabs-stdlib``, as distributions unpack
    modules before they link them) is taken for the module that its metadata name.
    """
    modules: dict[str, Module] = {}
    for folder in modulepath:
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue
        unusual = []
        for name in names:
            path = os.path.join(folder, name)
            if not is_module_name(name):
                unusual.append(path)
            elif name not in modules and os.path.isdir(path):
                modules[name] = Module(name, path)
        for path in unusual:
            given = read_metadata(path).get("name") if os.path.isdir(path) else None
            if isinstance(given, str):
                name = short_name(given)
                if is_module_name(name) and name not in modules:
                    modules[name] = Module(name, path)
    return modules


def read_environment_conf(folder: str) -> dict[str, str]:
    """The settings of an environment.conf, {} where there is none."""
    settings: dict[str, str] = {}
    try:
        with open(os.path.join(folder, "environment.conf"), encoding="utf-8") as file:
            for line in file:
                name, equals, value = line.partition("=")
                name = name.strip()
                if equals and not name.startswith("#"):
                    settings[name] = value.strip()
    except (OSError, UnicodeDecodeError):
        return {}
    return settings


def environment_modulepath(folder: str) -> tuple[str, ...]:
    """The module path of an environment's folder: its own setting, or ``modules``.

    The base module path of Puppet, which a setting may name, is empty here.
    """
    given = read_environment_conf(folder).get("modulepath")
    if given is None:
        return (os.path.join(folder, "modules"),)
    found: list[str] = []
    for part in given.split(os.pathsep):
        part = part.strip()
        if part and part not in ("$basemodulepath", "${basemodulepath}"):
            found.append(os.path.normpath(os.path.join(folder, os.path.expanduser(part))))
    return tuple(found)


def manifest_files(folder: str) -> list[str]:
    """The site manifests of an environment's folder, in the order in which they are read."""
    given = read_environment_conf(folder).get("manifest") or "manifests"
    path = os.path.join(folder, given)
    if os.path.isfile(path):
        return [path]
    found = []
    for where, folders, names in os.walk(path):
        folders.sort()
        found += [os.path.join(where, name) for name in sorted(names) if name.endswith(".pp")]
    return found
