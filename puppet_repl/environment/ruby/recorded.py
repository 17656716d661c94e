"""The sandbox of most sessions, which keeps replies: with the same input Ruby need not start.

Ruby describes the types and functions of modules, and its start takes longer than the rest of most
catalogs. The reply to a request follows from the requests since the start of Ruby, the answers to
its questions, and the files that it has looked at. So a *record* of a request is kept in the cache
of compiled files. The key of a record is a digest of the request and of everything before it. The
record has the questions with digests of their answers, the outcomes of looking at files, and the
reply.

For a request with a record, the same questions are answered again and the same files are looked at.
If all answers and outcomes are the same, the reply is the recorded one. Otherwise Ruby starts, and
runs the requests so far to reach the state that it would be in. From then on it replies to all
requests.

No record is made of a request that depends on anything else, such as the time, and none of a call
whose result has text, or that asks for anything or looks at files: such texts may be secrets.
"""

from __future__ import annotations

import json
import marshal

from puppet_repl.environment.ruby.engine import EngineBroken
from puppet_repl.environment.ruby.sandbox.observations import Observations, still_hold

# Importing hashlib loads the libraries of OpenSSL.
try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from puppet_repl.base.private_store import PrivateStore
    from puppet_repl.environment.ruby.sandbox.engine import SandboxEngine
    from puppet_repl.environment.ruby.sandbox.files import VisibleFiles
    from puppet_repl.environment.ruby.sandbox.observations import Look, Outcome

    Answer: TypeAlias = Callable[[str], str]
    Exchange: TypeAlias = tuple[str, str]
    # Questions with digests of their answers, outcomes, reply.
    Record: TypeAlias = tuple[list[tuple[str, bytes]], dict[Look, Outcome], str]

MAX_RECORDS = 64
"""How many requests since the start have records: a service may send thousands."""

_DIGEST_SIZE = 20
_MAX_REQUEST = 4096
# Requests whose replies tell of the code alone, and those whose replies are values.
_ABOUT_CODE = frozenset(("load", "load_legacy", "resource_type"))
_VALUES = frozenset(("call", "call_legacy"))
# Questions whose answers come from files or the session, and lead to no other request.
_PLAIN_QUESTIONS = frozenset(
    (
        "environment_name",
        "fact",
        "facts",
        "find_file",
        "library",
        "library_file",
        "module",
        "modulepath",
        "modules",
        "profile",
    )
)


