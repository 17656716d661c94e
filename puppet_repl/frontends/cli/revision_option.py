"""The option --rev: which revisions of git it names, and their files."""

from __future__ import annotations

import os
import signal
import sys
import tempfile

from puppet_repl.base.wording import failure_with_file
from puppet_repl.environment.modules.layout import parts_of
from puppet_repl.frontends.shared.revision_trees import RevisionTree
from puppet_repl.frontends.shared.revisions import GitError, ask_git, commit_of
from puppet_repl.host.session_options import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from contextlib import ExitStack

_SHORT = 12  # digits of a hash that people read


def revisions_of(directory: str, text: str) -> tuple[str, str | None]:
    """Return the revisions before and after that a text names; None for the files as they are.

    ``A..B`` are two, and ``A...B`` is B and the commit where it has left A. Raises GitError.
    """
    old, dots, new = text.partition("...")
    if dots:
        commits = [commit_of(directory, each or "HEAD") for each in (old, new)]
        try:
            found = ask_git(directory, "merge-base", *commits)
        except GitError:
            raise GitError(f"{text}: the revisions have no common ancestor here") from None
        return found[0].strip()[:_SHORT], new or "HEAD"
    old, dots, new = text.partition("..")
    return old or "HEAD", (new or "HEAD") if dots else None


def trees_of(given: Namespace, stack: ExitStack) -> list[RevisionTree]:
    """Return the revisions that the option --rev names, the older one first; none without it.

    The options get the directory of the environment as ``old``. The files are removed when the
    ``stack`` ends. Raises UsageError, or GitError for a revision that cannot be had.
    """
    if given.rev is None:
        return []
    if not given.rev.strip("."):
        raise UsageError(f"--rev: '{given.rev}' names no revision")
    if given.new is not None:
        raise UsageError("--rev: give one directory, or none; the revision is the other side")
    if given.hermetic:
        raise UsageError("--rev: a hermetic session does not ask git: it runs no programs")
    if given.scheduler:
        raise UsageError("--rev: the files of a revision are on this machine, not in a cluster")
    given.old = given.old or _environment_of(given)
    problem = f"{given.old}: --rev needs the directory of an environment"
    if not os.path.isdir(given.old):
        raise UsageError(problem)
    old, new = revisions_of(given.old, given.rev)
    if new is None and not parts_of(given.old):
        raise UsageError(problem)
    trees = []
    # The end of a job in CI would leave the files; this way the stack removes them.
    before = signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    stack.callback(signal.signal, signal.SIGTERM, before)
    for revision in (old,) if new is None else (old, new):
        try:
            room = stack.enter_context(tempfile.TemporaryDirectory(prefix="puppet-repl-"))
            trees.append(RevisionTree(given.old, revision, os.path.realpath(room)))
        except OSError as error:
            raise GitError(f"{revision}: {failure_with_file(error)}") from None
    return trees


def _environment_of(given: Namespace) -> str:
    """Return the environment of the options, as seen from the working directory if it was found."""
    named: str = given.environment or os.curdir
    return named if getattr(given, "found", None) is None else os.path.relpath(named)
