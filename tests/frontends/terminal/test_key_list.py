"""``:help keys`` lists every key that is bound, under the name that it has on a keyboard."""

from __future__ import annotations

import re

from puppet_repl.frontends.commands import run
from puppet_repl.frontends.terminal.key_list import listed_keys
from puppet_repl.frontends.terminal.keys import grouped_keys
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.parts import Table
from puppet_repl.tools.reports.report import render_report
from tests.frontends.terminal.prompt import open_prompt


def test_every_binding_of_the_prompt_is_listed() -> None:
    with open_prompt() as prompt:
        for heading, bindings in grouped_keys(prompt.terminal):
            listed = listed_keys(bindings)
            summaries = {summary for _, summary in listed}
            for binding in bindings.bindings:
                text = " ".join((binding.handler.__doc__ or "").split())
                if "<any>" not in str([getattr(key, "value", key) for key in binding.keys]):
                    assert text.partition(". ")[0].rstrip(".") in summaries, heading
            for keys, _ in listed:
                assert not re.search(r"\bc-|escape|<|\[ ?\d", keys), keys


def test_the_documented_keys_are_in_the_list_of_the_prompt() -> None:
    with open_prompt() as prompt:
        shown = plain(render_report(run(prompt.session, ":help keys", prompt.terminal.host), 100))
        for key in ("Enter", "Shift-Enter", "Ctrl-O", "Tab", "F1", "Ctrl-X Ctrl-E", "Ctrl-Space"):
            assert key in shown
        assert "Move to the end of the line" in shown
        prompt.terminal.settings.set("editing_mode", "vi")
        assert "Ctrl-A" not in "".join(
            plain(render_report(run(prompt.session, ":help keys", prompt.terminal.host), 100))
        )
        (table,) = run(prompt.session, ":help keys F2", prompt.terminal.host).parts
        assert isinstance(table, Table)
        assert ["Open or close the settings" in str(row) for row in table.rows].count(True) == 1
