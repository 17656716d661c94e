"""The named sessions of the machine interface, and the data that all its sessions share.

A request in catalog mode begins its session again, for the node of the request: only the settings
of the session and the resources that nodes have exported stay. All other requests run in the
present session, and may not describe another one.
"""

from __future__ import annotations

import gc
import json
import os
from collections import OrderedDict

from puppet_repl.base.memory import collect_garbage
from puppet_repl.catalog.exports import ExportStore
from puppet_repl.catalog.exports_file import read_exports
from puppet_repl.frontends.cli.batch_options import (
    facts_of,
    is_compiled_by_server,
    is_input,
    options_of,
)
from puppet_repl.host.host import Host
from puppet_repl.language.runtime.options import MAX_MEMORY, OPTIONS, hermetic_problem
from puppet_repl.language.runtime.puppetdb_address import is_address
from puppet_repl.session import Shared

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.environment.facts.local_facts import Facts
    from puppet_repl.session import Session

    Request = dict[str, Any]

# What describes the node: a request that is compiled as by a server says all of it.
_OF_NODE = ("node", "facts", "trusted")
_OF_PROCESS = ("cache", "max_seconds")
_DESCRIBING = (*(name for name in OPTIONS if name not in _OF_PROCESS), "facts")
_NOT_RUN = ("parse", "parse_only")
DEFAULT_FACTS: Facts = {
    "os": {
        "family": "Debian",
        "name": "Debian",
        "release": {"major": "12", "minor": "5", "full": "12.5"},
    },
    "kernel": "Linux",
    "networking": {"fqdn": "node.example.com", "hostname": "node", "ip": "10.0.0.1"},
}


class _Named:
    """A session with a name: the keys that describe it, and what nodes have exported in it.

    ``count`` is the number of the last input before the request that runs.
    """

    __slots__ = ("count", "exports", "keys", "session")

    def __init__(self, keys: Request, session: Session, exports: ExportStore) -> None:
        self.keys = keys
        self.session = session
        self.exports = exports
        self.count = session.count


