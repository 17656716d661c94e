"""Catalogs of a revision: options that name paths in the work tree mean those of the revision."""

from __future__ import annotations

import os
from argparse import Namespace

from puppet_repl.base.wording import counted
from puppet_repl.environment.facts.facts import is_factset
from puppet_repl.frontends.shared.compiling import NodePlan
from puppet_repl.host.node_facts import NodeFacts
from puppet_repl.host.session_options import UsageError, facts_of
from puppet_repl.language.runtime.options import OPTIONS
from puppet_repl.session.classification import is_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from puppet_repl.catalog.export_data import ExportedResource
    from puppet_repl.session import Options, Session, Shared


class RevisionFiles:
    """The files of a ``revision`` below ``root``, in place of those of the work tree ``checkout``.

    Both are absolute paths, and ``checkout`` has no links in it.
    """

    __slots__ = ("checkout", "revision", "root")

    def __init__(self, revision: str, root: str, checkout: str) -> None:
        self.revision = revision
        self.root = root
        self.checkout = checkout

    def path_of(self, path: str) -> str | None:
        """Return the path of the revision for one in the work tree, None for one elsewhere.

        The revision has links of its own: those in the work tree are not followed.
        """
        for whole in (os.path.abspath(path), os.path.realpath(path)):
            above = whole
            while os.path.dirname(above) != above:
                if os.path.realpath(above) == self.checkout:
                    inner = os.path.relpath(whole, above)
                    return os.path.normpath(os.path.join(self.root, inner))
                above = os.path.dirname(above)
        return None

    def path_at(self, option: str, path: str) -> str:
        """Return the path of the revision, or one elsewhere as it is.

        Raises UsageError, which names the ``option``, if the revision lacks it.
        """
        found = self.path_of(path)
        if found is None:
            return path
        if not os.path.exists(found):
            inner = os.path.relpath(found, self.root)
            raise UsageError(f"{option}: {self.revision} has no {inner}")
        return found

    def in_checkout(self, text: str) -> str:
        """Return a text with the paths of the work tree in place of those of the revision."""
        return text.replace(self.root, self.checkout)


class RevisionPlan(NodePlan):
    """The common part of the catalogs of a revision, with options and facts of its ``files``.

    ``options`` and ``facts`` are those of the session that the options ``given`` describe.
    ``notes`` name files of the checkout that count. Raises UsageError for a path that the revision
    lacks.
    """

    __slots__ = ("files", "notes")

    def __init__(
        self,
        files: RevisionFiles,
        given: Namespace,
        options: Options,
        facts: Mapping[str, object] | None,
        exports: Sequence[ExportedResource] | None,
    ) -> None:
        self.files = files
        self.notes: list[str] = []
        super().__init__(
            self._options(options),
            _facts(files, given, facts),
            assignments=given.fact or (),
            exports=None if exports is None else tuple(exports),
        )

    def session_for(self, node: NodeFacts, shared: Shared | None) -> Session:
        """Return the session of a node. Raises FactsError for a file that cannot be used."""
        path = None if node.path is None else self.files.path_of(node.path)
        if path is not None and os.path.exists(path):
            node = NodeFacts(node.name, path)
        return super().session_for(node, shared)

    def note_missing(self, nodes: Iterable[NodeFacts]) -> None:
        """Note the nodes whose facts the revision lacks: a new node, or facts not kept in git."""
        paths = [None if node.path is None else self.files.path_of(node.path) for node in nodes]
        number = sum(path is not None and not os.path.exists(path) for path in paths)
        if number:
            self.notes.append(
                f"{self.files.revision} has no facts of {counted(number, 'node')}: "
                "those of the checkout are used"
            )

    def _options(self, options: Options) -> Options:
        """Return the options with the paths of the revision.

        Directories of modules that it lacks are left out. A classifier that is a program stays that
        of the work tree: nothing of a revision runs.
        """
        made = options.copy()
        made.enc = self._classifier(made.enc)
        flag = _flag("hiera_config")
        if made.hiera_config is not None:
            made.hiera_config = self.files.path_at(flag, made.hiera_config)
        flag = _flag("stubs")
        made.stubs = tuple(self.files.path_at(flag, path) for path in made.stubs)
        directories = [(path, self.files.path_of(path)) for path in made.modulepath]
        made.modulepath = tuple(
            found or path for path, found in directories if found is None or os.path.isdir(found)
        )
        return made

    def _classifier(self, path: str | None) -> str | None:
        flag, revision = _flag("enc"), self.files.revision
        if path is None:
            return None
        if is_program(path):
            if self.files.path_of(path) is not None:
                self.notes.append(f"{flag} is a program: for {revision} that of the checkout runs")
            return path
        found = self.files.path_at(flag, path)
        if found != path and is_program(found):
            raise UsageError(f"{flag}: {path} is a program in {revision}, which does not run")
        return found


def _facts(
    files: RevisionFiles, given: Namespace, facts: Mapping[str, object] | None
) -> Mapping[str, object] | None:
    """Return the facts of a revision. Files elsewhere, maybe pipes, are read again if they must."""
    named = given.facts or []
    found = [each if is_factset(each) else files.path_at("--facts", each) for each in named]
    if found == named:
        return facts
    return facts_of(Namespace(**{**vars(given), "facts": found}))


def _flag(name: str) -> str:
    return OPTIONS[name].flag.partition(" ")[0]
