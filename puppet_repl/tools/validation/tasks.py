"""The tasks of a module: their metadata, and the files that these name.

Errors are in the words of Puppet for all that Puppet refuses; the form of the metadata is that of
the specification of tasks.
"""

from __future__ import annotations

import os
import re

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.types.model.alias import TypeReferenceType
from puppet_repl.language.values.hash import from_data
from puppet_repl.language.values.ruby import ruby_text
from puppet_repl.tools.validation.json_files import JsonFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from puppet_repl.base.json_nodes import JsonNode
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.tools.validation.diagnostic import Diagnostic
    from puppet_repl.tools.validation.file import File

_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_NAME_RULE = (
    "Task names must start with a lowercase letter and be composed of only lowercase letters,"
    " numbers, and underscores"
)
_FORBIDDEN = (".conf", ".md")
_MOUNTS = ("files", "lib", "scripts", "tasks")
_INPUT_METHODS = ("stdin", "environment", "both", "powershell")
_TYPES = {
    "description": "string",
    "extensions": "object",
    "files": "array",
    "identifiers": "object",
    "implementations": "array",
    "input_method": "string",
    "parameters": "object",
    "private": "boolean",
    "remote": "boolean",
    "supports_noop": "boolean",
}
_OF_PARAMETER = {"description": "string", "sensitive": "boolean", "type": "string"}
# Types that the runners of tasks define.
_OF_RUNNERS = ("TargetSpec", "Target")
_CODE = "task_metadata"


def check(file: File) -> list[Diagnostic]:
    """Return the findings in the metadata of a task."""
    named = _check_name(file)
    if named or not _is_name(file):
        return named
    task = _Task(JsonFile(file))
    if not file.text:
        task.check_executable({})
    elif task.data.root is not None and task.data.has_type(
        _CODE, task.data.root, "the metadata of a task", "object"
    ):
        task.check(task.data.root)
    return task.data.found if file.text else task.data.found[1:]


def check_executable(file: File) -> Iterator[Diagnostic]:
    """Yield the findings about the executable of a task, which itself is not read."""
    named = _check_name(file)
    if named or file.path is None or not _is_name(file):
        yield from named
        return
    directory, base = os.path.split(file.path)
    name = os.path.splitext(base)[0]
    same = [each for each in _executables(directory) if os.path.splitext(each)[0] == name]
    if len(same) > 1 and base == same[1] and not os.path.exists(f"{directory}/{name}.json"):
        first = os.path.join(directory, same[0])
        yield file.error("task_executable", _several(_full_name(file, name), first))


def _check_name(file: File) -> list[Diagnostic]:
    is_module = file.root is not None and file.root.kind == "module"
    if not is_module or _is_name(file):
        return []
    return file.advice("task_name", f"Puppet ignores this file: {_NAME_RULE}")


def _is_name(file: File) -> bool:
    """Tell whether a file may be one of a task by its name."""
    return _NAME.fullmatch(os.path.splitext(os.path.basename(file.path or ""))[0]) is not None


def _full_name(file: File, name: str) -> str:
    module = "" if file.root is None else file.root.name
    if not module:
        return name
    return module if name == "init" else f"{module}::{name}"


def _several(name: str, directory: str) -> str:
    return (
        f"Multiple executables were found in directory {directory} for task {name}; define"
        " 'implementations' in metadata to differentiate between them"
    )


def _executables(directory: str) -> list[str]:
    """Return the names of the files that may be executables of tasks, in their order."""
    return [
        name
        for name in sorted(os.listdir(directory or os.curdir))
        if not name.endswith((".json", *_FORBIDDEN))
        and _NAME.fullmatch(os.path.splitext(name)[0])
        and os.path.isfile(os.path.join(directory, name))
    ]


