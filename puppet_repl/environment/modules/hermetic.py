"""What a hermetic session may read, and the facts that it has unless it is given some."""

from __future__ import annotations

import os

from puppet_repl.base.reach import Reach
from puppet_repl.environment.facts.facts import STANDING_IN, bundled_facts
from puppet_repl.environment.modules.environment_conf import code_directory
from puppet_repl.environment.modules.stdlib import BUNDLED_STDLIBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.facts.local_facts import Facts
    from puppet_repl.language.runtime.options import Options


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
        directories += [environment, *_base_modules(environment)]
    given = [options.hiera_config] if options.hiera_config else []
    return Reach(directories, [*options.stubs, *given])


def _base_modules(environment: str) -> list[str]:
    """Return the modules that all environments of a code directory share.

    Not where a link leads out of that: it may be a checkout, as the environment.
    """
    code = code_directory(environment)
    if code is None:
        return []
    modules = os.path.join(code, "modules")
    return [modules] if Reach([code]).allows(modules) else []
