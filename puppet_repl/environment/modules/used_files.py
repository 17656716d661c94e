"""The files that an environment has read for the last input, or looked for in vain."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.stamp import Stamp
    from puppet_repl.environment.modules.environment import Environment


def used_files(environment: Environment) -> dict[str, Stamp | None]:
    """Return the files of code, templates and data by path, as the input has found them first.

    Those that were not there are None. An input that failed counts as well. Files of Ruby are
    those that Ruby has loaded so far.
    """
    autoloader = environment.autoloader
    files = {path: entry.stamp for path, entry in autoloader.loaded.items()}
    files |= autoloader.asked
    files |= environment.data_files()
    context = environment.context
    if context.has_ruby:
        files |= context.ruby.files
    return files
