"""Choose, start and end the Ruby engine of a session.

The sandbox is the default. A thread keeps a few, and ends the least recently used one when another
session needs Ruby; the session of the ended sandbox loads its files again.

If sessions share engines (``Shared.engines``), the next session that sees the same files takes over
the Ruby with its loaded functions and templates, as in a Puppet server. A hermetic session,
whose code may come from strangers, takes none and leaves none.
"""

from __future__ import annotations

import os
from _thread import RLock
from typing import NamedTuple
from weakref import WeakSet

from puppet_repl.base.browser import IN_BROWSER, NO_RUBY
from puppet_repl.base.errors import OutOfMemory
from puppet_repl.base.memory import NO_ALLOCATION, clear_frames
from puppet_repl.base.optional_packages import how_to_install
from puppet_repl.environment.ruby.engine import NO_ROOM, EngineBroken
from puppet_repl.environment.ruby.recorded import RecordedEngine
from puppet_repl.environment.ruby.sandbox import libraries, store
from puppet_repl.environment.ruby.sandbox.files import SHIM, VisibleFiles
from puppet_repl.environment.ruby.sandbox.zone import changes
from puppet_repl.language.compiler.cache import store_of
from puppet_repl.language.compiler.stored import digest_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    from puppet_repl.base.reach import Reach
    from puppet_repl.base.stamp import Stamp
    from puppet_repl.environment.ruby.engine import Engine
    from puppet_repl.environment.ruby.sandbox.engine import SandboxEngine
    from puppet_repl.environment.ruby.sandbox.observations import Observations
    from puppet_repl.environment.ruby.sandbox.scratch import Scratch
    from puppet_repl.language.runtime.context import Context

    _Made = TypeVar("_Made")

MAX_SANDBOXES = 3
# Directories of an environment, besides modules, that Ruby code may read.
_OF_ENVIRONMENTS = ("data", "hieradata", "lib")

_sandboxes: WeakSet[SandboxEngine] = WeakSet()
_lock = RLock()


class Started(NamedTuple):
    """An engine with its loaded files, and the files that it has written in a sandbox.

    ``files`` are the loaded files, ``functions`` the descriptions of 4.x functions in them.
    """

    engine: Engine
    files: dict[str, Stamp | None]
    functions: dict[str, dict[str, Any]]
    scratch: Scratch


def take_engine(context: Context, scratch: Scratch) -> Started | None:
    """Return an engine for the session's option ``ruby``; None if there is none.

    ``scratch`` are the files that code in a sandbox has written in this session.

    Raises EngineFailure for a Ruby that cannot be started, and OutOfMemory if memory runs out.
    """
    kept = _engines_shared(context)
    sight, left = _pop_any(kept)
    if left is not None:
        look = context.look
        if sight == _sight(context) and left.engine.is_alive and look.are_current(left.files):
            left.scratch.take_over(scratch)
            return left
        left.engine.close()
    engine = _within_memory(lambda: _make_engine(context, scratch), context)
    return None if engine is None else Started(engine, {}, {}, scratch)


def _within_memory(make: Callable[[], _Made], context: Context) -> _Made:
    """Return the result of a function; raise OutOfMemory if memory runs out."""
    try:
        return make()
    except (*NO_ALLOCATION, SyntaxError) as error:
        # Without memory the compiler of Python takes the source of a library for bad syntax.
        clear_frames(error)
        setting = context.options.spelt("max_memory")
        raise OutOfMemory(f"{NO_ROOM} (see {setting})") from None


def leave_engine(started: Started, context: Context) -> None:
    """Leave an idle engine to the next session, or end it. One is kept: each takes much memory."""
    kept = _engines_shared(context)
    engine = started.engine
    if kept is None or not engine.is_alive or engine.is_worn:
        engine.close()
        return
    while (left := _pop_any(kept)[1]) is not None:
        left.engine.close()
    # Another thread may leave one at the same time.
    if kept.setdefault(_sight(context), started) is not started:
        engine.close()


def _pop_any(kept: dict[object, Started] | None) -> tuple[object, Started | None]:
    """Take an engine that a session has left, with its key; another thread may be faster."""
    try:
        return kept.popitem() if kept else (None, None)
    except KeyError:
        return None, None


def _engines_shared(context: Context) -> dict[object, Started] | None:
    return None if context.options.hermetic else context.shared.engines


def _sight(context: Context) -> object:
    """Return what distinguishes what engines are and see."""
    environment, options = context.environment, context.options
    roots = None if context.reach is None else context.reach.roots
    made = options.ruby, options.cache, os.environ.get("TZ"), roots
    if environment is None:
        return made
    stdlib = environment.stdlib
    bundled = stdlib.module.path if stdlib is not None and stdlib.is_bundled else None
    return *made, environment.modulepath, environment.directory, bundled