class Sessions:
    """What requests leave after: the sessions with a name, and what all sessions share.

    With ``hermetic`` all of them are so, whatever a request says. ``max_memory`` is the limit of
    their process, in bytes, ``cache`` the option of that name of all of them. If there are more
    than ``max_sessions`` with a name, the least recently used one ends. ``has_begun`` tells whether
    the present request has begun the session that it names.
    """

    def __init__(
        self,
        *,
        hermetic: bool = False,
        max_memory: int = MAX_MEMORY,
        max_sessions: int | None = None,
        cache: bool = True,
    ) -> None:
        self.hermetic = hermetic
        self.cache = cache
        self.max_memory = max_memory
        self.max_sessions = max_sessions
        self.has_begun = False
        self.named: OrderedDict[str, _Named] = OrderedDict()
        self.shared = Shared()
        self.shared.engines = {}
        self._has_garbage = False
        # The sessions that have ended since garbage was collected.
        self._left = 0
        self._collections = _automatic_collections()

    def close(self) -> None:
        """End what sessions have started."""
        for named in self.named.values():
            named.session.close()
        self.shared.close()

    def end_request(self, request: Request) -> None:
        """Note the end of a request, which is {} if it was not checked."""
        self.has_begun = False
        if not request or request.get("mode") in _NOT_RUN:
            return
        self._has_garbage = True
        if request.get("session") is None or is_compiled_by_server(request):
            self._left += 1

    def tidy(self) -> None:
        """Free what requests needed but their sessions lack; call it while nobody waits.

        To look for garbage takes a time for each session that stays: with many of them, requests
        that leave little wait until they have left as much as a quarter of these sessions hold.
        """
        if not self._left:
            return
        has_left_much = self._collections != _automatic_collections()
        if has_left_much or self._left > len(self.named) // 4:
            self.collect()

    def collect(self) -> bool:
        """Free what earlier requests have left; tell whether they may have left anything."""
        if not self._has_garbage:
            return False
        self._has_garbage = False
        self._left = 0
        collect_garbage(is_all=not self.named)
        self._collections = _automatic_collections()
        return True

    def problem(self, request: Request) -> str | None:
        """Return how a checked request differs from its session; None if it can run there.

        Raises FactsError.
        """
        named = self.named.get(request.get("session") or "")
        wanted_keys = {**(named.keys if named else {}), **request}
        if self.hermetic or wanted_keys.get("hermetic"):
            settings = OPTIONS["puppet_settings"].taken(wanted_keys.get("puppet_settings"))
            problem = hermetic_problem({**wanted_keys, "puppet_settings": settings})
            if problem is not None:
                return f"'{problem[0]}': {problem[1]}"
        if named is None or request.get("mode") in _NOT_RUN or is_compiled_by_server(request):
            return None
        has, wanted = options_of(named.keys), options_of(request)
        for key in _DESCRIBING:
            if key == "facts" or request.get(key) is None:
                continue
            old, new = (_comparable(key, getattr(options, key)) for options in (has, wanted))
            if old != new:
                return f"session '{request['session']}' has {_phrase(key, getattr(has, key))}"
        if request.get("facts") is not None and _facts(request) != named.session.facts:
            return f"session '{request['session']}' has other facts"
        return None

    def session_of(self, request: Request) -> Session:
        """Return the session that a checked request runs in. Raises FactsError or ExportsError."""
        keys = {key: request[key] for key in _DESCRIBING if request.get(key) is not None}
        name = request.get("session")
        if name is None:
            return self._made(keys, _exports(keys))
        named = self.named.get(name)
        if named is None:
            exports = _exports(keys)
        else:
            self.named.move_to_end(name)
            if not is_compiled_by_server(request):
                named.count = named.session.count
                return named.session
            settings = {key: named.keys[key] for key in named.keys if key not in _OF_NODE}
            keys, exports = settings | keys, named.exports
        session = self._made(keys, exports)
        if named is not None:
            named.session.close()
        else:
            self.has_begun = True
        self.named[name] = _Named(keys, session, exports)
        while self.max_sessions is not None and len(self.named) > self.max_sessions:
            self._left += 1
            self.named.popitem(last=False)[1].session.close()
        return session

    def count_failure(self, request: Request) -> None:
        """Let a failed input keep its number: whoever sends requests counts all of them."""
        named = self.named.get(request.get("session") or "")
        if named is not None and is_input(request):
            named.session.number_next(named.count + 2)

    def keep_exports(self, request: Request) -> None:
        """Keep the exports of the catalog of a request, for the other nodes of its session.

        Do not call this for a failed catalog: the earlier exports of its node stay.
        """
        named = self.named.get(request.get("session") or "")
        if named is not None and request.get("mode") == "catalog":
            named.session.keep_exports()

    def _made(self, keys: Request, exports: ExportStore) -> Session:
        options = options_of(keys)
        options.hermetic = options.hermetic or self.hermetic
        options.max_memory = self.max_memory
        options.cache = self.cache
        host = Host(options, facts=_facts(keys), shared=self.shared, exports=exports)
        return host.session


def _exports(keys: Request) -> ExportStore:
    """Return what the file of ``puppetdb`` has, which no request writes. Raises ExportsError."""
    path = keys.get("puppetdb")
    return read_exports(path) if path and not is_address(path) else ExportStore()


def _automatic_collections() -> int:
    """Return the number of collections of the youngest generation."""
    collections: int = gc.get_stats()[0]["collections"]
    return collections


def _facts(request: Request) -> Facts:
    return facts_of(request) or DEFAULT_FACTS


def _comparable(key: str, value: object) -> object:
    if isinstance(value, str) and key in ("environment", "node"):
        return os.path.abspath(value) if key == "environment" else value.lower()
    return value or None


def _phrase(key: str, value: object) -> str:
    """Return what a session has: ``the node 'web01'``, ``no node``."""
    if value is None or value in ((), {}):
        return f"no {key}"
    if isinstance(value, str):
        return f"the {key} '{value}'"
    return f"the {key} {json.dumps(value)}"
