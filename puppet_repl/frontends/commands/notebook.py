"""A session as a notebook: its inputs as cells with their outputs."""

from __future__ import annotations

import json

from puppet_repl.base.log_levels import NOTE
from puppet_repl.base.safe_text import to_wire
from puppet_repl.base.stops import stop_message
from puppet_repl.session import NOTHING
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.logs import definition_line
from puppet_repl.tools.rendering.notebook_text import notebook_log
from puppet_repl.tools.rendering.values import render_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from puppet_repl.frontends.commands.saving import SavedPart
    from puppet_repl.host.host import Host
    from puppet_repl.language.values.protocols import Value

WIDTH = 100


def notebook_text(host: Host, parts: list[SavedPart]) -> str:
    """Return the saved parts of a session, with the outputs of inputs, as a notebook in JSON.

    Long and deep values are cut as on the screen. An output that cannot be rendered is replaced by
    a note.
    """
    notebook = {
        "cells": [
            {
                "cell_type": "code",
                "id": f"input-{position}",
                "execution_count": part.number,
                "metadata": {},
                "source": part.text,
                "outputs": [*_outputs(host, part)],
            }
            for position, part in enumerate(parts, 1)
        ],
        "metadata": {
            "kernelspec": {"display_name": "Puppet", "language": "puppet", "name": "puppet"},
            "language_info": {"file_extension": ".pp", "name": "puppet"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return to_wire(json.dumps(notebook, ensure_ascii=False, indent=1)) + "\n"


def _outputs(host: Host, part: SavedPart) -> Iterator[dict[str, Any]]:
    """Yield the outputs of an input: its logs, definitions and value."""
    outcome = part.outcome
    if outcome is None:
        return
    messages = [each for each in outcome.logs if host.settings.shows(each[0])]
    defined = definition_line(outcome)
    if defined is not None:
        messages.append((NOTE, defined))
    yield from _streams(messages)
    if outcome.value is NOTHING or outcome.value is None:
        return
    yield {
        "output_type": "execute_result",
        "execution_count": part.number,
        "data": _bundle(host, outcome.value),
        "metadata": {},
    }


def _streams(messages: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """Return messages as text of the standard streams; join neighbours on the same stream."""
    streams: list[dict[str, Any]] = []
    for level, message in messages:
        name, line = notebook_log(level, message)
        if streams and streams[-1]["name"] == name:
            streams[-1]["text"] += line
        else:
            streams.append({"output_type": "stream", "name": name, "text": line})
    return streams


def _bundle(host: Host, value: Value) -> dict[str, str]:
    """Return a value by MIME type, as the front end shows it."""
    try:
        if host.show_value is not None:
            return host.show_value(value)
        return {"text/plain": plain(render_value(value, WIDTH, full=False))}
    except Exception as error:
        return {"text/plain": f"(not shown: {stop_message(error)})"}
