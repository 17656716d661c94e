"""The server as a function: from a message of a client to the messages that answer it."""

from __future__ import annotations

import os
from queue import SimpleQueue

from puppet_repl.base.defect import defect_line, print_traceback
from puppet_repl.base.errors import PuppetError
from puppet_repl.base.recursion import deep_calls
from puppet_repl.frontends.language_server.addresses import path_of, uri_of
from puppet_repl.frontends.language_server.capabilities import (
    NAME,
    WATCHED,
    Client,
    initialize_result,
)
from puppet_repl.frontends.language_server.jobs import Job, Jobs
from puppet_repl.frontends.language_server.progress import Progress
from puppet_repl.frontends.language_server.wire import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    REQUEST_CANCELLED,
    REQUEST_FAILED,
    SERVER_NOT_INITIALIZED,
    RequestError,
    error_response,
    response,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from puppet_repl.frontends.language_server.features import Features
    from puppet_repl.frontends.language_server.jobs import Said
    from puppet_repl.frontends.language_server.wire import Message

    Parameters: TypeAlias = dict[str, Any]

_LOG_ERROR, _LOG_WARNING, _INFO = 1, 2, 3
# A message with more lines covers the text of an editor.
_MAX_LINES = 40
_REFRESHED = ("codeLens", "inlayHint")
_OF_FILES = (
    "textDocument/didSave",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeWorkspaceFolders",
)


