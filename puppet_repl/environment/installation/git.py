"""Repositories of modules: one commit is fetched, and its files are written.

Neither hooks nor filters run, submodules are not followed, nothing is asked at the terminal, and
only the protocols below are used. Files come from ``git archive`` and are unpacked as archives are.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile

from puppet_repl.base.programs import find_program, program_directories
from puppet_repl.environment.installation.archives import unpack
from puppet_repl.environment.installation.downloads import Stopped
from puppet_repl.environment.installation.wanted import ModuleError, without_credentials

TYPE_CHECKING = False
if TYPE_CHECKING:
    from threading import Event
    from typing import IO

_SETTINGS = (
    f"core.hooksPath={os.devnull}",
    "core.fsmonitor=false",
    "fetch.recurseSubmodules=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.ext.allow=never",
    "http.lowSpeedLimit=100",
    "http.lowSpeedTime=60",
)
_ENVIRONMENT = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
    "LC_ALL": "C",
}
# Configuration can define filters; those of the network are needed only while fetching.
_WITHOUT_CONFIGURATION = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_COUNT": "0",
    "GIT_ATTR_NOSYSTEM": "1",
}
# What a hook of git, which may have started this process, says about another repository.
_OF_OTHERS = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"),
    *("GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_PREFIX"),
)
# All files of a commit as they are, whatever its own .gitattributes leave out or run.
_ATTRIBUTES = "* -export-ignore -export-subst -filter -text -ident -working-tree-encoding\n"
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_EVERYTHING = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
# git has said that the repository can be read, but has no such ref, or gives no such commit.
_NO_REF = re.compile(r"remote ref|not our ref|unadvertised|no such remote|invalid refspec", re.I)
_POLL = 0.2


class Repository:
    """A repository; the commits that were fetched are in a directory below ``scratch``.

    A relative address is one in ``base``.
    """

    def __init__(self, address: str, scratch: str, stop: Event, base: str) -> None:
        self._address = address
        self._start = base
        self._directory = os.path.join(scratch, "repository.git")
        self._base = scratch
        self._stop = stop
        self._run("init", "--quiet", "--bare", "--template=", self._directory)

    def fetch(self, ref: str, fallback: str) -> str:
        """Fetch the commit that a ref names, or else the fallback; return its hash."""
        commit = self._fetch(ref)
        if commit is None and fallback:
            commit = self._fetch(fallback)
        if commit is None:
            tried = f"'{ref}' or '{fallback}'" if fallback not in ("", ref) else f"'{ref}'"
            raise ModuleError(f"{without_credentials(self._address)} has no {tried}")
        return commit

    def write(self, commit: str, directory: str) -> list[str]:
        """Write the files of a commit into a directory; return the names that were left out."""
        information = os.path.join(self._directory, "info")
        os.makedirs(information, exist_ok=True)
        with open(os.path.join(information, "attributes"), "w", encoding="utf-8") as file:
            file.write(_ATTRIBUTES)
        with tempfile.TemporaryFile(dir=self._base) as archive:
            self._git("archive", "--format=tar", commit, output=archive, alone=True)
            archive.seek(0)
            return unpack(archive, directory, strips=False)

    def _fetch(self, ref: str) -> str | None:
        """Return the commit of a ref, None if the repository has none."""
        options = ("--quiet", "--no-tags", "--no-recurse-submodules", "--force")
        try:
            self._git("fetch", *options, "--depth=1", "--", self._address, ref)
        except ModuleError as error:
            if not _NO_REF.search(str(error)):
                raise
            if not _COMMIT.fullmatch(ref):
                return None
        else:
            return self._commit("FETCH_HEAD")
        # A part of a hash, or a server that gives no commit by its hash.
        self._git("fetch", *options, "--", self._address, *_EVERYTHING)
        return self._commit(ref)

    def _commit(self, ref: str) -> str | None:
        try:
            wanted = f"{ref}^{{commit}}"
            return self._git("rev-parse", "--verify", "--quiet", "--end-of-options", wanted)
        except ModuleError:
            return None

    def _git(self, *arguments: str, output: IO[bytes] | None = None, alone: bool = False) -> str:
        place = f"--git-dir={self._directory}"
        return self._run(place, *arguments, output=output, alone=alone)

    def _run(self, *arguments: str, output: IO[bytes] | None = None, alone: bool = False) -> str:
        """Return what git prints; raise ModuleError with what it says where it fails."""
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        environment = _environment() | (_WITHOUT_CONFIGURATION if alone else {})
        try:
            process = subprocess.Popen(
                [find_program("git"), *settings, *arguments],
                cwd=self._start,
                stdin=subprocess.DEVNULL,
                stdout=output or subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                start_new_session=True,  # ssh has no terminal to ask at
            )
        except FileNotFoundError:
            raise ModuleError("git is not installed") from None
        printed, said = self._wait(process)
        if process.returncode:
            lines = said.decode("utf-8", "replace").strip().splitlines()
            # The first line has the cause, which may come from ssh.
            told = [line for line in lines if not line.startswith(("warning: ", "hint: "))]
            reason = told[0] if told else f"git {arguments[0]} fails"
            reason = reason.removeprefix("fatal: ").removeprefix("error: ")
            reason = without_credentials(reason)
            shown = without_credentials(self._address)
            raise ModuleError(reason if shown in reason else f"{shown}: {reason}")
        return (printed or b"").decode("utf-8", "replace").strip()

    def _wait(self, process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
        while True:
            try:
                return process.communicate(timeout=_POLL)
            except subprocess.TimeoutExpired:
                if self._stop.is_set():
                    _end(process)
                    raise Stopped("stopped") from None


def _environment() -> dict[str, str]:
    """Return the variables for git."""
    kept = {name: value for name, value in os.environ.items() if name not in _OF_OTHERS}
    return {**kept, **_ENVIRONMENT, "PATH": program_directories()}  # ssh is found there, too


def _end(process: subprocess.Popen[bytes]) -> None:
    """End git and the programs that it has started."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except ProcessLookupError:
        pass  # it has ended
    process.communicate()


def branch_of(directory: str) -> str | None:
    """Return the branch that a working directory is on, None where there is none, or no git."""
    try:
        git = find_program("git")
    except FileNotFoundError:
        return None
    done = subprocess.run(
        [git, "-c", "core.fsmonitor=false", "symbolic-ref", "--quiet", "--short", "HEAD"],
        cwd=directory,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return done.stdout.decode("utf-8", "replace").strip() or None
