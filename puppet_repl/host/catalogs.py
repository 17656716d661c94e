"""Contents of catalogs to compare: of a session, of another machine, of a file."""

from __future__ import annotations

import os

from puppet_repl.base.file_reading import is_open_pipe, read_text
from puppet_repl.base.json_data import JsonDataError, JsonLimitError, read_json
from puppet_repl.base.recursion import deep_calls
from puppet_repl.base.wording import why_unusable
from puppet_repl.catalog.content import (
    DocumentError,
    content_of,
    content_of_document,
    is_catalog,
)
from puppet_repl.environment.modules.layout import parts_of
from puppet_repl.host.known_nodes import is_known, note_if_unknown
from puppet_repl.host.machines import Machine, session_for
from puppet_repl.host.source_files import add_sources
from puppet_repl.session import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.errors import PuppetError
    from puppet_repl.catalog.content import CatalogContent
    from puppet_repl.host.host import Log
    from puppet_repl.language.runtime.placeholders import Placeholders
    from puppet_repl.session import Session

_ENDING = ".json"
_MANIFEST = ".pp"


class _NoCatalog(DocumentError):
    """A file that cannot be read, or that holds anything but a catalog."""


class NotCompiled(Exception):
    """No catalog could be compiled for a machine; ``error`` is Puppet's."""

    def __init__(self, name: str, error: PuppetError) -> None:
        super().__init__(f"no catalog for {name}: {error}")
        self.name = name
        self.error = error


def content_now(session: Session) -> CatalogContent:
    """Return the content of a session's catalog; the session is not changed."""
    with deep_calls:
        content = content_of(session.catalog)
    if session.environment is not None:
        add_sources(content.resources.values(), session.environment)
    return content


def content_on(machine: Machine, session: Session, unknown: list[str]) -> CatalogContent:
    """Return the content of the catalog that a session has on another machine.

    The name of a node that the site does not know is added to ``unknown``. Raises NotCompiled, and
    UnknownNode where that name has no domain.
    """
    made, failed = session_for(machine, session, replay=machine.manifest is None)
    try:
        if machine.manifest is not None:
            return _finished(made, machine.name, _compiled(made, machine))
        if machine.node is not None:
            note_if_unknown(made, machine.node, session, unknown)
        return _finished(made, machine.name, failed)
    finally:
        made.close()


def _note_unknown(machine: Machine, made: Session, unknown: list[str]) -> None:
    name = machine.node
    if name is None or machine.facts is not None:
        return  # a profile says what the node is
    if name not in unknown and not is_known(made, name):
        unknown.append(name)


def content_compiled(
    machine: Machine,
    session: Session,
    code: str | None,
    unknown: list[str],
    log: Log | None = None,
    placeholders: list[Placeholders] | None = None,
) -> CatalogContent:
    """Return the content of the catalog that a server compiles for a machine.

    ``code`` is run on top of the manifests. Nothing of ``session`` counts but its settings. ``log``
    is called with level and text of each message, ``unknown`` is that of ``content_on``; those of
    secrets that could not be read are added to ``placeholders``. Raises NotCompiled.
    """
    made, _ = session_for(machine, session, replay=False)
    made.log = log
    try:
        outcome = _compiled(made, machine)
        if outcome.error is None and code is not None:
            outcome = made.execute(code)
        content = _finished(made, machine.name, outcome)
        _note_unknown(machine, made, unknown)
        return content
    finally:
        found = made.catalog.context.placeholders
        if found is not None and placeholders is not None:
            placeholders.append(found)
        made.close()


def _compiled(session: Session, machine: Machine) -> Outcome:
    """Run the manifest of a machine, or the manifests of its environment."""
    if machine.manifest is None:
        return session.compile_site()
    return session.compile_site(machine.manifest, machine.name)


def content_before_last(session: Session) -> CatalogContent:
    """Return the content of a session's catalog as it was before the last input; nothing runs."""
    return session.look_back(lambda: content_now(session))


def _finished(session: Session, name: str, outcome: Outcome | None) -> CatalogContent:
    """Finish the catalog of a session and return its content; ``outcome`` is the last one."""
    if outcome is None or outcome.error is None:
        outcome = session.finish_catalog(Outcome())
    if outcome.error is not None:
        raise NotCompiled(name, outcome.error)
    return content_now(session)


def content_of_file(path: str) -> CatalogContent | None:
    """Return the content of a catalog that a file holds as JSON, None for any other file.

    Lines before the document, as ``puppet catalog compile`` prints them, are passed over. Raises
    DocumentError for a catalog that cannot be used, and for a pipe with anything else: it cannot be
    read again.
    """
    path = os.path.expanduser(path)
    is_pipe = is_open_pipe(path)
    if not (is_pipe or os.path.isfile(path)):
        return None
    try:
        return _content_in(path)
    except _NoCatalog:
        if not is_pipe:
            return None
        raise DocumentError(f"{path}: a pipe must hold a catalog, and this is not one") from None


def _content_in(path: str) -> CatalogContent:
    """Return the content of the catalog in a file.

    Raises _NoCatalog for any other file, DocumentError for a catalog that cannot be used.
    """
    try:
        text = read_text(path)
        data = read_json(text[_document_start(text) :])
    except JsonLimitError as error:
        raise DocumentError(f"{path}: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise _NoCatalog(f"{path}: {why_unusable(error)}") from None
    except JsonDataError as error:
        raise _NoCatalog(f"{path}: not JSON: {error}") from None
    try:
        with deep_calls:
            return content_of_document(data)
    except RecursionError:
        raise DocumentError(f"{path}: too deeply nested") from None
    except DocumentError as error:
        if is_catalog(data):
            raise DocumentError(f"{path}: {error}") from None
        raise _NoCatalog(f"{path}: not a catalog: {error}") from None


def machine_with_manifest(path: str) -> Machine | None:
    """Return the machine that runs a manifest, None for a path that does not name one.

    Raises DocumentError for a manifest that cannot be read.
    """
    if not path.endswith(_MANIFEST):
        return None
    try:
        text = read_text(os.path.expanduser(path))
    except (OSError, UnicodeDecodeError) as error:
        raise DocumentError(f"{path}: {why_unusable(error)}") from None
    return Machine(path, manifest=text)


def contents_of_directory(path: str) -> dict[str, CatalogContent]:
    """Return the contents of the catalogs that a directory holds, each by the name of its node.

    They are files NODE.json, as ``puppet-repl compile --output`` writes them; an environment has
    none. Raises DocumentError for a directory that cannot be read, and for such a file that holds
    no catalog: without it, the resources of its node would seem to be gone.
    """
    if not os.path.isdir(path) or parts_of(path):
        return {}
    try:
        names = sorted(os.listdir(path))
    except OSError as error:
        raise DocumentError(f"{path}: {why_unusable(error)}") from None
    files = ((name, os.path.join(path, name)) for name in names if name.endswith(_ENDING))
    return {
        name.removesuffix(_ENDING): _content_in(file)
        for name, file in files
        if not os.path.isdir(file)
    }


def _document_start(text: str) -> int:
    if text[:1] in "{[":
        return 0
    starts = [position + 1 for sign in "{[" if (position := text.find(f"\n{sign}")) >= 0]
    return min(starts, default=0)
