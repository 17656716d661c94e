"""The module or environment that the working directory belongs to.

A short evaluation looks for it, too: what few directories need is imported inside functions.
"""

from __future__ import annotations

import os
import stat

from puppet_repl.base.errors import PuppetError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from puppet_repl.base.reach import Reach

_METADATA = "metadata.json"
OPTIONS_FILE = ".puppet-repl.toml"
_CONF = "environment.conf"
# What makes a control repository of a directory with a Puppetfile.
_BESIDE_PUPPETFILE = ("hiera.yaml", "manifests")


class Checkout:
    """A module with the modules beside it, or an environment, which has its modules.

    ``environment`` is the directory of an environment, None for a module. ``top`` is the highest
    directory that was looked at, the root of a repository if there is one. Files are read when
    somebody asks.
    """

    __slots__ = ("_directory", "_modulepath", "_top", "environment")

    def __init__(self, directory: str, top: str, *, is_environment: bool) -> None:
        self._directory = directory
        self._top = top
        self.environment = directory if is_environment else None
        self._modulepath: tuple[str, ...] | None = None

    @property
    def modulepath(self) -> tuple[str, ...]:
        """The directories of modules, that of a module itself first; none for an environment."""
        if self._modulepath is None:
            is_module = self.environment is None
            self._modulepath = _near_modules(self._directory, self._top) if is_module else ()
        return self._modulepath

    def reach(self, modulepath: Iterable[str], named: Iterable[str]) -> Reach:
        """Return where the modules of an environment may be that nobody has named.

        ``modulepath`` is that of the environment, ``named`` are further directories of modules.

        These are the repository, the modules that all environments of a code directory share, and
        modules beside the repository that links lead to.
        """
        from puppet_repl.base.reach import Reach
        from puppet_repl.environment.modules.hermetic import base_modules

        directory = self._directory
        found = [directory, *base_modules(directory), *named]
        inside = Reach(found)
        for path in modulepath:
            if inside.allows(path):
                found += [link for link in _links_in(path) if _is_near(link, self._top)]
        return Reach(found)

    @property
    def text(self) -> str:
        """``module nginx`` or ``environment production``, or the error of metadata.json."""
        if self.environment is not None:
            return f"environment {os.path.basename(self.environment)}"
        from puppet_repl.environment.modules.modules import named_by_metadata

        return self.problem or f"module {named_by_metadata(self._directory)}"

    @property
    def problem(self) -> str | None:
        """Why the metadata.json of a module names none, so that it is not used; None if it does."""
        if self.environment is not None:
            return None
        from puppet_repl.environment.modules.tested_module import metadata_problem

        why = metadata_problem(self._directory)
        return None if why is None else f"{_METADATA}: {why}"


def checkout_here() -> Checkout | None:
    """Return what the working directory belongs to, None if it belongs to nothing."""
    try:
        return checkout_of(os.getcwd())
    except OSError:  # the directory was removed
        return None


def options_file_here() -> tuple[str, str] | None:
    """Return the nearest file of options above the working directory, and its repository's root.

    The root is the directory of the file where no repository of git has it.
    """
    try:
        directories = list(directories_above(os.getcwd()))
    except OSError:
        return None
    for directory in directories:
        if _has_file(directory, OPTIONS_FILE):
            top = directories[-1]
            root = top if os.path.lexists(os.path.join(top, ".git")) else directory
            return os.path.join(directory, OPTIONS_FILE), root
    return None


def checkout_of(directory: str) -> Checkout | None:
    """Return the module or environment that a directory belongs to, None if there is none.

    The nearest counts, but a module on the module path of an environment is part of that. Nothing
    is looked for above the root of a repository of git.
    """
    module = None
    top = directory
    for top in directories_above(directory):
        if is_environment(top):
            if module is None or _has_module(top, module):
                return Checkout(top, top, is_environment=True)
            break
        if module is None and _has_file(top, _METADATA):
            module = top
    return None if module is None else Checkout(module, top, is_environment=False)


def directories_above(directory: str) -> Iterator[str]:
    """Yield an absolute directory and those above it, up to the root of a repository.

    Neither the top of the file system is one of them, nor a directory where every user of the
    machine may write: what lies there may be a stranger's.
    """
    while os.path.dirname(directory) != directory:
        try:
            if os.stat(directory).st_mode & stat.S_ISVTX:
                return
        except OSError:
            return
        yield directory
        if os.path.lexists(os.path.join(directory, ".git")):
            return
        directory = os.path.dirname(directory)


def is_environment(directory: str) -> bool:
    """Tell whether a directory is a control repository, without reading its files."""
    return _has_file(directory, _CONF) or (
        _has_file(directory, "Puppetfile")
        and any(os.path.exists(os.path.join(directory, name)) for name in _BESIDE_PUPPETFILE)
    )


def _has_file(directory: str, name: str) -> bool:
    """Tell whether a directory has a file, which is not elsewhere after a link."""
    path = os.path.join(directory, name)
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return False
    if not stat.S_ISLNK(mode):
        return stat.S_ISREG(mode)
    from puppet_repl.base.reach import is_inside

    return is_inside(path, directory)


def _has_module(environment: str, module: str) -> bool:
    """Tell whether a module is on the module path of an environment."""
    from puppet_repl.environment.modules.environment_conf import read_environment_conf

    try:
        return os.path.dirname(module) in read_environment_conf(environment).modulepath
    except (PuppetError, OSError):
        return False


def _near_modules(directory: str, top: str) -> tuple[str, ...]:
    """Return the directories of the module path of a module that are near it."""
    from puppet_repl.environment.modules.tested_module import module_of, module_path

    module = module_of(directory)
    if module is None:
        return ()
    root = top if os.path.lexists(os.path.join(top, ".git")) else directory
    return tuple([each for path in module_path(module) for each in _near(path, root)])


def _near(path: str, root: str) -> list[str]:
    """Return a directory of the module path, or the near modules in it if others are there too.

    Near are the repository and the modules beside it: links and fixtures of a stranger could name
    any directory.
    """
    if path == os.path.dirname(root):
        return [path]
    if not _is_near(path, root):
        return []
    try:
        paths = [each.path for each in os.scandir(path)]
    except OSError:
        return []
    near = [each for each in paths if not os.path.islink(each) or _is_near(each, root)]
    return [path] if near == paths else near


def _links_in(directory: str) -> list[str]:
    try:
        return [each.path for each in os.scandir(directory) if each.is_symlink()]
    except OSError:
        return []


def _is_near(path: str, root: str) -> bool:
    """Tell whether a directory is in the repository, or is that of a module beside it."""
    from puppet_repl.base.reach import is_inside

    if is_inside(path, root):
        return True
    above = os.path.realpath(os.path.dirname(root))
    return os.path.dirname(os.path.realpath(path)) == above and _has_file(path, _METADATA)