class RecordedEngine:
    """A sandbox that starts when a request has no record; see Engine.

    ``start`` starts it with observations to fill, and raises EngineFailure. ``files`` are those it
    sees; ``beginning`` is a digest of what else its replies depend on.
    """

    name = "sandbox"

    def __init__(
        self,
        start: Callable[[Observations], SandboxEngine],
        files: VisibleFiles,
        records: PrivateStore,
        beginning: bytes,
        *,
        libraries: str | None,
    ) -> None:
        self.libraries = libraries
        self.max_seconds = 0.0
        self._start = start
        self._files = files
        self._records = records
        self._observed = Observations()
        # The digest of all that came before, None when there are no more records.
        self._before: bytes | None = beginning
        self._count = 0
        self._depth = 0
        self._sandbox: SandboxEngine | None = None
        self._is_closed = False
        # The requests before the start, with their questions and answers, and their records.
        self._past: list[tuple[str, list[Exchange], Record]] = []

    @property
    def is_alive(self) -> bool:
        """Whether requests can be sent."""
        return not self._is_closed and (self._sandbox is None or self._sandbox.is_alive)

    @property
    def is_worn(self) -> bool:
        """Whether Ruby takes much memory."""
        return self._sandbox is not None and self._sandbox.is_worn

    def close(self) -> None:
        """End Ruby."""
        self._is_closed = True
        if self._sandbox is not None:
            self._sandbox.close()

    def converse(self, request: str, answer: Answer) -> str:
        """Send a request and return the reply; see Engine."""
        if not self.is_alive:
            raise EngineBroken("Ruby has stopped")
        self._depth += 1
        try:
            if self._depth > 1:
                self._before = None
            elif self._before is not None:
                return self._converse_with_record(request, answer)
            return self._live(answer).converse(request, answer)
        except BaseException:
            self.close()
            raise
        finally:
            self._depth -= 1

    def _converse_with_record(self, request: str, answer: Answer) -> str:
        kind = self._kind(request)
        if kind is None:
            self._before = None
            return self._live(answer).converse(request, answer)
        assert self._before is not None
        key = _digest(self._before, _digest_of_text(request))
        exchanges: list[Exchange] = []
        if self._sandbox is None:
            data = self._records.read(_name(key))
            if data is not None:
                record: Record = marshal.loads(data)
                if self._is_current(record, answer, exchanges):
                    self._past.append((request, exchanges, record))
                    self._go_on(key, data)
                    return record[2]
        return self._make_record(key, kind, request, answer, exchanges)

    def _kind(self, request: str) -> frozenset[str] | None:
        """Return the kind of a request that may have a record."""
        if len(request) > _MAX_REQUEST or self._count == MAX_RECORDS:
            return None
        if not self._files.scratch.is_empty:
            return None
        do = json.loads(request)["do"]
        return next((kind for kind in (_ABOUT_CODE, _VALUES) if do in kind), None)

    def _is_current(self, record: Record, answer: Answer, exchanges: list[Exchange]) -> bool:
        """Tell whether Ruby would reply the same; fill in the questions that were asked again."""
        for question, digest in record[0]:
            text = answer(question)
            exchanges.append((question, text))
            # Another request on the way to the answer would have started Ruby.
            if self._sandbox is not None or _digest_of_text(text) != digest:
                return False
        return still_hold(record[1], self._files)

    def _make_record(
        self, key: bytes, kind: frozenset[str], request: str, answer: Answer, known: list[Exchange]
    ) -> str:
        """Have Ruby answer a request, and keep the record; ``known`` has answers to questions."""
        sandbox = self._live(answer)
        self._observed.begin()
        exchanges: list[Exchange] = []
        reply = sandbox.converse(request, _remembering(known, answer, exchanges))
        is_whole, self._observed.are_whole = self._observed.are_whole, False
        if self._before is not None:
            self._before = None
            outcomes = self._observed.needed()
            if is_whole and _is_plain(reply, kind, exchanges, outcomes):
                asked = [(question, _digest_of_text(text)) for question, text in exchanges]
                data = marshal.dumps((asked, outcomes, reply))
                self._records.write(_name(key), data)
                self._go_on(key, data)
        return reply

    def _go_on(self, key: bytes, record: bytes | memoryview) -> None:
        self._before = _digest(key, record)
        self._count += 1

    def _live(self, answer: Answer) -> SandboxEngine:
        """Return Ruby itself, in the state after all requests so far."""
        if self._sandbox is None:
            self._sandbox = sandbox = self._start(self._observed)
            for request, exchanges, record in self._past:
                sandbox.max_seconds = self.max_seconds
                self._repeat(sandbox, request, _remembering(exchanges, answer, []), record)
            self._past = []
        self._sandbox.max_seconds = self.max_seconds
        return self._sandbox

    def _repeat(self, sandbox: SandboxEngine, request: str, answer: Answer, record: Record) -> None:
        """Run a request that has had the reply of a record.

        If files have changed since, the state of Ruby is not the recorded one: there are no more
        records then.
        """
        observed = self._observed
        observed.begin()
        reply = sandbox.converse(request, answer)
        if reply != record[2]:
            if "r" not in json.loads(reply):
                raise EngineBroken("Ruby code that was loaded has changed since, and fails now")
            self._before = None
        if not observed.are_whole or observed.needed() != record[1]:
            self._before = None
        observed.are_whole = False


def _remembering(known: list[Exchange], answer: Answer, exchanges: list[Exchange]) -> Answer:
    """Return a function that answers known questions, in their order, and then asks ``answer``."""
    remembered = iter(known)

    def ask(question: str) -> str:
        before, text = next(remembered, (None, ""))
        if before != question:
            text = answer(question)
        exchanges.append((question, text))
        return text

    return ask


def _is_plain(
    reply: str,
    kind: frozenset[str],
    exchanges: list[Exchange],
    outcomes: dict[Look, Outcome],
) -> bool:
    """Tell whether a reply may be recorded, with the questions and outcomes it follows from.

    The reply has a result alone, and the questions can be answered again. Questions of a call and
    the paths it looks at may have texts of its arguments.
    """
    if kind is _VALUES and (exchanges or outcomes):
        return False
    if any(json.loads(question)["ask"] not in _PLAIN_QUESTIONS for question, _ in exchanges):
        return False
    said: dict[str, Any] = json.loads(reply)
    if not said.keys() <= {"files", "r"}:
        return False
    return kind is _ABOUT_CODE or isinstance(said["r"], bool | int | float | None)


def _digest_of_text(text: str) -> bytes:
    return _digest(text.encode("utf-8", "surrogatepass"))


def _digest(*parts: bytes | memoryview) -> bytes:
    digest = blake2b(digest_size=_DIGEST_SIZE)
    for part in parts:
        digest.update(b"%d\0" % len(part))
        digest.update(part)
    return digest.digest()


def _name(key: bytes) -> str:
    """Return the name of a record in the cache of compiled files."""
    name = key.hex()
    return f"{name[0]}/{name[1:]}"
