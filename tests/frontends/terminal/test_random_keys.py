"""Random keys: no exception reaches the user, the session survives, the prompt comes back.

RANDOM_KEYS=10000 runs as many sequences; without it there are 500.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tests.frontends.terminal.prompt import CTRL_C, ENTER, Prompt, open_prompt

KEYS = (
    *"abfxz019 \t'\"$(){}[]<>|:;,.=+-*/%!?@#&~^\\_",
    *("é", "日", "\U0001f600", "e\u0301", "\u200b", "\u202e"),
    *[chr(number) for number in range(1, 32) if chr(number) not in "\x03\x1c\x1a"],
    *("\r", "\r", "\x1b\r", "\x7f", "\x1b", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[H"),
    *("\x1b[F", "\x1b[5~", "\x1b[6~", "\x1b[3~", "\x1b[Z", "\x1bOP", "\x1bOQ", "\x1bOS", "\x12"),
    *("\x1b[27;2;13~", "\x1b[200~pasted {\n\x1b[201~", "\x1b[999;999R", "\x1b[1;5C", "\x1bf"),
    *("notice(", "$facts['", "file { 'x': ", "if true {", "@(END)", "include ", ":help", ":set "),
    *("class a {", '"${', "[1,2].map |$x| {", "undef", "$_", ":vars", "fail('x')", "}"),
)
SEQUENCES = st.lists(st.sampled_from(KEYS), max_size=25).map("".join)


def survives(prompt: Prompt, keys: str) -> None:
    """Feed keys to one prompt, run what they enter, and see that the next one works."""
    terminal = prompt.terminal
    prompt.pipe.send_text(keys + CTRL_C + CTRL_C)
    while True:
        try:
            text = terminal.read()
        except KeyboardInterrupt:
            break
        except EOFError:
            continue
        if ":q" not in text and ":e" not in text:
            terminal.handle(text)
    drain(prompt)
    written = prompt.written.getvalue()
    assert "defect of puppet-repl" not in written, written[-500:]
    assert "Unhandled exception" not in written, written[-500:]
    prompt.written.seek(0)
    prompt.written.truncate()


def drain(prompt: Prompt) -> None:
    """Come to a clean prompt, whatever is still to be read."""
    mark = "'the prompt is back'"
    prompt.terminal.settings.put("editing_mode", "emacs")
    for _ in range(20):
        prompt.pipe.send_text(CTRL_C + mark + ENTER)
        try:
            while True:
                if prompt.terminal.read() == mark:
                    return
        except (KeyboardInterrupt, EOFError):
            pass
        try:
            if prompt.terminal.read() == mark:
                return
        except (KeyboardInterrupt, EOFError):
            pass
    raise AssertionError("the prompt does not come back")


@pytest.fixture(scope="module")
def editor() -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VISUAL", "true")
        patch.setenv("EDITOR", "true")
        patch.setenv("PAGER", "cat")
        yield


@pytest.mark.slow
@pytest.mark.parametrize("number", range(10))
def test_random_keys(editor: object, number: int) -> None:
    with open_prompt(check_syntax=True, complete_while_typing=True, pager=False) as prompt:

        @seed(number)
        @settings(
            max_examples=int(os.environ.get("RANDOM_KEYS", "500")) // 10,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(SEQUENCES)
        def feed(keys: str) -> None:
            survives(prompt, keys)

        feed()
        assert prompt.session.execute("1 + 1").value == 2
