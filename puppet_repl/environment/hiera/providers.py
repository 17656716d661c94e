"""Which hiera.yaml counts in a layer: files of all versions, and the older settings beside them."""

from __future__ import annotations

import os
from math import isfinite

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.stamp import stamp_of
from puppet_repl.environment.hiera.config import ConfigV5
from puppet_repl.environment.hiera.legacy import (
    environment_provider,
    legacy_config,
    module_provider,
)
from puppet_repl.environment.modules.environment_conf import read_environment_conf
from puppet_repl.environment.modules.modules import read_metadata
from puppet_repl.language.data.files import config_error, read_config
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.integers import integer_of
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.base.stamp import Stamp
    from puppet_repl.environment.hiera.config import Config
    from puppet_repl.environment.hiera.config_problems import Layer
    from puppet_repl.language.runtime.context import Context

_PLACES: dict[Layer, tuple[str, str]] = {
    "environment": ("an environment", "the environment root"),
    "module": ("a module", "module root"),
}


class DataProviders:
    """The configurations of the layers of one environment, read again when they have changed."""

    def __init__(
        self, directory: str | None, module_directory: Callable[[str], str | None]
    ) -> None:
        self.directory = directory
        self.module_directory = module_directory
        self._read: dict[str, tuple[Stamp, Config]] = {}
        # The stamps of the files that this input has read.
        self._asked: dict[str, Stamp | None] = {}
        # The configs that were checked for this input, by layer and name.
        self._current: dict[tuple[Layer, str], Config | None] = {}

    def begin_input(self) -> None:
        """Look at files again."""
        for _, config in self._read.values():
            config.begin_input()
        self._current.clear()
        self._asked.clear()

    def used_files(self) -> dict[str, Stamp | None]:
        """Return the files that this input has looked at, as they were then; None if not there."""
        return dict(self._asked)

    def of_global(self, path: str, context: Context) -> Config | None:
        """Return the configuration in a file for the global layer."""
        key: tuple[Layer, str] = ("global", path)
        try:
            return self._current[key]
        except KeyError:
            pass
        config = self._config(path, "global", context)
        if config is None:
            raise config_error(f"The global hiera.yaml does not exist (file: {path})")
        if config.version == "4":
            raise config.error("hiera.yaml version 4 cannot be used in the global layer")
        self._current[key] = config
        return config

    def of_environment(self, context: Context) -> Config | None:
        """Return the configuration of the environment, None if it has no data."""
        key: tuple[Layer, str] = ("environment", "")
        try:
            return self._current[key]
        except KeyError:
            pass
        config = None
        if self.directory is not None:
            config = self._of_directory(self.directory, "environment", context)
            profile = context.options.profile
            chosen = read_environment_conf(self.directory, profile, context.reach).data_provider
            if chosen is not None:
                config = environment_provider(chosen, self.directory, config, context)
        self._current[key] = config
        return config

    def of_module(self, name: str, context: Context) -> Config | None:
        """Return the configuration of a module, None if it has no data."""
        key: tuple[Layer, str] = ("module", name)
        try:
            return self._current[key]
        except KeyError:
            pass
        directory = self.module_directory(name)
        config = None
        if directory is not None:
            config = self._of_directory(directory, "module", context)
            chosen = read_metadata(directory, context.reach).get("data_provider")
            if chosen is not None:
                config = module_provider(str(chosen), name, directory, config, context)
        self._current[key] = config
        return config

    def _of_directory(self, directory: str, layer: Layer, context: Context) -> Config | None:
        config = self._config(os.path.join(directory, "hiera.yaml"), layer, context)
        if config is None or config.version != "3":
            return config
        place, root = _PLACES[layer]
        if context.options.strict == "error":
            raise config.error(f"hiera.yaml version 3 cannot be used in {place}")
        context.warn_once(
            f"ignored {config.path}",
            f"hiera.yaml version 3 found at {root} was ignored\n   (file: {config.path})",
        )
        return None

    def _config(self, path: str, layer: Layer, context: Context) -> Config | None:
        context.check_reach(path)
        stamp = stamp_of(path)
        self._asked.setdefault(path, stamp)
        if stamp is None:
            return None
        known = self._read.get(path)
        if known is None or known[0] != stamp:
            known = self._read[path] = (stamp, _made(path, layer, context))
        return known[1]


def _made(path: str, layer: Layer, context: Context) -> Config:
    content = read_config(path)
    if type(content) is not PuppetHash:
        context.log(
            "warning",
            f"{path}: File exists but does not contain a valid YAML hash. Falling back to Hiera "
            "version 3 default config",
        )
        content = PuppetHash.EMPTY
    version = version_number(content.get("version"))
    directory = os.path.dirname(path)
    if version == 5:
        return ConfigV5(path, directory, content, layer, context.options.profile.product)
    if version in (3, 4):
        return legacy_config(version, path, content, layer, context)
    raise config_error(f"This runtime does not support hiera.yaml version {version} (file: {path})")


def version_number(version: object) -> int:
    """Return a version as Ruby makes an Integer of it; 3 where none is given.

    Raises RuntimeFailure for a Float that has none.
    """
    if version is None:
        return 3
    if type(version) is float and not isfinite(version):
        raise RuntimeFailure(to_text(version))
    if type(version) is int or type(version) is float:
        return int(version)
    digits = ""
    if type(version) is str:
        for character in version.strip():
            if character not in "0123456789":
                break
            digits += character
    return integer_of(digits or "0")
