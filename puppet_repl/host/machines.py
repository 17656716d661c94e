"""Other machines that the code of a session can run for: bundled sets, facts, nodes, environments.

The session that is asked for one is never changed.
"""

from __future__ import annotations

import os
import re
from dataclasses import KW_ONLY, dataclass

from puppet_repl.base.matching import did_you_mean
from puppet_repl.base.reach import REASON
from puppet_repl.environment.facts.facts import (
    ENDINGS,
    FactsError,
    factset_names,
    is_factset,
    load_facts,
)
from puppet_repl.environment.facts.factset_words import hint_of, meant_set, told_sets
from puppet_repl.environment.facts.sample_facts import SampleFacts
from puppet_repl.environment.modules.layout import parts_of
from puppet_repl.language.values.default import UNSET
from puppet_repl.session import Options, Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from puppet_repl.base.reach import Reach
    from puppet_repl.environment.facts.local_facts import Facts
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session import Outcome

_HOST_NAME = re.compile(r"[A-Za-z0-9][\w-]*(?:\.[\w-]+)*\.[A-Za-z][\w-]*")
_NODE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class UnknownFactSet(FactsError):
    """A word is meant as a bundled set, and there is none of that name; ``hint`` says which are."""

    def __init__(self, word: str, meant: str) -> None:
        self.message = f"there is no fact set '{word}'"
        self.hint = hint_of(meant)
        super().__init__(f"{self.message}; {self.hint}")


@dataclass(slots=True, eq=False)
class Machine:
    """A node that code can run for.

    ``name`` is as the user wrote it. None means: as in the current session. A ``manifest`` is the
    text that counts in place of the manifests of the environment.
    """

    name: str
    _: KW_ONLY
    facts: Facts | None = None
    node: str | None = None
    environment: str | None = None
    manifest: str | None = None

    def __repr__(self) -> str:
        return f"Machine({self.name!r})"


def is_node_name(text: str) -> bool:
    """Tell whether a text can be the name of a node."""
    return _NODE_NAME.fullmatch(text) is not None


def has_domain(text: str) -> bool:
    """Tell whether a text is a fully qualified host name, whose last part is not a number."""
    return _HOST_NAME.fullmatch(text) is not None


def machine_of(
    text: str, reach: Reach | None, is_node: Callable[[str], bool] | None = None
) -> Machine:
    """Return the machine that a word names.

    The word is a bundled set, a file of facts, the directory of an environment, or else the name of
    a node. Raises FactsError for a file without facts or out of ``reach``, and for any other word;
    UnknownFactSet for a word that looks like a set, unless it ``is_node``: the site has a block for
    it.
    """
    if is_factset(text):
        return Machine(text, facts=load_facts(text))
    path = os.path.expanduser(text)
    looks_like_path = os.sep in path or "/" in path or path.endswith(ENDINGS) or path in (".", "..")
    may_be_looked_at = reach is None or reach.allows_typed(text)
    if looks_like_path and not may_be_looked_at:
        raise FactsError(f"{text}: {REASON}")
    if may_be_looked_at and os.path.isdir(path) and (looks_like_path or parts_of(path)):
        return Machine(text, environment=os.path.abspath(path))
    if looks_like_path or (may_be_looked_at and os.path.isfile(path)):
        return Machine(text, facts=load_facts(text))
    if not is_node_name(text):
        hint = did_you_mean(text, factset_names()) or f"the sets are {told_sets()}"
        raise FactsError(f"'{text}' is not a fact set, file, directory or node name; {hint}")
    meant = meant_set(text)
    if meant is not None and not has_domain(text) and not (is_node is not None and is_node(text)):
        raise UnknownFactSet(text, meant)
    return Machine(text, node=text)


def session_for(
    machine: Machine, session: Session, *, replay: bool = True, options: Options | None = None
) -> tuple[Session, Outcome | None]:
    """Return a new session for a machine, and the first outcome that failed, if any.

    It has the settings of ``session``, or the ``options`` given, shares with it what files hold,
    and collects what nodes have exported in it. With ``replay`` the manifests of the environment,
    the start-up file and the inputs of ``session`` are run in it, without any output; the first
    failure ends that. The caller closes the new session.
    """
    options = (session.options if options is None else options).copy()
    if machine.node is not None:
        options.name_node(machine.node)
    elif machine.facts is not None and not isinstance(machine.facts, SampleFacts):
        options.node = None  # such facts say what their node is called
    if machine.environment is not None:
        options.environment = machine.environment
        options.find(None, waits=False)
    facts = session.facts if machine.facts is None else machine.facts
    exports = session.keep_exports()
    reach = session.reach
    if reach is not None and machine.environment is not None:
        # One that the command line names, to compare it, has a reach of its own.
        reach = reach if reach.allows(machine.environment) else None
    made = Session(
        options,
        facts=facts,
        shared=session.shared,
        exports=None if exports is None else exports.copy(),
        reach=reach,
    )
    made.prelude = session.prelude
    return made, _run_again(made, session) if replay else None


def _run_again(made: Session, session: Session) -> Outcome | None:
    """Run the site and the inputs of a session in a new one; return the first failure.

    Variables that were bound or forgotten between inputs are so at the same places.
    """
    site = made.run_site()
    if site is not None:
        return site
    made.run_prelude()  # as at the start, a failure does not keep the inputs from running
    between: dict[int, list[tuple[str, Value]]] = {}
    for position, name, value in session.between_inputs:
        between.setdefault(position, []).append((name, value))
    for position, (number, text, before) in enumerate(session.inputs):
        _bind_and_forget(made, between.get(position, ()))
        made.number_next(number)
        outcome = made.execute(text, before.name)
        if outcome.error is not None:
            return outcome
    _bind_and_forget(made, between.get(len(session.inputs), ()))
    return None


def _bind_and_forget(made: Session, names: Iterable[tuple[str, Value]]) -> None:
    for name, value in names:
        if value is UNSET:
            made.forget(name)
        else:
            made.assign(name.removeprefix("$"), value)
