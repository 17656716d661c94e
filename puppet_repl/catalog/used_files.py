"""The files that the bodies of classes and defines have used: a change of any makes them outdated.

Templates, data and files in Ruby are noted while a body runs. Functions, types and defines in
Puppet are found by their names, and only after a loaded file has changed: in the code of the body,
in its templates, and in the files that these names are from.
"""

from __future__ import annotations

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.patterns import LatePattern
from puppet_repl.base.stamp import NotedFiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from puppet_repl.base.stamp import Look, Stamp
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.catalog.state import State
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.syntax.source import Source

    class CodeFile(Protocol):
        """A file of the autoloader."""

        stamp: Stamp | None
        definitions: tuple[Definition, ...]
        functions: tuple[str, ...]
        types: tuple[str, ...]
        source: Source | None


_NAME = LatePattern(r"[A-Za-z]\w*(?:::\w+)*")


class InputFiles:
    """The files that the session had loaded at the end of an input, for the bodies that it ran.

    ``code`` are the files of the autoloader by path, None while the input runs. ``settings`` are
    the files that configure the data, ``ruby`` those that Ruby had loaded.
    """

    __slots__ = ("_by_name", "_changed", "code", "ruby", "settings")

    def __init__(self) -> None:
        self.code: dict[str, CodeFile] | None = None
        self.settings: dict[str, Stamp | None] = {}
        self.ruby: dict[str, Stamp | None] = {}
        self._by_name: dict[str, tuple[str, CodeFile]] = {}
        self._changed: tuple[int, frozenset[str]] = (-1, frozenset())

    def changed(self, look: Look) -> frozenset[str]:
        """Return the paths of the files of code that have changed since."""
        if self._changed[0] != look.number:
            code = self.code or {}
            paths = [path for path, file in code.items() if look.stamp(path) != file.stamp]
            self._changed = look.number, frozenset(paths)
        return self._changed[1]

    def file_of(self, name: str) -> tuple[str, CodeFile] | None:
        """Return path and file of a function, type or define by its name."""
        if not self._by_name:
            for path, file in (self.code or {}).items():
                defines = [each.name for each in file.definitions if each.kind == "define"]
                for defined in (*file.functions, *file.types, *defines):
                    self._by_name[defined.lower()] = path, file
        return self._by_name.get(name)


class UsedFiles:
    """The files that the bodies of a session have used; with ``bind_once`` none are noted."""

    def __init__(self, context: Context, state: State) -> None:
        self.context = context
        self.state = state
        self._input = InputFiles()
        # The bodies of the input that runs.
        self._bodies: list[tuple[Resource, NotedFiles]] = []

    def begin_input(self) -> None:
        """Forget the input before."""
        self._input = InputFiles()
        self._bodies = []

    def begin_body(self, resource: Resource) -> NotedFiles | None:
        """Return what notes the files of a body that is about to run, None if nothing does."""
        if self.context.options.bind_once or self.context.environment is None:
            return None
        body = NotedFiles()
        self.state.writable().used_files[resource] = body, self._input
        self._bodies.append((resource, body))
        return body

    def end_input(self) -> None:
        """Note what all bodies of the input have used."""
        environment = self.context.environment
        if not self._bodies or environment is None:
            return
        context, of_input = self.context, self._input
        of_input.code = dict(environment.autoloader.loaded)
        if any(body.reads_data for _, body in self._bodies):
            of_input.settings = environment.data_settings()
        if context.has_ruby:
            of_input.ruby = context.ruby.files
        look = context.shared.look
        for resource, body in self._bodies:
            types = {inner.type.lower() for inner in resource.contents or ()}
            for path in filter(None, map(environment.type_file, types)):
                body.files.setdefault(path, look.stamp(path))

    # Changes

    def have_changed(self, resource: Resource) -> bool:
        """Tell whether a file has changed that a class, or a define instance in it, has used."""
        return any(True for _ in self._changed(resource))

    def users_of_changed(self) -> dict[str, list[str]]:
        """Return the classes that have used files that have changed since, by path."""
        users: dict[str, list[str]] = {}
        for resource in self.state.tables.used_files:
            if resource.is_class:
                for path in dict.fromkeys(self._changed(resource)):
                    users.setdefault(path, []).append(resource.title.lower())
        return users

    def _changed(self, resource: Resource) -> Iterator[str]:
        """Yield the changed files that a class, and the define instances in it, have used."""
        used = self.state.tables.used_files
        look = self.context.shared.look
        for each in bodies_in(resource):
            if each not in used:
                continue
            body, of_input = used[each]
            noted = [body.files]
            if body.reads_data:
                noted.append(of_input.settings)
            if body.has_run_ruby:
                noted.append(of_input.ruby)
            for stamps in noted:
                yield from [path for path, stamp in stamps.items() if look.stamp(path) != stamp]
            if of_input.changed(look):
                yield from self._changed_by_name(each, body, of_input)

    def _changed_by_name(
        self, resource: Resource, body: NotedFiles, of_input: InputFiles
    ) -> Iterator[str]:
        """Yield the changed files with what the code of a body names, however far."""
        changed = of_input.changed(self.context.shared.look)
        definition = resource.instance_of
        pending = [] if definition is None else [definition.source.text]
        pending += [text for path in body.files if (text := _template(path)) is not None]
        seen: set[str] = set()
        while pending:
            for name in _names_in(pending.pop()):
                found = of_input.file_of(name)
                if found is None or found[0] in seen:
                    continue
                path, file = found
                seen.add(path)
                if path in changed:
                    yield path
                if file.source is not None:
                    pending.append(file.source.text)


def bodies_in(resource: Resource) -> Iterator[Resource]:
    """Yield a class or define instance, and the define instances that it holds."""
    pending = [resource]
    while pending:
        each = pending.pop()
        if each.instance_of is not None:
            yield each
            pending += each.contents or ()


def _template(path: str) -> str | None:
    """Return the text of a template in Puppet, None for other files."""
    if not path.endswith(".epp"):
        return None
    try:
        return read_text(path, errors="replace")
    except OSError:
        return None


def _names_in(text: str) -> set[str]:
    """Return the names in a text in lower case; those of members of type sets with the sets'."""
    names = {name.lower() for name in _NAME.findall(text)}
    return names | {name.rpartition("::")[0] for name in names if "::" in name}