class _Task:
    """The checks of one file of metadata."""

    def __init__(self, data: JsonFile) -> None:
        self.data = data
        self.file = data.file
        self.directory, base = os.path.split(self.file.path or "")
        self.base = os.path.splitext(base)[0]
        self.name = _full_name(self.file, self.base)

    def check(self, root: JsonNode) -> None:
        """Add all findings in metadata that are an object."""
        data = self.data
        for key, value in root.pairs:
            wanted = _TYPES.get(key.value)
            is_of_puppet = key.value in ("implementations", "files")
            if wanted is None or is_of_puppet or value.value is None:
                continue
            data.has_type(_CODE, value, f"'{key.value}'", wanted)
        method = root.get("input_method")
        if method is not None and type(method.value) is str and method.value not in _INPUT_METHODS:
            data.error(_CODE, f"'input_method' is one of {', '.join(_INPUT_METHODS)}", method)
        self._check_parameters(root.get("parameters"))
        implementations = root.get("implementations")
        self.check_executable(root.value)
        if implementations is not None:
            self._check_implementations(implementations)
        self._check_files(root)

    # Parameters

    def _check_parameters(self, node: JsonNode | None) -> None:
        data = self.data
        for key, value in () if node is None else node.pairs:
            name = key.value
            if not _NAME.fullmatch(name):
                message = (
                    f"a parameter cannot have the name '{name}': lower case letters, digits and _"
                )
                data.error(_CODE, message, key)
            if not data.has_type(_CODE, value, f"the parameter '{name}'", "object"):
                continue
            for option, wanted in _OF_PARAMETER.items():
                given = value.get(option)
                if given is not None and given.value is not None:
                    data.has_type(_CODE, given, f"'{option}' of '{name}'", wanted)
            text, default = value.get("type"), value.get("default")
            if text is not None and type(text.value) is str:
                self._check_type(name, text, default)

    def _check_type(self, name: str, node: JsonNode, default: JsonNode | None) -> None:
        """Check the type of a parameter, and that its default is an instance."""
        data = self.data
        try:
            kind = parse_type(node.value)
        except PuppetError as error:
            data.error("task_type", f"the type of '{name}': {error.message}", node)
            return
        unknown = [*_references(kind)]
        for reference in unknown:
            if self._is_missing(reference):
                message = f"the type of '{name}' names {reference}, which does not exist"
                data.error("task_type", message, node)
        if default is None or default.value is None or unknown:
            return
        if not kind.accepts_value(from_data(default.value)):
            message = f"the default of '{name}' is not a value of {kind.text()}"
            data.error("task_type", message, default)

    def _is_missing(self, name: str) -> bool:
        """Tell whether it is certain that nothing defines a type."""
        parts = name.lower().split("::")
        root = self.file.root
        if len(parts) == 1:
            return name not in _OF_RUNNERS
        if root is None or parts[0] != root.name or self._has("types", "init_typeset.pp"):
            return False
        return not (
            self._has("types", *parts[1:-1], f"{parts[-1]}.pp")
            or self._has("lib", "puppet", "datatypes", *parts[1:-1], f"{parts[-1]}.rb")
        )

    def _has(self, *parts: str) -> bool:
        root, reach = self.file.root, self.file.workspace.reach
        path = os.path.join("" if root is None else root.directory, *parts)
        return (reach is None or reach.allows(path)) and os.path.exists(path)

    # Files

    def check_executable(self, metadata: dict[str, object]) -> None:
        """Check that there is one executable where no implementations are named."""
        if "implementations" in metadata or not os.path.isdir(self.directory or os.curdir):
            return
        names = [
            name for name in _executables(self.directory) if os.path.splitext(name)[0] == self.base
        ]
        if not names:
            message = (
                "No source besides task metadata was found in directory"
                f" {self.directory} for task {self.name}"
            )
            self.data.found.append(self.file.error("task_executable", message))
        elif len(names) > 1:
            first = os.path.join(self.directory, names[0])
            message = _several(self.name, first)
            self.data.found.append(self.file.error("task_executable", message))

    def _check_implementations(self, node: JsonNode) -> None:
        data = self.data
        if type(node.value) is not list:
            message = (
                f"Task metadata for task {self.name} does not specify implementations as an array"
            )
            data.error(_CODE, message, node)
            return
        there = _executables(self.directory)
        for entry in data.entries(_CODE, node, "'implementations'", "object"):
            requirements = entry.get("requirements")
            if requirements is not None and not isinstance(requirements.value, list | None):
                message = (
                    f"Task metadata for task {self.name} does not specify requirements as an array"
                )
                data.error(_CODE, message, requirements)
            name = entry.get("name")
            if name is None or name.value not in there:
                shown = "" if name is None else ruby_text(from_data(name.value))
                message = (
                    f"Task metadata for task {self.name} specifies missing implementation {shown}"
                )
                data.error("task_executable", message, name or entry)

    def _check_files(self, root: JsonNode) -> None:
        entries = root.get("implementations")
        for owner in (root, *(() if entries is None else entries.items)):
            node = owner.get("files")
            if node is None:
                continue
            if type(node.value) is not list:
                shown = ruby_text(from_data(node.value))
                message = f"The 'files' task metadata expects an array, got {shown}."
                self.data.error(_CODE, message, node)
                continue
            for item in self.data.entries(_CODE, node, "'files'", "string"):
                message = self._problem_of_file(item.value) or ""
                if message:
                    self.data.error("task_files", message, item)

    def _problem_of_file(self, file: str) -> str | None:
        """Return what Puppet says of a file that the metadata name, as far as it is certain."""
        module, _, rest = file.partition("/")
        mount, _, below = rest.partition("/")
        directory = self._module(module)
        if mount not in _MOUNTS:
            return (
                "Files must be saved in module directories that Puppet makes available via mount"
                f" points: {', '.join(_MOUNTS)}"
            )
        if any(part in ("", ".", "..") for part in below.removesuffix("/").split("/") if below):
            return "File pathnames cannot include relative paths"
        if directory is None:
            return None
        path = os.path.join(directory, mount, below)
        reach = self.file.workspace.reach
        if reach is not None and not reach.allows(path):
            return None
        if not os.path.exists(path):
            return f"Could not find {path} on disk"
        if os.path.isdir(path) and not file.endswith("/"):
            return f"Directories specified in task metadata must include a trailing slash: {file}"
        if not os.path.isdir(path) and file.endswith("/"):
            return f"Files specified in task metadata cannot include a trailing slash: {file}"
        return None

    def _module(self, name: str) -> str | None:
        """Return the directory of a module, None if it is not at hand."""
        root = self.file.root
        if root is None or name == root.name:
            return None if root is None else root.directory
        for directory in () if root.environment is None else root.environment.modulepath():
            path = os.path.join(directory, name)
            if self.file.workspace.reach is None and os.path.isdir(path):
                return path
        return None


def _references(kind: PuppetType) -> Iterator[str]:
    """Yield the names in a type that the language does not know."""
    if isinstance(kind, TypeReferenceType):
        yield kind.type_string.partition("[")[0]
    for part in kind.contained():
        yield from _references(part)
