"""What the working directory has that a name was not found in: it may be taken as the environment.

Nothing of it is run, and nothing is read but names of files and environment.conf.
"""

from __future__ import annotations

import os

from puppet_repl.environment.modules.layout import Layout, parts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.errors import Subject
    from puppet_repl.session import Session

_TAKES = "':environment .' takes it"
# Where modules keep what has a name without their own, in Ruby.
_IN_RUBY = {
    "function": ("lib/puppet/functions", "lib/puppet/parser/functions"),
    "resource type": ("lib/puppet/type",),
    "type": ("lib/puppet/type",),
}


def hint_on_name(session: Session, subject: Subject) -> str | None:
    """Return the hint that the working directory has a module with an unknown name, or None."""
    directory = _offered(session)
    if directory is None or subject.kind not in (*_IN_RUBY, "class"):
        return None
    name = subject.name.removeprefix("::").lower()
    layout = Layout(directory)
    module = _module_with(layout, subject.kind, name)
    if module is not None:
        return f"this directory has the module {module}: {_TAKES}"
    is_own = subject.kind == "function" and "::" not in name
    if is_own and os.path.isfile(os.path.join(directory, "functions", f"{name}.pp")):
        return f"this directory has the function {name}: {_TAKES}"
    return None


def hint_on_data(session: Session) -> str | None:
    """Return the hint that the working directory has data where none were found, or None."""
    directory = _offered(session)
    if directory is None or not os.path.exists(os.path.join(directory, "hiera.yaml")):
        return None
    return f"this directory has hiera.yaml: {_TAKES}"


def _offered(session: Session) -> str | None:
    """Return the working directory, where the user of a session could take it by a command."""
    options = session.options
    if not session.has_commands or options.environment is not None or options.hermetic:
        return None
    try:
        directory = os.getcwd()
    except OSError:  # it was removed
        return None
    # Manifests alone make no environment: any module has them.
    return directory if set(parts_of(directory)) - {"manifests", "Puppetfile"} else None


def _module_with(layout: Layout, kind: str, name: str) -> str | None:
    prefix, colons, _ = name.partition("::")
    if prefix in layout.names:
        return prefix
    if colons:
        return None
    for module in (each for modules in layout.modules.values() for each in modules):
        for directory in _IN_RUBY.get(kind, ()):
            if os.path.isfile(module.file(*directory.split("/"), f"{name}.rb")):
                return module.name
    return None