class Server:
    """The state of one client's session.

    ``status`` is the exit status once the client has said ``exit``, None before. ``send`` is given
    the messages about the progress of a request while it is being answered.
    """

    def __init__(self) -> None:
        self.status: int | None = None
        # What threads have read: messages of the client, and what the worker has said.
        self.inbox: SimpleQueue[Any] = SimpleQueue()
        self.jobs = Jobs(self.inbox)
        self._client = Client()
        self._parameters: Parameters | None = None
        self._process: object = None
        self._is_shut_down = False
        self._has_begun = False
        self._known: Features | None = None
        self._messages: list[Message] = []
        self.send: Callable[[Message], None] = self._add
        self._asked: dict[str, Callable[[Any], None]] = {}
        self._number = 0
        self._shown = 0
        # Shared with the thread that reads; single operations of sets need no lock.
        self._waiting: set[object] = set()
        self._cancelled: set[object] = set()

    # Cancellation

    def note(self, message: Message) -> None:
        """Note a message that has arrived and is answered later; any thread may call it."""
        parameters = message.get("params")
        if message.get("method") == "$/cancelRequest":
            number = parameters.get("id") if isinstance(parameters, dict) else None
            if _is_id(number) and number in self._waiting:
                self._cancelled.add(number)
        elif "method" in message and _is_id(message.get("id")):
            self._waiting.add(message["id"])

    def _check(self, number: object, progress: Progress | None = None) -> None:
        """Raise RequestError for a request that was cancelled."""
        if progress is not None:
            progress.step()
        if number in self._cancelled:
            raise RequestError(REQUEST_CANCELLED, "cancelled")

    # Messages

    def answer(self, message: Message) -> list[Message]:
        """Return the messages that a message causes at once: mostly its response."""
        try:
            self._take(message)
        except RequestError as error:
            self._log(_LOG_WARNING, f"{message.get('method')}: {error}")
        except Exception as error:
            self._log_defect(str(message.get("method")), error)
        return self._taken()

    def _take(self, message: Message) -> None:
        """Do what a message asks for."""
        method, number = message.get("method"), message.get("id")
        parameters = message.get("params")
        if not isinstance(parameters, dict):
            parameters = {}
        if not isinstance(method, str):
            if _is_id(number) and ("result" in message or "error" in message):
                self._take_response(message)
            else:
                error = RequestError(INVALID_REQUEST, "a message has a method")
                self._messages.append(error_response(None, error))
        elif "id" in message:
            answered = self._response(method, number, parameters)
            if answered is not None:
                self._messages.append(answered)
        else:
            self._notified(method, parameters)

    def _add(self, message: Message) -> None:
        self._messages.append(message)

    def hear(self, said: Said) -> list[Message]:
        """Return the messages that an answer of the worker causes."""
        try:
            self.jobs.hear(said)
        except Exception as error:
            self._log_defect("an answer of the worker", error)
        return self._taken()

    def check_jobs(self) -> list[Message]:
        """End the job whose time is up; return the messages that this causes."""
        return self._taken()

    def _taken(self) -> list[Message]:
        self.jobs.check()
        for job in self.jobs.ended:
            if job.error is not None:
                self._messages.append(error_response(job.number, job.error))
            else:
                self._messages.append(response(job.number, job.result))
                if job.is_shown:
                    self._show(job.result)
        self.jobs.ended.clear()
        if self._known is not None and self._known.state.is_outdated:
            self._known.state.is_outdated = False
            if self._client.pulls and self._client.can(
                "workspace", "diagnostics", "refreshSupport"
            ):
                self._ask("workspace/diagnostic/refresh", None, lambda _: None)
        messages, self._messages = self._messages, []
        return messages

    def _response(self, method: str, number: Any, parameters: Parameters) -> Message | None:
        """Return the response to a request, None if the worker will answer it."""
        if not _is_id(number):
            return error_response(None, RequestError(INVALID_REQUEST, "an id is a number or text"))
        try:
            self._check(number)
            with deep_calls:
                result = self._result(method, number, parameters)
            is_shown = method == "workspace/executeCommand" and _wants_to_see(parameters)
            if isinstance(result, Job):
                result.number, result.is_shown = number, is_shown
                return None
            if is_shown:
                self._show(result)
            return response(number, result)
        except RequestError as error:
            return error_response(number, error)
        except PuppetError as error:  # of an environment that Puppet refuses
            return error_response(number, RequestError(REQUEST_FAILED, error.message))
        except Exception as error:
            self._log_defect(method, error)
            text = f"{type(error).__name__}: {error}"
            return error_response(number, RequestError(INTERNAL_ERROR, text))
        finally:
            self._waiting.discard(number)
            self._cancelled.discard(number)

    def _result(self, method: str, number: object, parameters: Parameters) -> Any:
        if method == "initialize":
            if self._parameters is not None:
                raise RequestError(INVALID_REQUEST, "initialize is for the beginning")
            self._parameters = parameters
            self._client = Client(parameters)
            number = parameters.get("processId")
            # In a container it may be the number of a process outside of it.
            self._process = number if _is_alive(number) else None
            return initialize_result(self._client)
        if self._parameters is None:
            raise RequestError(SERVER_NOT_INITIALIZED, "initialize comes first")
        if self._is_shut_down:
            raise RequestError(INVALID_REQUEST, "the server is shut down")
        if method == "shutdown":
            self._is_shut_down = True
            self.jobs.close()
            return None
        feature = self._features.requests.get(method)
        if feature is None:
            raise RequestError(METHOD_NOT_FOUND, f"no method {method}")
        progress = Progress("searching", self.send, parameters.get("workDoneToken"))
        state = self._features.state
        before, state.check = state.check, lambda: self._check(number, progress)
        try:
            return feature(parameters)
        finally:
            state.check = before
            progress.end()

    def _notified(self, method: str, parameters: Parameters) -> None:
        if method == "exit":
            self.status = 0 if self._is_shut_down else 1
        elif method == "$/cancelRequest":
            self.jobs.cancel(parameters.get("id"))
        elif self._parameters is None or self._is_shut_down or method.startswith("$/"):
            return  # as the protocol says
        elif method == "initialized":
            self._begin()
        elif method == "workspace/didChangeConfiguration":
            self._configure(parameters.get("settings"))
        else:
            notified = self._features.notifications.get(method)
            if notified is not None:
                with deep_calls:
                    notified(parameters)
            if method in _OF_FILES:
                self._refresh()

    # What clients are asked

    def _refresh(self, *kinds: str) -> None:
        """Make the client ask again for what depends on other files or on settings."""
        for kind in kinds or _REFRESHED:
            if self._has_begun and self._client.can("workspace", kind, "refreshSupport"):
                self._ask(f"workspace/{kind}/refresh", None, lambda _: None)

    def _ask(self, method: str, parameters: Any, take: Callable[[Any], None]) -> None:
        self._number += 1
        number = f"{NAME}-{self._number}"
        self._asked[number] = take
        self._messages.append(
            {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}
        )

    def _create_progress(self, token: str, begin: Callable[[], None]) -> None:
        if self._client.can("window", "workDoneProgress"):
            method = "window/workDoneProgress/create"
            self._ask(method, {"token": token}, lambda _: begin())

    def _take_response(self, message: Message) -> None:
        take = self._asked.pop(str(message["id"]), None)
        if take is not None and "result" in message:
            take(message["result"])

    def _begin(self) -> None:
        """Ask for settings, and to hear of changed files."""
        self._has_begun = True
        if self._client.can("workspace", "configuration"):
            self._configure(None)
        if self._client.can("workspace", "didChangeWatchedFiles", "dynamicRegistration"):
            method = "workspace/didChangeWatchedFiles"
            watchers = [{"globPattern": each} for each in WATCHED]
            options = {"watchers": watchers}
            registration = {"id": method, "method": method, "registerOptions": options}
            self._ask(
                "client/registerCapability", {"registrations": [registration]}, lambda _: None
            )

    def _configure(self, given: object) -> None:
        """Take over settings, or ask for them where the client wants to be asked."""
        if self._client.can("workspace", "configuration"):

            def take(answered: object) -> None:
                if isinstance(answered, list) and answered:
                    self._take_settings(answered[0])

            self._ask("workspace/configuration", {"items": [{"section": NAME}]}, take)
        elif isinstance(given, dict):
            self._take_settings(given.get(NAME, given))

    def _take_settings(self, given: object) -> None:
        for problem in self._features.configure(given):
            self._log(_LOG_WARNING, problem)
        self._refresh()

    def _show(self, result: Parameters) -> None:
        """Ask the client to show the text of a result: as a document if it can, or as a message."""
        if "text" not in result:
            return
        if self._client.can("window", "showDocument", "support"):
            self._shown += 1
            path = os.path.join(self.jobs.scratch, f"puppet-repl-{self._shown}.md")
            with open(path, "w", encoding="utf-8", errors="replace") as file:
                file.write(result["text"])
            given = {"uri": uri_of(path), "takeFocus": True}
            self._ask("window/showDocument", given, lambda _: None)
            return
        lines = result["text"].splitlines()
        if len(lines) > _MAX_LINES:
            lines = [*lines[:_MAX_LINES], f"... ({len(lines) - _MAX_LINES} more lines)"]
        self._notify("window/showMessage", _INFO, "\n".join(lines))

    # Work without a message

    @property
    def is_abandoned(self) -> bool:
        """Whether the process of the client has ended."""
        return self._process is not None and not _is_alive(self._process)

    @property
    def has_work(self) -> bool:
        """Whether there is something to do without a message."""
        if self._known is None:
            return self._has_begun
        return self._known.has_work

    def work(self) -> list[Message]:
        """Do one piece of the work; return the messages for the client.

        The first piece is to import the features.
        """
        try:
            with deep_calls:
                indexing = self._features.state.indexing
                was_indexing = indexing.has_work
                self._messages += self._features.work()
                if was_indexing and not indexing.has_work:
                    self._refresh("codeLens")  # the nodes of a class are counted now
        except Exception as error:
            self._log_defect("the check of a document", error)
        return self._taken()

    @property
    def _features(self) -> Features:
        """The features; what they need is imported once ``initialize`` is answered."""
        if self._known is None:
            from puppet_repl.frontends.language_server.features import Features

            parameters = self._parameters or {}
            options = parameters.get("initializationOptions")
            self._known = Features(
                self._client,
                _directories(parameters),
                options,
                self._add,
                self._create_progress,
                self.jobs,
            )
            for problem in self._known.state.settings.problems:
                self._log(_LOG_WARNING, problem)
        return self._known

    # The log of the client

    def _log(self, level: int, text: str) -> None:
        self._notify("window/logMessage", level, text)

    def _notify(self, method: str, level: int, text: str) -> None:
        given = {"type": level, "message": text}
        self._messages.append({"jsonrpc": "2.0", "method": method, "params": given})

    def _log_defect(self, subject: str, error: Exception) -> None:
        """Log an error that should not happen, with its place in the program."""
        print_traceback(error)
        self._log(_LOG_ERROR, f"{subject}: {defect_line(error)}")


def _is_alive(number: object) -> bool:
    """Tell whether there is a process of a number; on Windows, where none can be asked, False."""
    if os.name != "posix" or type(number) is not int or number <= 0:
        return False
    try:
        os.kill(number, 0)
    except (OverflowError, ProcessLookupError):
        return False
    except OSError:  # it belongs to another user
        return True
    return True


def _wants_to_see(parameters: Parameters) -> bool:
    """Tell whether a client asks for a command's result to be shown."""
    arguments = parameters.get("arguments")
    first = arguments[0] if isinstance(arguments, list) and arguments else None
    return isinstance(first, dict) and first.get("show") is True


def _is_id(number: object) -> bool:
    return isinstance(number, (int, str)) and not isinstance(number, bool)


def _directories(parameters: Parameters) -> list[str]:
    """Return the directories that the client has opened."""
    folders = parameters.get("workspaceFolders")
    given = folders if isinstance(folders, list) else []
    uris = [each.get("uri") for each in given if isinstance(each, dict)]
    if not uris and isinstance(parameters.get("rootUri"), str):
        uris = [parameters["rootUri"]]
    found = [path_of(each) for each in uris if isinstance(each, str)]
    return [each for each in found if each is not None]
