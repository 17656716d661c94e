"""The environment of a context is made once, whoever asks for it."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest

from puppet_repl.language.runtime.context import Context
from puppet_repl.language.runtime.options import Options
from puppet_repl.session.top_scope import attach

if TYPE_CHECKING:
    from puppet_repl.environment.modules.environment import Environment

SECONDS = 10


def context_of(directory: Path) -> Context:
    """Return a context with an environment that is not made yet."""
    context = Context(Options(environment=str(directory)))
    attach(context)
    return context


def test_a_second_thread_waits_for_the_environment_that_is_being_made(tmp_path: Path) -> None:
    context = context_of(tmp_path)
    make = context.make_environment
    assert make is not None
    begun, go_on = Event(), Event()
    made: list[Environment | None] = []

    def make_slowly(context: Context) -> Environment | None:
        begun.set()
        assert go_on.wait(SECONDS)
        return make(context)

    def ask() -> None:
        made.append(context.environment)

    context.make_environment = make_slowly
    first, second = Thread(target=ask), Thread(target=ask)
    first.start()
    assert begun.wait(SECONDS)
    second.start()
    second.join(0.1)
    assert made == []
    go_on.set()
    first.join(SECONDS)
    second.join(SECONDS)
    assert made[0] is not None
    assert made == [made[0], made[0]]


def test_an_interrupt_leaves_the_environment_to_the_next_who_asks(tmp_path: Path) -> None:
    context = context_of(tmp_path)
    make = context.make_environment
    assert make is not None
    tries: list[Context] = []

    def make_at_the_second_try(context: Context) -> Environment | None:
        tries.append(context)
        if len(tries) == 1:
            raise KeyboardInterrupt
        return make(context)

    context.make_environment = make_at_the_second_try
    with pytest.raises(KeyboardInterrupt):
        assert context.environment is None
    assert context.environment is not None


def test_options_that_describe_no_environment_are_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    context = context_of(Path("missing"))  # a word may be a mere name
    assert context.environment is None
    Path("missing").mkdir()
    assert context.environment is None
