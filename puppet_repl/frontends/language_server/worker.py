"""The process that evaluates for the server: a request a line on its input, an answer a line.

It is hermetic, and its memory and time are limited. It ends with its input, whatever runs then, and
removes the directory ``scratch``, its argument, which has all files that it writes.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from queue import SimpleQueue
from threading import Thread

from puppet_repl.base.defect import print_traceback
from puppet_repl.base.errors import PuppetError, TimeLimitExceeded
from puppet_repl.base.memory import ExtraMemory, collect_garbage, tune_process
from puppet_repl.base.recursion import deep_calls
from puppet_repl.base.stops import stop_message
from puppet_repl.environment.facts.facts import FactsError
from puppet_repl.frontends.language_server.edited_root import EditedRoot, Refusal
from puppet_repl.frontends.language_server.worker_commands import COMMANDS
from puppet_repl.frontends.shared.framing import message_streams
from puppet_repl.language.runtime.options import MAX_MEMORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

    from puppet_repl.frontends.language_server.edited_root import Answer, Request


def answer(request: Request) -> Answer:
    """Return the answer to a request; ``problem`` is a sentence in place of one."""
    edited = None
    try:
        with deep_calls:
            edited = EditedRoot(request)
            return COMMANDS[request["command"]](edited)
    except (Refusal, FactsError) as error:
        return {"problem": _shown(edited, str(error))}
    except PuppetError as error:  # of an environment that Puppet refuses
        return {"problem": _shown(edited, str(error))}
    except (Exception, TimeLimitExceeded) as error:
        with ExtraMemory():
            print_traceback(error)
            return {"problem": _shown(edited, stop_message(error))}
    finally:
        if edited is not None:
            edited.close()
        del edited
        collect_garbage(is_all=True)


def _shown(edited: EditedRoot | None, text: str) -> str:
    return text if edited is None else edited.shown(text)


def _read(stream: BinaryIO, requests: SimpleQueue[bytes], scratch: str) -> None:
    """Put all lines of the input into the queue; end the process with the input."""
    while line := stream.readline():
        requests.put(line)
    # The server is gone, or wants no answer any more.
    shutil.rmtree(scratch, ignore_errors=True)
    os._exit(1)


def main(scratch: str) -> None:
    """Answer the requests on standard input, until its end ends the process."""
    with message_streams() as (reader, writer):
        requests: SimpleQueue[bytes] = SimpleQueue()
        # Before memory is limited: the stack of a thread counts.
        Thread(target=_read, args=(reader, requests, scratch), name="reader", daemon=True).start()
        tune_process(MAX_MEMORY)
        while True:
            found = answer(json.loads(requests.get()))
            writer.write(json.dumps(found).encode("ascii") + b"\n")
            writer.flush()


if __name__ == "__main__":
    main(sys.argv[1])
