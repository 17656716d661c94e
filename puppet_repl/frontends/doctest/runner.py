"""Run examples in a session and say what differs."""

from __future__ import annotations

import re
from functools import partial

from puppet_repl.base.differences import is_warning_of_difference
from puppet_repl.base.errors import TimeLimitExceeded
from puppet_repl.base.log_levels import NOTE
from puppet_repl.environment.facts.facts import load_facts
from puppet_repl.frontends.commands import is_command, run
from puppet_repl.frontends.commands.files import is_saved_session
from puppet_repl.frontends.doctest.documents import blocks_of
from puppet_repl.frontends.doctest.examples import Example, examples_of
from puppet_repl.frontends.doctest.findings import Difference
from puppet_repl.frontends.shared.results import render_outcome
from puppet_repl.host.host import Host
from puppet_repl.language.types.algebra.infer import infer
from puppet_repl.session import DEFAULT_STDLIB, NOTHING, Options
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.logs import log_line
from puppet_repl.tools.reports.report import render_report

__all__ = ["DEFAULT_FACTS", "SECONDS", "Runner"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from puppet_repl.base.errors import PuppetError
    from puppet_repl.frontends.doctest.documents import Block
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Outcome, Session

DEFAULT_FACTS = "debian-12"
# How long an example may take: whoever waits for a page does not wait for ever.
SECONDS = 10
WIDTH = 80


class Runner:
    """The examples of one document being run; `count` is how many were compared.

    They share one session, except for blocks that name another one. ``make`` makes the host of
    each; without it, and without facts, those of a fixed set are used, so that results are the same
    on every machine, and an example may take ``seconds``. ``problems`` are the errors of the
    manifests of the environment, ``warnings`` say where Puppet ends in an error, and no example
    expects it.
    """

    def __init__(
        self,
        make: Callable[[], Host] | None = None,
        *,
        facts: dict[str, Any] | None = None,
        seconds: float = SECONDS,
    ) -> None:
        self._make = make or partial(
            Host,
            Options(stdlib=DEFAULT_STDLIB, max_seconds=seconds),
            facts=load_facts(DEFAULT_FACTS) if facts is None else facts,
        )
        self._hosts: dict[str, Host] = {}
        self.problems: list[PuppetError] = []
        self.use_session("")
        self.count = 0
        self.warnings: list[str] = []
        self.last: Outcome | None = None

    @property
    def session(self) -> Session:
        """The session that examples run in now."""
        return self.host.session

    def use_session(self, name: str) -> None:
        """Continue in the session of a name, which is created when it is first named."""
        if name not in self._hosts:
            self._hosts[name] = self._make()
            if name:
                self._run_site(self._hosts[name])
        self.host = self._hosts[name]

    def _run_site(self, host: Host) -> None:
        """Run the manifests of the environment; a failure keeps no example from running."""
        outcome = host.session.run_site()
        if outcome is not None and outcome.error is not None:
            self.problems.append(outcome.error)

    def run_document(self, name: str, text: str) -> list[Difference]:
        """Run the examples of a document; for a manifest it is itself loaded first.

        The inputs of a session that was saved are run as those of a prompt.
        """
        blocks = blocks_of(name, text)
        found = []
        is_saved = is_saved_session(text)
        if is_saved:
            self.host.open_prompt()
        self._run_site(self.host)
        if name.endswith(".pp") and blocks and not is_saved:
            found = self._load(name, text)
        for block in blocks:
            found += self.run_block(block)
        return found

    def _load(self, name: str, text: str) -> list[Difference]:
        """Load a manifest; its error is reported at its line."""
        error = self.session.execute(text, name).error
        if error is None:
            return []
        self.count += 1
        line = error.line or 1
        example = Example(text.split("\n")[line - 1].strip(), line)
        return [Difference(example, "no error", error_line(error))]

    def run_block(self, block: Block) -> list[Difference]:
        """Run the examples of one block."""
        self.use_session(block.session)
        return [
            difference
            for example in examples_of(block)
            if (difference := self.run(example)) is not None
        ]

    def run(self, example: Example) -> Difference | None:
        """Run one example, within its time; return None if it holds."""
        try:
            with self.session.deadline():
                return self._run(example)
        except TimeLimitExceeded as stop:  # outside of the session: a command, or the display
            return Difference(example, _wanted(example), str(stop))

    def _run(self, example: Example) -> Difference | None:
        if example.is_shown:
            self.printed(example.code)
            return None
        if example.output is not None:
            self.count += 1
            return self._compare_output(example)
        outcome = self.session.execute(example.code)
        self._note_differences(example, outcome)
        if not example.expects:
            if outcome.error is None:
                return None
            self.count += 1
            return Difference(example, "no error", error_line(outcome.error))
        self.count += 1
        return self._compare(example, outcome)

    def _note_differences(self, example: Example, outcome: Outcome) -> None:
        for _, text in outcome.logs:
            if is_warning_of_difference(text) and not example.logs:
                self.warnings.append(f"{text}, in the example of line {example.line}")

    # The format of the specification

    def _compare(self, example: Example, outcome: Outcome) -> Difference | None:
        wanted = _wanted(example)
        if example.error is not None:
            if outcome.error is None:
                return Difference(example, wanted, self._shown(outcome))
            if example.error and not _matches(example.error, error_line(outcome.error)):
                return Difference(example, wanted, error_line(outcome.error))
            return None
        if outcome.error is not None:
            return Difference(example, wanted, error_line(outcome.error))
        if example.logs:
            got = _log_lines(outcome.logs)
            expected = _log_lines(example.logs)
            if not _matches(expected, got, whole=True):
                return Difference(example, expected, got or "nothing logged")
        if example.value is not None and not self._has_value(example.value, outcome):
            return Difference(example, example.value, self._shown(outcome))
        return None

    def _has_value(self, expected: str, outcome: Outcome) -> bool:
        value = None if outcome.value is NOTHING else outcome.value
        texts = self.session.describe(value)
        if expected == texts["value"]:
            return True
        for candidate in _candidates(expected):
            wanted = self.session.execute(candidate, record=False)
            if wanted.error is None and wanted.value is not NOTHING:
                return self.session.describe(wanted.value)["value"] == texts["value"] or (
                    value is None and self._was_logged(wanted.value, outcome)
                )
        return False

    def _was_logged(self, wanted: Value, outcome: Outcome) -> bool:
        """Tell whether an input without a value logged this: ``notice $x # => 'o'``."""
        return bool(outcome.logs) and self.session.describe(wanted)["str"] == outcome.logs[-1][1]

    def _shown(self, outcome: Outcome) -> str:
        value = None if outcome.value is NOTHING else outcome.value
        shown = self.session.describe(value)["value"] or ""
        return "\n".join([_log_lines(outcome.logs), shown]) if outcome.logs else shown

    # Transcripts

    def _compare_output(self, example: Example) -> Difference | None:
        got = self.printed(example.code)
        expected = example.output or ""
        if any(_same_output(expected, text) for text in self._ways_to_print(got)):
            return None
        return Difference(example, _wanted(example), got or "no output")

    def _ways_to_print(self, printed: str) -> Iterator[str]:
        """Yield the last output; a value followed by its type; an error in one line."""
        yield printed
        outcome = self.last
        if outcome is None:
            return
        if outcome.error is not None:
            logs = "".join(f"{line}\n" for line in self._log_output(outcome))
            yield f"{logs}Error: {outcome.error.message}"
            yield f"{logs}Error: {error_line(outcome.error)}"
            yield printed.partition("\n  ")[0]
        elif outcome.value is not NOTHING:
            yield f"{printed}  {infer(outcome.value).generalize()}"

    def _log_output(self, outcome: Outcome) -> list[str]:
        return [log_line(level, text) for level, text in outcome.logs]

    def printed(self, code: str) -> str:
        """Return what the terminal prints for an input: notes and logs, then value or error."""
        self.last = None
        if is_command(code):
            return plain(render_report(run(self.session, code, self.host))).rstrip("\n")
        label = f"In[{self.session.count + 1}]"
        notes: list[str] = []
        self.session.log = lambda level, text: notes.append(text) if level == NOTE else None
        self.last = outcome = self.session.execute(code, label)
        lines = [*notes, *self._log_output(outcome)]
        shown = plain(render_outcome(self.session, outcome, label, WIDTH, show_type=False))
        return "\n".join([*lines, *([shown.rstrip("\n")] if shown else [])])


def _wanted(example: Example) -> str:
    """Return what an example says about its result."""
    if example.error is not None:
        return "error" + (f": {example.error}" if example.error else "")
    if example.output is not None:
        return example.output or "no output"
    return "no error" if example.value is None else example.value


def error_line(error: PuppetError) -> str:
    """Return an error in one line, with its location."""
    if error.line is None:
        return str(error.message)
    column = f", column: {error.column}" if error.column is not None else ""
    return f"{error.message} (line: {error.line}{column})"


def _log_lines(logs: list[tuple[str, str]]) -> str:
    return "\n".join(f"{level}: {text}" for level, text in logs)


def _candidates(expected: str) -> Iterator[str]:
    """Yield the expected value, then what remains of it without a remark at its end."""
    yield expected
    for end in (r"\s+\(.*", r"\s+[-;,].*|[;,]\s.*", r"\s{2,}.*", r"\s.*"):
        shorter = re.sub(end + r"$", "", expected, count=1, flags=re.S)
        if shorter and shorter != expected:
            yield shorter


def _matches(expected: str, got: str, *, whole: bool = False) -> bool:
    """Compare texts; runs of blanks count as one, ``...`` in the expected one is anything."""
    parts = [re.escape(" ".join(part.split())) for part in expected.split("...")]
    pattern = r"\s*.*?\s*".join(parts)
    text = " ".join(got.split())
    found = re.fullmatch(pattern, text, re.S) if whole else re.search(pattern, text, re.S)
    return found is not None


def _same_output(expected: str, got: str) -> bool:
    """Compare outputs; the layout may differ."""
    if _matches(expected, got, whole=True):
        return True
    return "".join(expected.split()) == "".join(got.split())
