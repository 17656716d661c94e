"""The files that an environment has read for the last input, or looked for in vain."""

from __future__ import annotations

from puppet_repl.base.stamp import stamp_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.stamp import Stamp
    from puppet_repl.environment.environment import Environment


def used_files(environment: Environment) -> dict[str, Stamp | None]:
    """Return the files of code, templates and data by path, None for those that are not there.

    An input that failed counts as well. Files of Ruby are those that Ruby has loaded so far.
    """
    autoloader = environment.autoloader
    files = {path: entry.stamp for path, entry in autoloader.loaded.items()}
    files |= autoloader.asked
    for path in environment.data_files():
        files[path] = stamp_of(path)
    context = environment.context
    if context.has_ruby:
        files |= context.ruby.files
    return files