def _make_engine(context: Context, scratch: Scratch) -> Engine | None:
    choice = context.options.ruby
    if choice in ("auto", "sandbox"):
        return None if missing() else _make_sandbox(context, scratch)
    if choice == "off":
        return None
    if context.options.hermetic:
        raise EngineBroken(
            f"'{choice}' is a Ruby of this machine, which a hermetic session does not run;"
            " it runs the sandbox"
        )
    from puppet_repl.environment.ruby.system import SystemEngine

    return SystemEngine("ruby" if choice == "system" else choice)


def missing() -> str | None:
    """Return the reason for a missing sandbox, or None."""
    if IN_BROWSER:
        return NO_RUBY
    version = store.wasmtime_version()
    if version is None:
        return f"wasmtime is missing: {how_to_install('ruby')}, then puppet-repl ruby install"
    problem = store.problem()
    if problem is not None:
        return problem
    if store.compiled() is not None:
        return None
    if any(store.files().files()):
        return f"Ruby is not compiled for wasmtime {version}{store.REMEDY}"
    return "Ruby is not installed: run puppet-repl ruby install"


def remedy(context: Context) -> str:
    """Return what makes Ruby run in this session, as the end of a message."""
    if IN_BROWSER:
        return NO_RUBY
    if context.options.ruby == "off":
        return "'--ruby auto' or ':set ruby auto' makes it possible"
    if store.wasmtime_version() is None:
        return f"\"{how_to_install('ruby')}\" and 'puppet-repl ruby install' make it possible"
    problem = store.problem()
    if problem is not None:
        return f"Ruby is not used: {problem}"
    return "'puppet-repl ruby install' makes it possible"


def _make_sandbox(context: Context, scratch: Scratch) -> Engine | None:
    environment = context.environment
    roots: list[str] = []
    modulepath: tuple[str, ...] = ()
    if environment is not None:
        modulepath = environment.modulepath
        if environment.directory is not None:
            roots = [os.path.join(environment.directory, name) for name in _OF_ENVIRONMENTS]
    stdlib = None if environment is None else environment.stdlib
    if stdlib is not None and stdlib.is_bundled:
        roots.append(stdlib.module.path)
    records = None if context.reach is not None else store_of(context)
    beginning = None if records is None else _beginning(modulepath, roots)
    if records is None or beginning is None:
        return new_sandbox(modulepath, roots, scratch=scratch, reach=context.reach)

    def start(observed: Observations) -> SandboxEngine:
        made = _within_memory(
            lambda: new_sandbox(modulepath, roots, scratch=scratch, observed=observed), context
        )
        if made is None:
            raise EngineBroken("Ruby was removed")
        return made

    home = libraries.real_directory()
    always = [SHIM] if home is None else [SHIM, home]
    files = VisibleFiles(modulepath, roots, scratch, always=always)
    return RecordedEngine(start, files, records, beginning, libraries=home)


def _beginning(modulepath: Sequence[str], roots: Sequence[str]) -> bytes | None:
    """Return a digest of what distinguishes a Ruby before its first request; None without one."""
    digest = digest_with(os.path.join("environment", "ruby"))
    if digest is None:
        return None
    known = (
        store.compiled(),
        libraries.real_directory(),
        [os.path.abspath(path) for path in modulepath],
        [os.path.abspath(path) for path in roots],
        os.environ.get("TZ"),
        changes(),
    )
    return digest + repr(known).encode("utf-8", "surrogateescape")


def new_sandbox(
    modulepath: Sequence[str] = (),
    roots: Sequence[str] = (),
    *,
    scratch: Scratch | None = None,
    reach: Reach | None = None,
    observed: Observations | None = None,
) -> SandboxEngine | None:
    """Return a sandbox that sees these directories, None if it is not installed."""
    try:
        from puppet_repl.environment.ruby.sandbox.engine import SandboxEngine
        from puppet_repl.environment.ruby.sandbox.startup import Maker
    except (ImportError, OSError) as error:  # OSError: a library of the system does not load
        raise EngineBroken(f"wasmtime cannot be loaded: {error}") from None

    compiled = store.compiled()
    if compiled is None:
        return None
    with _lock:
        idle = [each for each in _sandboxes if each.is_alive and each.is_idle]
    idle.sort(key=lambda each: each.last_used, reverse=True)
    for engine in idle[MAX_SANDBOXES - 1 :]:
        engine.close()
    maker = Maker(compiled, modulepath, roots, scratch=scratch, reach=reach, observed=observed)
    made = SandboxEngine(maker)
    with _lock:
        _sandboxes.add(made)
    return made
