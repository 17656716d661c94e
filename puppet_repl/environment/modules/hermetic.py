"""The files that a hermetic session may read, those hidden from it, and its facts."""

from __future__ import annotations

import os

from puppet_repl.base.reach import REASON, Reach
from puppet_repl.environment.facts.facts import STANDING_IN, bundled_facts
from puppet_repl.environment.modules.environment_conf import code_directory
from puppet_repl.environment.modules.stdlib import BUNDLED_STDLIBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.facts.local_facts import Facts
    from puppet_repl.environment.modules.environment import Environment
    from puppet_repl.language.runtime.options import Options

_NOT_NAMED = "outside of the repository, and nobody has named the environment (--environment DIR)"
# Directories of an environment itself that are searched.
_OWN_PARTS = ("functions", "lib", "types")
# The directories of a module below which files are listed, not asked for by name.
_LISTED_PARTS = (
    ("lib",),
    ("lib", "puppet"),
    ("lib", "puppet", "functions"),
    ("lib", "puppet", "parser"),
    ("lib", "puppet", "type"),
)


def hermetic_facts() -> Facts:
    """Return the facts of a hermetic session that was given none."""
    return bundled_facts(STANDING_IN)


def reach_of(options: Options) -> Reach:
    """Return what a hermetic session with these options may read.

    That is what the options name, and the ``modules`` beside the directory ``environments``. A
    directory that environment.conf adds does not count: that file may be a stranger's.
    """
    directories = [*options.modulepath]
    if options.stdlib in BUNDLED_STDLIBS:
        directories.append(BUNDLED_STDLIBS[options.stdlib])
    if options.environment and os.path.isdir(options.environment):
        environment = os.path.abspath(options.environment)
        directories += [environment, *base_modules(environment)]
    if options.enc is not None and os.path.isdir(options.enc):
        directories.append(options.enc)
    given = [path for path in (options.hiera_config, options.enc) if path]
    return Reach(directories, [*options.stubs, *given])


def base_modules(environment: str) -> list[str]:
    """Return the modules that all environments of a code directory share.

    Not where a link leads out of that: it may be a checkout, as the environment.
    """
    code = code_directory(environment)
    if code is None:
        return []
    modules = os.path.join(code, "modules")
    return [modules] if Reach([code]).allows(modules) else []


def warn_of_what_is_hidden(environment: Environment, reach: Reach, *, is_found: bool) -> None:
    """Tell what a session does not have because links lead out of its reach.

    The session is hermetic, or its environment ``is_found`` and has the modules of its repository.
    """
    context = environment.context
    reason = _NOT_NAMED if is_found else REASON
    for directory in environment.modulepath:
        if is_found and not reach.allows(directory) and os.path.isdir(directory):
            context.warn_once(directory, f"{directory} is {reason}: its modules are not loaded")
        for path in _links_out(environment, reach, directory):
            context.warn_once(path, f"{path} is {reason}: it is not loaded as a module")
    places = [
        (directory, None)
        for module in environment.modules.values()
        for directory in (module.path, *[module.file(*parts) for parts in _LISTED_PARTS])
    ]
    own = [] if environment.directory is None else [(environment.directory, _OWN_PARTS)]
    for directory, names in (*places, *own):
        for path in _links_out(environment, reach, directory):
            if names is None or os.path.basename(path) in names:
                context.warn_once(path, f"{path} is {reason}: it is left out")


def _links_out(environment: Environment, reach: Reach, directory: str) -> list[str]:
    """Return the links in a directory that lead out of reach, dangling links as well."""
    listing = environment.listings.of(directory)
    paths = [os.path.join(directory, name) for name in sorted((*listing.links, *listing.files))]
    return [path for path in paths if os.path.islink(path) and not reach.allows(path)]
