"""The session of one client: its requests, the program that it runs, and the events of both.

Requests arrive in the thread that reads; ``launch`` and ``restart`` are done in the main thread,
and the program runs there.
"""

from __future__ import annotations

from functools import partial
from queue import SimpleQueue
from threading import RLock, Timer

from puppet_repl.base.defect import defect_line, print_traceback
from puppet_repl.base.errors import PuppetError
from puppet_repl.base.recursion import deep_calls
from puppet_repl.frontends.debug_adapter.arguments import DebugError, get
from puppet_repl.frontends.debug_adapter.capabilities import CAPABILITIES
from puppet_repl.frontends.debug_adapter.dialect import Dialect
from puppet_repl.frontends.shared.interrupts import Interrupts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.frontends.debug_adapter.arguments import Message
    from puppet_repl.frontends.debug_adapter.debugger import Pending
    from puppet_repl.frontends.debug_adapter.program import Program

CANCELLED = "cancelled"
# Seconds for which a program may go on after its client has gone.
_PATIENCE = 2.0


class Adapter:
    """One client. ``send`` passes a message on, and is not interrupted.

    ``force_end`` ends the process if the program does not end after its client has gone.
    """

    def __init__(self, send: Callable[[Message], None], force_end: Callable[[], object]) -> None:
        self._send = send
        self._force_end = force_end
        # Held while a request is answered: its response comes before the events that follow.
        self._lock = RLock()
        self._sequence = 0
        self._dialect = Dialect()
        self._interrupts = Interrupts()
        self._program: Program | None = None
        self._launched: Message | None = None
        self._is_running = False
        self._has_ended = False
        self._is_gone = False
        self._restart: Message | None = None
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._pending: dict[int, Pending] = {}
        self._cancelled: set[int] = set()
        self._requests: dict[str, Callable[[Message], Message | None]] = {
            "initialize": self._initialize,
            "launch": self._launch,
            "configurationDone": self._configuration_done,
            "restart": self._restarted,
            "terminate": self._terminate,
            "disconnect": self._disconnect,
            "cancel": self._cancel,
        }

    def run(self) -> None:
        """Do the work of the main thread until the client has gone."""
        self._interrupts.install()
        while (work := self._work.get()) is not None:
            try:
                with deep_calls:
                    work()
            except Exception as error:
                print_traceback(error)
                self._event("output", {"category": "stderr", "output": f"{defect_line(error)}\n"})
                self._ended(1)

    # Messages

    def _write(self, message: Message) -> None:
        with self._lock:
            self._sequence += 1
            self._send({"seq": self._sequence, **message})

    def _event(self, name: str, body: Message) -> None:
        message: Message = {"type": "event", "event": name}
        if body:
            message["body"] = self._dialect.written(body)
        self._write(message)

    def _respond(self, request: Message, body: Message | None = None, problem: str = "") -> None:
        response = {
            "type": "response",
            "request_seq": request["seq"],
            "command": str(request.get("command", "")),
            "success": not problem,
        }
        if problem:
            # Users do not see that a request was cancelled; an error is also in the body.
            error = {"id": 1, "format": "{problem}", "variables": {"problem": problem}}
            response["message"] = problem
            response["body"] = {} if problem == CANCELLED else {"error": error}
        elif body:
            response["body"] = self._dialect.written(body)
        self._write(response)

    def take(self, message: Message) -> None:
        """Answer a message of the client, or let the main thread answer it."""
        if message.get("type") != "request":
            return  # there are no requests to the client, which would be answered
        if type(message.get("seq")) is not int:
            message = {**message, "seq": 0}
        with self._lock:
            try:
                body = self._answer(message)
            except (DebugError, PuppetError) as error:
                self._respond(message, problem=str(error) or "failed")
            except Exception as error:
                print_traceback(error)
                self._respond(message, problem=defect_line(error))
            else:
                if body is not None:
                    self._respond(message, body)

    def _answer(self, request: Message) -> Message | None:
        """Return the body of the response, None if it comes later. Raises DebugError."""
        command = request.get("command")
        own = self._requests.get(command) if isinstance(command, str) else None
        if own is not None:
            return own(request)
        program = self._program
        if program is None:
            raise DebugError(f"there is no program: {command} comes after launch")
        arguments: Message = get(request, "arguments", {})
        with deep_calls:
            body = program.debugger.answer(command, self._dialect.read(command, arguments))
        if isinstance(body, dict):
            return body
        self._wait_for(request, body)
        return None

    def _wait_for(self, request: Message, pending: Pending) -> None:
        """Respond to a request when its expression has an outcome, which may be cancelled."""
        number = request["seq"]
        self._pending[number] = pending

        def respond(_: object) -> None:
            del self._pending[number]
            is_cancelled = number in self._cancelled
            self._cancelled.discard(number)
            try:
                body = pending.body()
            except DebugError as error:
                self._respond(request, problem=CANCELLED if is_cancelled else str(error))
            except Exception as error:
                print_traceback(error)
                self._respond(request, problem=defect_line(error))
            else:
                problem = CANCELLED if is_cancelled else ""
                self._respond(request, body, problem)

        pending.outcome.add_done_callback(respond)

    # The requests of a session

    def _initialize(self, request: Message) -> Message:
        self._dialect = Dialect(get(request, "arguments", {}))
        return CAPABILITIES

    def _launch(self, request: Message) -> None:
        if self._launched is not None:
            raise DebugError("there is a program already")
        self._launched = get(request, "arguments", {})
        self._work.put(partial(self._make, request))

    def _make(self, request: Message) -> None:
        """Make the program of a launch, in the main thread."""
        try:
            self._program = self._made(self._launched or {})
        except (DebugError, PuppetError) as error:
            self._launched = None
            self._respond(request, problem=str(error))
            return
        self._respond(request)
        self._event("initialized", {})

    def _made(self, arguments: Message) -> Program:
        # Clients wait for the answer to ``initialize`` before they ask for more.
        from puppet_repl.frontends.debug_adapter.program import Program

        return Program(arguments, self._interrupts, self._event)

    def _configuration_done(self, _: Message) -> Message:
        if self._program is None:
            raise DebugError("there is no program: configurationDone comes after launch")
        if not self._is_running:
            self._is_running = True
            self._work.put(self._run)
        return {}

    def _run(self) -> None:
        """Run the program, and those that replace it; in the main thread."""
        status = 0
        while True:
            program = self._program
            assert program is not None
            if not program.debugger.is_ending:
                status = program.run()
            program.close()
            request, self._restart = self._restart, None
            if request is None or self._is_gone:
                break
            try:
                again = self._made(self._launched or {})
            except (DebugError, PuppetError) as error:
                self._respond(request, problem=str(error))
                break
            again.debugger.take_breakpoints(program.debugger)
            self._program = again
            self._respond(request)
        self._ended(status)

    def _ended(self, status: int) -> None:
        self._has_ended = True
        request, self._restart = self._restart, None
        if request is not None:
            self._respond(request, problem="the program has ended")
        self._event("exited", {"exitCode": status})
        self._event("terminated", {})

    def _restarted(self, request: Message) -> None:
        if self._program is None or not self._is_running or self._has_ended:
            raise DebugError("no program runs that could begin again")
        given: Message = get(get(request, "arguments", {}), "arguments", {})
        self._launched = given or self._launched
        self._restart = request
        self._program.end()

    def _terminate(self, _: Message) -> Message:
        if self._program is not None:
            self._program.end()
            if not self._is_running:
                self._is_running = True
                self._work.put(self._run)
        return {}

    def _disconnect(self, request: Message) -> None:
        self._respond(request)
        self.leave()

    def leave(self) -> None:
        """End the program and the work: the client has gone, or goes."""
        if self._is_gone:
            return
        self._is_gone = True
        timer = Timer(_PATIENCE, self._force_end)
        timer.daemon = True
        timer.start()
        if self._program is not None:
            self._program.end()
        self._work.put(None)

    def _cancel(self, request: Message) -> Message:
        number = get(get(request, "arguments", {}), "requestId", 0)
        pending = self._pending.get(number)
        if pending is not None and self._program is not None:
            self._cancelled.add(number)
            if not pending.outcome.cancel():
                self._program.debugger.interrupt_expression()
        return {}
