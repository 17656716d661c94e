"""Making Ruby for a session: from the snapshot on disk, or, the first time, from the beginning."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from puppet_repl.environment.ruby.sandbox import files, libraries, store
from puppet_repl.environment.ruby.sandbox.files import VisibleFiles
from puppet_repl.environment.ruby.sandbox.instance import MAX_MEMORY, Ruby
from puppet_repl.environment.ruby.sandbox.snapshot import Snapshot
from puppet_repl.environment.ruby.sandbox.zone import changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.reach import Reach
    from puppet_repl.environment.ruby.sandbox.observations import Observations
    from puppet_repl.environment.ruby.sandbox.scratch import Scratch
    from puppet_repl.environment.ruby.sandbox.wasi import Channel

SHIM = Path(files.SHIM)
_ENTRY = f"require {json.dumps(str(SHIM / 'sandbox.rb'))}; PuppetRepl::Sandbox"


class Maker:
    """Makes Rubies that see the same files.

    ``compiled`` is the name of the compiled module. Its first start makes the snapshot.
    ``libraries`` is the directory of the libraries that it lacks, None if they cannot be unpacked.
    ``scratch`` are the files that it may write, which the next Ruby can have as well. With a
    ``reach``, that of a hermetic session, it sees no other files, and no variable of this process.
    ``observed`` notes the files that Ruby looks at.
    """

    def __init__(
        self,
        compiled: str,
        modulepath: Sequence[str] = (),
        roots: Sequence[str] = (),
        *,
        scratch: Scratch | None = None,
        reach: Reach | None = None,
        max_memory: int = MAX_MEMORY,
        observed: Observations | None = None,
    ) -> None:
        self._compiled = compiled
        self.libraries = libraries.real_directory()
        always = [str(SHIM)] if self.libraries is None else [str(SHIM), self.libraries]
        self._files = VisibleFiles(
            modulepath, roots, scratch, reach=reach, always=always, observed=observed
        )
        self._is_hermetic = reach is not None
        self._max_memory = max_memory

    def __call__(
        self,
        channel: Channel,
        printed: Callable[[bytes], None],
        sleep: Callable[[float], None],
    ) -> Ruby:
        """Return a Ruby that is ready for requests.

        Raises RubyError, WasmtimeError, OSError.
        """
        ruby = self._new(channel, printed, sleep)
        name = store.snapshot_name(self._compiled, SHIM)
        snapshot = _read(name)
        if snapshot is not None:
            ruby.thaw(snapshot)
        else:
            ruby.boot(_ENTRY)
            self._keep(name, ruby, channel, printed, sleep)
        ruby.evaluate(f"PuppetRepl::Sandbox.wake({json.dumps(changes())})")
        return ruby

    def _new(
        self,
        channel: Channel,
        printed: Callable[[bytes], None],
        sleep: Callable[[float], None],
    ) -> Ruby:
        return Ruby(
            self._compiled,
            self._files,
            channel,
            printed,
            sleep,
            environment=_environment(with_zone=not self._is_hermetic),
            max_memory=self._max_memory,
        )

    def _keep(
        self,
        name: str,
        ruby: Ruby,
        channel: Channel,
        printed: Callable[[bytes], None],
        sleep: Callable[[float], None],
    ) -> None:
        fresh = self._new(channel, printed, sleep)
        try:
            snapshot = ruby.freeze(fresh)
        finally:
            fresh.close()
        # Without a place to keep it the next Ruby takes as long as this one.
        store.files().write(name, snapshot.to_bytes())


def _read(name: str) -> Snapshot | None:
    data = store.files().read(name)
    return None if data is None else Snapshot.from_bytes(data)


def _environment(*, with_zone: bool) -> dict[str, str]:
    variables = {"LANG": "C.UTF-8", "HOME": "/"}
    zone = os.environ.get("TZ") if with_zone else None
    if zone:
        variables["TZ"] = zone
    return variables
