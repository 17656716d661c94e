"""Install the modules of a Puppetfile: several at a time, each as a whole or not at all.

A module is unpacked beside the others and then renamed into its place. A directory that is not one
of ours, or has changed since, stays as it is, unless the user says otherwise.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from contextlib import ExitStack, suppress
from queue import SimpleQueue
from time import monotonic
from typing import NamedTuple

from puppet_repl.base.file_locks import locked_directory
from puppet_repl.base.wording import failure_with_file
from puppet_repl.environment.installation.archives import unpack
from puppet_repl.environment.installation.downloads import Downloads, Stopped
from puppet_repl.environment.installation.forge import (
    MAX_ARCHIVE,
    Forge,
    Release,
    check,
    checksum_of,
)
from puppet_repl.environment.installation.git import Repository
from puppet_repl.environment.installation.record import (
    Record,
    directory_text,
    files_digest,
    read_records,
    write_records,
)
from puppet_repl.environment.installation.wanted import ModuleError, without_credentials
from puppet_repl.environment.modules.modules import read_metadata, short_name
from puppet_repl.environment.modules.puppetfile_rules import LATEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO, Literal, TypeAlias

    from puppet_repl.environment.installation.wanted import Asked, Wanted

    State: TypeAlias = Literal["failed", "installed", "there"]

_SCRATCH = ".installing-"
# Seconds in which threads notice an interrupt, unless a server keeps them waiting.
_GRACE = 1.0
_LOCK_PAUSES = (0.0, 0.2, 0.5, 1.0)


class Outcome(NamedTuple):
    """What became of a module: its version, or why it failed, and names that were left out."""

    name: str
    state: State
    text: str
    left_out: tuple[str, ...] = ()


class _Unpacked(NamedTuple):
    version: str
    checksum: str
    left_out: list[str]


class Installation:
    """The installation of one Puppetfile, whose directory is ``base``.

    With ``force`` directories that are not ours are replaced; with ``update`` newer versions are
    taken where the Puppetfile leaves that open.
    """

    def __init__(
        self,
        base: str,
        *,
        force: bool = False,
        update: bool = False,
        downloads: Downloads | None = None,
    ) -> None:
        self.base = base
        self._stop = threading.Event() if downloads is None else downloads.stop
        self._downloads = downloads or Downloads(self._stop)
        self._force = force
        self._update = update
        self._records: dict[str, Record] = {}
        self._guard = threading.Lock()
        self._scratch: set[str] = set()

    def run(self, asked: Asked, jobs: int, report: Callable[[Outcome], None]) -> None:
        """Install modules, so many at a time; report each that is done.

        Raises ModuleError where another process does the same, PuppetfileError for a record that
        cannot be read, and OSError where nothing can be written. After an interrupt complete
        modules stay, and the rest is removed.
        """
        modules = asked.wanted
        waiting: SimpleQueue[Wanted | None] = SimpleQueue()
        done: SimpleQueue[Outcome] = SimpleQueue()
        threads = [
            threading.Thread(target=self._work, args=(waiting, done), daemon=True)
            for _ in range(min(jobs, len(modules)))
        ]
        with ExitStack() as stack:
            parents = {os.path.dirname(each.place) for each in modules}
            for parent in sorted({os.path.realpath(self.base), *parents}):
                if not os.path.isdir(parent):
                    os.makedirs(parent)
                    stack.callback(_remove_if_empty, parent)
                if stack.enter_context(locked_directory(parent, _LOCK_PAUSES)) is False:
                    raise ModuleError(f"another process installs modules in {parent}")
                _remove_abandoned(parent)
            self._records = read_records(self.base)
            named = {short_name(each.name) for each in asked.refused}
            self._forget({each.name for each in modules} | named)
            for each in (*modules, *[None] * len(threads)):
                waiting.put(each)
            try:
                for thread in threads:
                    thread.start()
                for _ in modules:
                    report(done.get())
            except BaseException:
                self._end(threads)
                raise

    def _end(self, threads: list[threading.Thread]) -> None:
        with self._guard:  # a module on its way gets into its place
            self._stop.set()
        until = monotonic() + _GRACE
        for thread in threads:
            if thread.ident is not None:
                thread.join(max(0.0, until - monotonic()))
        for path in list(self._scratch):
            shutil.rmtree(path, ignore_errors=True)

    def _work(self, waiting: SimpleQueue[Wanted | None], done: SimpleQueue[Outcome]) -> None:
        while (wanted := waiting.get()) is not None:
            try:
                outcome = self._install(wanted)
            except ModuleError as error:
                outcome = Outcome(wanted.name, "failed", str(error))
            except OSError as error:
                outcome = Outcome(wanted.name, "failed", failure_with_file(error))
            except Exception as error:  # the other modules do not depend on it
                outcome = Outcome(wanted.name, "failed", f"{type(error).__name__}: {error}")
            done.put(outcome)

    def _install(self, wanted: Wanted) -> Outcome:
        """Install one module; raise ModuleError and OSError."""
        self._check_stop()
        record = self._records.get(wanted.name)
        is_there = _is_there(wanted.place)
        is_ours = is_there and _is_unchanged(wanted.place, record)
        is_open = self._update and not _is_fixed(wanted)
        locked = record if record is not None and record.fixes(wanted) and not is_open else None
        if locked is not None and is_ours and locked.answers(wanted, self.base):
            return Outcome(wanted.name, "there", locked.version)
        if is_there and not is_ours and not self._force:
            found = None if record is not None or is_open else _found_version(wanted)
            if found is not None:
                return Outcome(wanted.name, "there", found)
            raise ModuleError(self._why_kept(wanted, record))
        scratch = tempfile.mkdtemp(prefix=_SCRATCH, dir=os.path.dirname(wanted.place))
        self._scratch.add(scratch)
        try:
            return self._install_into(scratch, wanted, locked, record)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
            self._scratch.discard(scratch)

    def _install_into(
        self, scratch: str, wanted: Wanted, locked: Record | None, before: Record | None
    ) -> Outcome:
        """Unpack a module below ``scratch`` and put it into its place.

        ``locked`` is the record of the version to take, ``before`` that of the present one.
        """
        new = os.path.join(scratch, "new")
        os.mkdir(new)
        unpacked = self._unpack(scratch, new, wanted, locked)
        if not os.listdir(new):
            raise ModuleError("there is nothing in it")
        if not wanted.keeps_spec:
            shutil.rmtree(os.path.join(new, "spec"), ignore_errors=True)
        files = files_digest(new)
        record = Record(
            *(wanted.title, wanted.kind, wanted.shown_source, wanted.version, wanted.fallback),
            *(unpacked.version, unpacked.checksum, directory_text(wanted, self.base)),
            *(wanted.spec, files),
        )
        # Perhaps the newest version is the one that is there.
        is_same = (
            _is_there(wanted.place)
            and before is not None
            and before.files == files
            and not self._force
        )
        with self._guard:
            self._check_stop()
            if not is_same:
                _put(new, wanted.place, os.path.join(scratch, "old"))
            if self._records.get(wanted.name) != record:
                self._records[wanted.name] = record
                write_records(self.base, self._records)
        state: State = "there" if is_same else "installed"
        return Outcome(wanted.name, state, unpacked.version, tuple(unpacked.left_out))

    def _unpack(self, scratch: str, new: str, wanted: Wanted, locked: Record | None) -> _Unpacked:
        if wanted.kind == "git":
            repository = Repository(wanted.source, scratch, self._stop, self.base)
            if locked is None:
                commit = repository.fetch(wanted.version, wanted.fallback)
            else:
                commit = repository.fetch(locked.version, "")
            return _Unpacked(commit, "", repository.write(commit, new))
        with tempfile.TemporaryFile(dir=scratch) as file:
            if wanted.kind == "forge":
                asked = wanted.version if locked is None else locked.version
                release = Forge(wanted.source, self._downloads).release(wanted.title, asked)
            else:
                checksum = f"sha256:{wanted.version}" if wanted.version else ""
                release = Release(wanted.version, wanted.source, checksum)
            checksum = self._download(release, file)
            if locked is not None:
                check(file, locked.checksum, f"the archive of {wanted.title}")
            left_out = unpack(file, new, strips=wanted.kind == "forge")
        return _Unpacked(release.version or checksum, checksum, left_out)

    def _download(self, release: Release, file: BinaryIO) -> str:
        """Download an archive, and compare its checksum; return the SHA-256."""
        self._downloads.fetch(release.address, file, MAX_ARCHIVE)
        if release.checksum:
            check(file, release.checksum, without_credentials(release.address))
        return checksum_of(file)

    def _why_kept(self, wanted: Wanted, record: Record | None) -> str:
        why = "has changed since it was installed" if record else "is not of 'modules install'"
        return f"{directory_text(wanted, self.base)} {why}, and stays (--force replaces it)"

    def _check_stop(self) -> None:
        if self._stop.is_set():
            raise Stopped("stopped")

    def _forget(self, names: set[str]) -> None:
        """Forget modules that the Puppetfile does not name any more; their directories stay."""
        gone = self._records.keys() - names
        if gone:
            for name in gone:
                del self._records[name]
            write_records(self.base, self._records)


def _is_fixed(wanted: Wanted) -> bool:
    """Tell whether the Puppetfile says exactly which version of a module it is."""
    if wanted.kind == "git":
        return len(wanted.version) >= 40 and wanted.version.isalnum()
    return wanted.version not in ("", LATEST)


def _is_there(place: str) -> bool:
    """Tell whether a path exists; git leaves an empty directory in the place of a submodule."""
    is_empty = not os.path.islink(place) and os.path.isdir(place) and not os.listdir(place)
    return os.path.lexists(place) and not is_empty


def _is_unchanged(place: str, record: Record | None) -> bool:
    """Tell whether a directory is as it was installed."""
    if record is None or os.path.islink(place) or not os.path.isdir(place):
        return False
    return files_digest(place) == record.files


def _found_version(wanted: Wanted) -> str | None:
    """Return the version of a module from another tool, None for a version that is not wanted."""
    if wanted.kind != "forge" or os.path.lexists(os.path.join(wanted.place, ".git")):
        return None
    metadata = read_metadata(wanted.place)
    title, version = metadata.get("name"), metadata.get("version")
    if not isinstance(title, str) or not isinstance(version, str):
        return None
    is_it = title.replace("/", "-") == wanted.title and wanted.version in ("", LATEST, version)
    return version if is_it else None


def _put(new: str, place: str, old: str) -> None:
    """Put a directory into its place, and the one before to ``old``. Raises OSError."""
    if os.path.lexists(place):
        os.rename(place, old)
    try:
        os.rename(new, place)
    except OSError:
        with suppress(OSError):
            os.rename(old, place)
        raise
    if os.path.islink(old):
        os.unlink(old)


def _remove_if_empty(directory: str) -> None:
    with suppress(OSError):
        os.rmdir(directory)


def _remove_abandoned(parent: str) -> None:
    """Remove what a process has left that was killed."""
    for name in os.listdir(parent):
        if name.startswith(_SCRATCH):
            shutil.rmtree(os.path.join(parent, name), ignore_errors=True)
