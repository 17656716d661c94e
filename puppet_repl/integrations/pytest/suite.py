"""The common part of the tests of one module: its code and compiled catalogs."""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any
from warnings import warn

from puppet_repl.base.errors import CompileError
from puppet_repl.environment.facts.facts import FactsError
from puppet_repl.environment.modules.modules import METADATA
from puppet_repl.environment.modules.tested_module import (
    directory_of_module,
    metadata_problem,
    module_of,
    module_path,
)
from puppet_repl.frontends.api.catalog import Catalog
from puppet_repl.frontends.api.compilation import compile as compile_catalog
from puppet_repl.integrations.pytest.coverage import Coverage
from puppet_repl.integrations.pytest.systems import (
    System,
    facts_of_layers,
    supported_systems,
    system_named,
)
from puppet_repl.language.runtime.shared import Shared
from puppet_repl.language.values.python import from_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.environment.modules.modules import Module


class NoModuleError(Exception):
    """Tests need the module that they are of, and there is none; the message says why."""


# Catalogs that are kept for further tests of the same code.
_MAX_CATALOGS = 64


class Suite:
    """The module of a directory of tests, or its control repository.

    The arguments are from the configuration of pytest. ``facts`` names the facts of tests without
    facts of their own. Unless the suite ``allows_refused``, a catalog that an agent refuses is an
    error.
    """

    def __init__(
        self,
        directory: str,
        *,
        facts: str,
        facts_path: Sequence[str] = (),
        modulepath: Sequence[str] = (),
        environment: str | None = None,
        hiera: str | None = None,
        allows_refused: bool = False,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._directory = directory
        self.module = module_of(directory)
        self.facts = facts
        self.facts_path = tuple(facts_path)
        self.environment = environment
        self._allows_refused = allows_refused
        own = () if self.module is None else module_path(self.module)
        self.modulepath = (*own[:1], *modulepath, *own[1:])
        self.options = {
            "modulepath": self.modulepath,
            "environment": environment,
            **({} if hiera is None else {"hiera": hiera}),
            **(options or {}),
        }
        self.shared = Shared()
        self.has_told_of_systems = False
        self.adapted: dict[str, str] = {}
        """The systems whose facts were made from a set of another one, with the set."""
        self.coverage = Coverage(self.module)
        self._catalogs: OrderedDict[object, Catalog] = OrderedDict()

    @property
    def name(self) -> str:
        """The name of the module, or ''."""
        return "" if self.module is None else self.module.name

    @property
    def default_code(self) -> str:
        """The code that is compiled where a test names none: the class of the module.

        In a control repository there is none but its own manifests. Raises NoModuleError.
        """
        if self.environment is not None and directory_of_module(self._directory) is None:
            return ""
        return f"include {self._needed_module.name}"

    @property
    def _needed_module(self) -> Module:
        if self.module is not None:
            return self.module
        directory = directory_of_module(self._directory)
        if directory is None:
            name = _shown(self._directory)
            raise NoModuleError(f"there is no module above {name}: no {METADATA}")
        file = _shown(os.path.join(directory, METADATA))
        raise NoModuleError(f"{file}: {metadata_problem(directory)}")

    def systems(self, names: Sequence[str] = ()) -> list[System]:
        """Return the systems of these names, or those that the module supports.

        Raises FactsError for a name that no facts are known for, and where metadata.json names
        none; NoModuleError where there is no module to ask.
        """
        if names:
            return [system_named(name, self.facts_path) for name in names]
        module = self._needed_module
        found = supported_systems(module, self.facts_path)
        if not found:
            file = _shown(module.file(METADATA))
            raise FactsError(f"{file}: operatingsystem_support names no system")
        return found

    def facts_of(self, given: Any) -> Mapping[str, Any]:
        """Return the facts that a test names, as ``facts_of_layers``; note adapted ones."""
        return facts_of_layers(given, self.facts_path, self.adapted)

    def given(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of the functions of the API, with options of a test."""
        return {"shared": self.shared, **together(self.options, options)}

    def compile(
        self, code: str, facts: Mapping[str, Any], node: str | None, given: dict[str, Any]
    ) -> Catalog:
        """Return the catalog of code; one that was compiled before is returned again.

        Raises CompileError for one that an agent refuses, unless the suite allows that.
        """
        key = _key(code, facts, node, given)
        catalog = None if key is None else self._catalogs.get(key)
        if catalog is None:
            catalog = compile_catalog(code, facts=facts, node=node, **given)
            self.coverage.watch(catalog)
            for message in catalog.missing_sources:
                warn(message, stacklevel=3)
            if key is not None:
                self._catalogs[key] = catalog
            if len(self._catalogs) > _MAX_CATALOGS:
                self._catalogs.popitem(last=False)
        elif key is not None:
            self._catalogs.move_to_end(key)
        if catalog.refusals and not self._allows_refused:
            raise CompileError("\n".join(catalog.refusals))
        return catalog


class Given:
    """A function of Puppet that code gets the values of a test by, which no variable shows."""

    def __init__(self, values: Mapping[Any, Any]) -> None:
        self.values = {name: from_python(value) for name, value in values.items()}

    def __call__(self, name: str | int) -> Any:
        """Return the value of this name."""
        return self.values[name]


def together(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return options of two layers: data come on top of data, functions beside functions.

    Variables are added, too. A hiera.yaml of the upper layer replaces that of the lower one.
    """
    found = {**below, **above}
    if "hiera" in below and "hiera" in above:
        lower, upper = _listed(below["hiera"]), _listed(above["hiera"])
        if not all(isinstance(each, Mapping) for each in upper):
            lower = [each for each in lower if isinstance(each, Mapping)]
        found["hiera"] = [*lower, *upper]
    for name in ("functions", "variables"):
        if name in below and name in above:
            found[name] = {**(below[name] or {}), **(above[name] or {})}
    return found


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else [value]


def _key(
    code: str, facts: Mapping[str, Any], node: str | None, given: dict[str, Any]
) -> object | None:
    """Return what tells compilations apart; None without one."""
    try:
        options = {name: each for name, each in given.items() if name != "shared"}
        return code, json.dumps(facts), node, _frozen(options)
    except TypeError:  # catalogs of other nodes, a function for messages
        return None


def _frozen(value: Any) -> object:
    """Return data as a key; 1, 1.0 and True are different ones. Raises TypeError for others."""
    if type(value) in (str, int, float, bool, type(None)):
        return type(value), value
    if isinstance(value, Given):
        return Given, _frozen(value.values)
    if isinstance(value, Mapping):
        return dict, tuple([(_frozen(key), _frozen(each)) for key, each in value.items()])
    if isinstance(value, (list, tuple)):
        return list, tuple(map(_frozen, value))
    if isinstance(value, os.PathLike):
        return str, os.fspath(value)
    raise TypeError(f"{value!r} is not data")


def _shown(path: str) -> str:
    """Return a path as people see it: relative where it is below the working directory."""
    return path.removeprefix(os.path.join(os.getcwd(), ""))
