"""Which resources of a module tests have looked at, and what of it they have never compiled."""

from __future__ import annotations

import os

from puppet_repl.base.wording import counted
from puppet_repl.environment.modules.tested_module import FIXTURE_MODULES
from puppet_repl.frontends.api.catalog import watch_lookups

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from puppet_repl.environment.modules.modules import Module
    from puppet_repl.frontends.api.catalog import Catalog
    from puppet_repl.frontends.api.resource import Resource

_MAX_LISTED = 40
NOTHING = "nothing was compiled"


class Coverage:
    """The resources that a module declared in catalogs, and those that tests looked up."""

    def __init__(self, module: Module | None) -> None:
        self.name = "" if module is None else module.name
        self._path = None if module is None else os.path.join(module.path, "")
        self.declared: set[str] = set()
        self.touched: set[str] = set()
        self.compiled: set[str] = set()
        self.definitions = set() if module is None else set(_definitions(module))

    def watch(self, catalog: Catalog) -> None:
        """Count the resources of a catalog that a test has compiled."""
        for resource in catalog:
            if self._is_own(resource):
                self.declared.add(resource.ref)
            self.compiled.add(
                resource.title.lower() if resource.is_class else resource.type.lower()
            )
        watch_lookups(catalog, self._note)

    def _note(self, resource: Resource) -> None:
        if self._is_own(resource):
            self.touched.add(resource.ref)

    def _is_own(self, resource: Resource) -> bool:
        """Tell whether the code of the module declares a resource, or the class is the module's."""
        if self._path is None:
            return False
        if resource.is_class:
            return resource.title.lower().split("::")[0] == self.name
        file = resource.file or ""
        return file.startswith(self._path) and not file.startswith(self._path + FIXTURE_MODULES)

    def data(self) -> dict[str, Any]:
        """Return the counts, for another process."""
        return {
            "declared": sorted(self.declared),
            "touched": sorted(self.touched),
            "compiled": sorted(self.compiled),
        }

    def add(self, data: dict[str, Iterable[str]]) -> None:
        """Add the counts of another process."""
        self.declared.update(data["declared"])
        self.touched.update(data["touched"])
        self.compiled.update(data["compiled"])

    @property
    def percentage(self) -> float:
        """The percentage of the declared resources that tests looked up.

        Without declared resources it is 0, or 100 if the module has no definitions.
        """
        if not self.declared:
            return 0.0 if self.definitions else 100.0
        return 100.0 * len(self.touched & self.declared) / len(self.declared)

    @property
    def lines(self) -> list[str]:
        """The report."""
        touched = len(self.touched & self.declared)
        declared = counted(len(self.declared), "resource")
        told = f"{touched} of {declared} looked at ({self.percentage:.1f} %)"
        lines = [f"module {self.name}: {told if self.declared else NOTHING}"]
        lines += _listed("not looked at", self.declared - self.touched)
        return lines + _listed("never compiled", self.definitions - self.compiled)


def _listed(title: str, names: set[str]) -> list[str]:
    if not names:
        return []
    shown = sorted(names)
    if len(shown) > _MAX_LISTED:
        shown[_MAX_LISTED:] = [f"and {len(names) - _MAX_LISTED} more"]
    return [f"{title}:", *[f"  {name}" for name in shown]]


def _definitions(module: Module) -> Iterable[str]:
    """Yield the names of the classes and defined types of a module, as its files name them."""
    for path in module.files("manifests", ".pp"):
        yield module.name if path == "init" else f"{module.name}::{path.replace('/', '::')}"
