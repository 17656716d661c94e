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
    from collections.abc import Iterator, Mapping
    from typing import Protocol, TypeAlias

    from puppet_repl.base.stamp import Stamp
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.catalog.state import State
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.syntax.source import Source

    Template: TypeAlias = tuple[str, Stamp | None]

    class CodeFile(Protocol):
        """A file of the autoloader."""

        stamp: Stamp | None
        definitions: tuple[Definition, ...]
        functions: tuple[str, ...]
        types: tuple[str, ...]
        source: Source | None


_NAME = LatePattern(r"[A-Za-z]\w*(?:::\w+)*")


class LoadedCode:
    """The files of the autoloader by path at the end of an input.

    Inputs that loaded nothing share one. The names in a text are looked for once.
    """

    __slots__ = ("_by_name", "_named", "_templates", "_used", "files")

    def __init__(self, files: dict[str, CodeFile]) -> None:
        self.files = files
        self._by_name: dict[str, str] | None = None
        # The paths that a text names itself, by source; those of a template by path and stamp.
        self._named: dict[Source, frozenset[str]] = {}
        self._templates: dict[Template, frozenset[str]] = {}
        # The paths of files that these name, however far.
        self._used: dict[tuple[Source | None, tuple[Template, ...]], set[str]] = {}

    def used_by(self, definition: Definition | None, noted: Mapping[str, Stamp | None]) -> set[str]:
        """Return the paths of files that the code and the templates of a body name, however far.

        ``noted`` are the stamps of the files that the body has used, by path.
        """
        source = None if definition is None else definition.source
        templates = tuple([each for each in noted.items() if each[0].endswith(".epp")])
        used = self._used.get((source, templates))
        if used is not None:
            return used
        pending = [] if source is None else [self._named_in(source)]
        pending += [self._named_by_template(each) for each in templates]
        seen = self._used[source, templates] = set()
        while pending:
            new = pending.pop() - seen
            seen |= new
            sources = [self.files[path].source for path in new]
            pending += [self._named_in(each) for each in sources if each is not None]
        return seen

    def _named_in(self, source: Source) -> frozenset[str]:
        named = self._named.get(source)
        if named is None:
            named = self._named[source] = self._files_of(source.text)
        return named

    def _named_by_template(self, template: Template) -> frozenset[str]:
        named = self._templates.get(template)
        if named is None:
            try:
                text = read_text(template[0], errors="replace")
            except OSError:
                text = ""
            named = self._templates[template] = self._files_of(text)
        return named

    def _files_of(self, text: str) -> frozenset[str]:
        """Return the paths of the files that define what a text names."""
        if self._by_name is None:
            self._by_name = {}
            for path, file in self.files.items():
                defines = [each.name for each in file.definitions if each.kind == "define"]
                for defined in (*file.functions, *file.types, *defines):
                    self._by_name[defined.lower()] = path
        by_name = self._by_name
        return frozenset([by_name[name] for name in _names_in(text) if name in by_name])


class InputFiles:
    """The files that the session had loaded at the end of an input, for the bodies that it ran.

    ``code`` stays None while the input runs. ``settings`` are the files that configure the data,
    ``ruby`` those that Ruby had loaded.
    """

    __slots__ = ("code", "ruby", "settings")

    def __init__(self) -> None:
        self.code: LoadedCode | None = None
        self.settings: dict[str, Stamp | None] = {}
        self.ruby: dict[str, Stamp | None] = {}


class UsedFiles:
    """The files that the bodies of a session have used; with ``bind_once`` none are noted."""

    def __init__(self, context: Context, state: State) -> None:
        self.context = context
        self.state = state
        self._input = InputFiles()
        self._code = LoadedCode({})
        # The changed files of each body that has any, the number of the look that found them, and
        # the bodies that it looked at.
        self._found: dict[Resource, list[str]] = {}
        self._found_at: tuple[int, object] = -1, None
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
        if environment.autoloader.loaded != self._code.files:
            self._code = LoadedCode(dict(environment.autoloader.loaded))
        of_input.code = self._code
        if any(body.reads_data for _, body in self._bodies):
            of_input.settings = environment.data_settings()
        if context.has_ruby:
            of_input.ruby = context.ruby.files
        look = context.look
        for resource, body in self._bodies:
            types = {inner.type.lower() for inner in resource.contents or ()}
            for path in filter(None, map(environment.type_file, types)):
                body.files.setdefault(path, look.stamp(path))

    # Changes

    def have_changed(self, resource: Resource) -> bool:
        """Tell whether a file has changed that a class, or a define instance in it, has used."""
        changed = self._changed()
        return bool(changed) and any(each in changed for each in bodies_in(resource))

    def users_of_changed(self) -> dict[str, list[str]]:
        """Return the classes that have used files that have changed since, by path."""
        users: dict[str, list[str]] = {}
        changed = self._changed()
        for resource in self.state.tables.used_files if changed else ():
            if resource.is_class:
                paths = [path for each in bodies_in(resource) for path in changed.get(each, ())]
                for path in dict.fromkeys(paths):
                    users.setdefault(path, []).append(resource.title.lower())
        return users

    def _changed(self) -> dict[Resource, list[str]]:
        """Return the changed files that bodies have used themselves, for those that have any.

        All of a look are found at once: the files of a body that runs later are as in that look.
        """
        used = self.state.tables.used_files
        look = self.context.look
        if self._found_at[0] == look.number and self._found_at[1] is used:
            return self._found
        self._found_at = look.number, used
        self._found = {}
        # The changed files of a table of stamps, and of loaded code, that several bodies share.
        by_table: dict[int, list[str]] = {}
        by_code: dict[LoadedCode, set[str]] = {}

        def changed_in(stamps: Mapping[str, Stamp | None]) -> list[str]:
            paths = by_table.get(id(stamps))
            if paths is None:
                paths = [path for path, stamp in stamps.items() if look.stamp(path) != stamp]
                by_table[id(stamps)] = paths
            return paths

        for resource, (body, of_input) in used.items():
            found = changed_in(body.files) if body.files else []
            if body.reads_data:
                found = found + changed_in(of_input.settings)
            if body.has_run_ruby:
                found = found + changed_in(of_input.ruby)
            code = of_input.code
            if code is not None:
                changed = by_code.get(code)
                if changed is None:
                    files = code.files.items()
                    changed = {path for path, each in files if look.stamp(path) != each.stamp}
                    by_code[code] = changed
                if changed:
                    named = code.used_by(resource.instance_of, body.files)
                    found = found + sorted(changed & named)
            if found:
                self._found[resource] = found
        return self._found


def bodies_in(resource: Resource) -> Iterator[Resource]:
    """Yield a class or define instance, and the define instances that it holds."""
    pending = [resource]
    while pending:
        each = pending.pop()
        if each.instance_of is not None:
            yield each
            pending += each.contents or ()


def _names_in(text: str) -> set[str]:
    """Return the names in a text in lower case; those of members of type sets with the sets'."""
    names = {name.lower() for name in _NAME.findall(text)}
    return names | {name.rpartition("::")[0] for name in names if "::" in name}
