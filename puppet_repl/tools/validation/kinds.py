"""The kinds of files, and what checks each: a row is all that a further kind needs here."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.tools.validation.diagnostic import Finding
    from puppet_repl.tools.validation.file import File
    from puppet_repl.tools.validation.roots import Root


class Kind(NamedTuple):
    """One kind of file.

    ``subject`` names it in sentences. ``matches`` tells whether a file is of that kind by its path
    inside of its module or environment, with slashes. ``check`` is the function that returns the
    findings in a file: ``module.function`` of this package, imported late.
    """

    name: str
    subject: str
    matches: Callable[[str], bool]
    check: str

    def findings(self, file: File) -> Iterable[Finding]:
        """Return the findings in a file; the check may raise errors of Puppet, too."""
        module, _, function = self.check.partition(".")
        check = getattr(import_module(f"puppet_repl.tools.validation.{module}"), function)
        found: Iterable[Finding] = check(file)
        return found


def _ends(*endings: str) -> Callable[[str], bool]:
    return lambda path: path.endswith(endings)


def _is(*names: str) -> Callable[[str], bool]:
    return lambda path: path in names


def _below(directory: str, *endings: str) -> Callable[[str], bool]:
    return lambda path: path.startswith(f"{directory}/") and path.endswith(endings)


def _is_task(path: str) -> bool:
    """Tell whether a file may be the executable of a task."""
    return (
        path.startswith("tasks/") and path.count("/") == 1 and not path.endswith((".conf", ".md"))
    )


def _is_task_metadata(path: str) -> bool:
    return _is_task(path) and path.endswith(".json")


HIERA = Kind("hiera", "hiera.yaml", _is("hiera.yaml"), "hiera_config.check")
DATA = Kind("data", "data files", _is(), "hiera_data.check")
"""The kind of data files, whose places a hiera.yaml names."""
KINDS = (
    Kind("manifest", "manifests", _ends(".pp"), "manifests.check"),
    Kind("epp", "EPP templates", _ends(".epp"), "manifests.check"),
    Kind("erb", "ERB templates", _below("templates", ".erb"), "ruby_files.check_template"),
    Kind("ruby", "Ruby code", _below("lib", ".rb"), "ruby_files.check_code"),
    Kind("metadata", "metadata.json", _is("metadata.json"), "metadata.check"),
    Kind("task metadata", "metadata of tasks", _is_task_metadata, "tasks.check"),
    Kind("task", "tasks", _is_task, "tasks.check_executable"),
    Kind("plan", "plans in YAML", _below("plans", ".yaml"), "yaml_plans.check"),
    Kind("environment", "environment.conf", _is("environment.conf"), "environment_files.check"),
    Kind("puppetfile", "Puppetfile", _is("Puppetfile"), "puppetfile.check"),
    Kind("fixtures", ".fixtures.yml", _is(".fixtures.yml", ".fixtures.yaml"), "fixtures.check"),
    HIERA,
    DATA,
)
"""The kinds; the first that matches a file is its kind."""
CODE = KINDS[0]
"""The kind of a text without a name."""
PUPPET_CODE = KINDS[:2]
"""The kinds that ``parse`` reads."""


def kind_of(path: str, root: Root | None) -> Kind | None:
    """Return the kind of a file, None if it is not read."""
    inside = path.replace(os.sep, "/") if root is None else root.inside(path)
    found = next((kind for kind in KINDS if kind.matches(inside)), None)
    if found is None and root is not None and root.data.has(inside):
        return DATA
    return found


def kind_of_given(path: str, root: Root | None) -> Kind:
    """Return the kind of a file that a user names: YAML and JSON of other places are data."""
    found = kind_of(path, root)
    if found is not None:
        return found
    if os.path.basename(path) == "hiera.yaml":
        return HIERA
    return DATA if path.endswith((".yaml", ".yml", ".eyaml", ".json")) else CODE
