"""What must not change an answer: a row and a small function for each relation.

A function yields pairs of answers, which must be equal. ``holds`` says for which programs.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from puppet_repl.catalog.puppet_code import code_of
from puppet_repl.catalog.resource_types import RELATIONSHIP_SET
from puppet_repl.session import Outcome, Session
from tests.differential import modules
from tests.differential.answers import FACTS, Answer, answer_of, of_session, run
from tests.differential.programs import Program, renamed

if TYPE_CHECKING:
    from tests.differential.workshop import Workshop

__all__ = ["RELATIONS", "Relation", "Trial", "Violation", "violation"]

Pair = tuple[Answer, Answer]


class Trial:
    """A program that is tried, its answer, and what the tries need."""

    def __init__(self, program: Program, workshop: Workshop, seed: str) -> None:
        self.program = program
        self.workshop = workshop
        self.seed = seed
        self.begin("")

    @cached_property
    def base(self) -> Answer:
        """The answer of the program alone, in a session of its own."""
        return self.run(self.program.text)

    def begin(self, relation: str) -> None:
        """Begin a relation, with its random numbers: the same ones each time."""
        self.random = random.Random(f"{self.seed} {relation}")

    def run(self, *inputs: str) -> Answer:
        """Return the answer of some inputs in a session of their own."""
        return run(*inputs, has_catalog=self.program.has_resources)

    def of_session(self, session: Session, *inputs: str) -> Answer:
        """Return the answer of some inputs in a session."""
        return of_session(session, inputs, has_catalog=self.program.has_resources)

    @property
    def session(self) -> Session:
        """A new session."""
        return Session(facts=FACTS)


Run = Callable[[Trial], Iterator[Pair]]


class Relation(NamedTuple):
    """One relation. Unless it ``compares_locations``, lines and columns may differ."""

    name: str
    run: Run
    holds: Callable[[Trial], bool] = lambda trial: True
    compares_locations: bool = False


class Violation(NamedTuple):
    """A broken relation, and what differs."""

    relation: str
    program: Program
    difference: str


def violation(relation: Relation, trial: Trial) -> tuple[int, Violation | None]:
    """Return how many answers were compared, and the violation of a relation, if any."""
    count = 0
    if relation.holds(trial):
        for expected, found in relation.run(trial):
            count += 1
            if not relation.compares_locations:
                expected, found = expected.without_locations(), found.without_locations()
            if expected != found:
                difference = expected.difference(found)
                return count, Violation(relation.name, trial.program, difference)
    return count, None


def is_plain(trial: Trial) -> bool:
    """Tell whether a program declares no resources."""
    return not trial.program.has_resources


def has_value(trial: Trial) -> bool:
    """Tell whether a program has a value."""
    return trial.base.has_value


def is_plain_with_value(trial: Trial) -> bool:
    """Tell whether a program declares no resources and has a value."""
    return is_plain(trial) and has_value(trial)


# The same text


def twice(trial: Trial) -> Iterator[Pair]:
    yield trial.base, trial.run(trial.program.text)


def after_itself(trial: Trial) -> Iterator[Pair]:
    """The second time everything is defined and bound again."""
    session = trial.session
    trial.of_session(session, trial.program.text)
    again = trial.of_session(session, trial.program.text)
    yield trial.base.without_deprecations, again.without_deprecations


def renamed_variables(trial: Trial) -> Iterator[Pair]:
    yield trial.base.mapped(renamed), trial.run(renamed(trial.program.text))


# Rewritten programs

CONTEXTS = {
    "with": ("with() || {\n", "\n}"),
    "if": ("if true {\n", "\n} else { 0 }"),
    "unless": ("unless 1 == 2 {\n", "\n}"),
    "elsif": ("if false { 0 } elsif 1 < 2 {\n", "\n}"),
    "case": ("case 'x' { 'y': { 0 } 'x': {\n", "\n} default: { 1 } }"),
    "case default": ("case 3 { String: { 0 } default: {\n", "\n} }"),
    "selector": ("'x' ? { 'y' => 0, default => with() || {\n", "\n} }"),
    "array": ("[0, with() || {\n", "\n}][1]"),
    "hash": ("with({a => with() || {\n", "\n}}['a']) |$p| { $p }"),
    "map": ("[1].map |$i| {\n", "\n}[0]"),
    "filter and map": ("[1, 2].filter |$i| { $i == 2 }.map |$i| {\n", "\n}[0]"),
    "reduce": ("[1].reduce(0) |$i, $j| {\n", "\n}"),
    "then": ("1.then |$i| {\n", "\n}"),
    "lest": ("undef.lest || {\n", "\n}"),
    "function": ("function m::wrapped() {\n", "\n}\nm::wrapped()"),
    "function in map": ("function m::wrapped() {\n", "\n}\n[1].map |$i| { m::wrapped() }[0]"),
    "default": ("function m::wrapped($p = with() || {\n", "\n}) { $p }\nm::wrapped()"),
    "default of lambda": ("with() |$p = with() || {\n", "\n}| { $p }"),
    "return": ("function m::wrapped() { return(with() || {\n", "\n}) }\nm::wrapped()"),
    "next": ("[1].map |$i| { next(with() || {\n", "\n}) }[0]"),
    "Sensitive": ("Sensitive(with() || {\n", "\n}).unwrap"),
    "splat": ("with(*[with() || {\n", "\n}]) |$p| { $p }"),
    "variable": ("$wrapped = with() || {\n", "\n}\n$wrapped"),
    "both": ("with() || { if true and 1 < 2 {\n", "\n} }"),
}


def in_contexts(trial: Trial) -> Iterator[Pair]:
    for name in trial.random.sample(sorted(CONTEXTS), 8):
        yield trial.base, trial.run(trial.program.around(*CONTEXTS[name]))


def hoisted_literals(trial: Trial) -> Iterator[Pair]:
    """Nothing can be computed or known before the program runs."""
    yield trial.base, trial.run(trial.program.hoisted().text)


def in_parts(trial: Trial) -> Iterator[Pair]:
    program = trial.program
    if program.has_resources:
        # Bodies of defines and collectors run at the end of each input.
        if program.definitions:
            yield trial.base, trial.run(program.definitions_text, "\n".join(program.body))
        return
    for _ in range(2):
        yield trial.base, trial.run(*program.split(trial.random))


# Going back

NOISE = (
    "$v01 = 'noise' $v02 = [1, 2] $v03 = {a => 1}",
    "function m::f01($x) { 'noise' } function m::f02() { 'noise' } m::f02()",
    "type M::T01 = String type M::T02 = Object[{attributes => {z => Any}}]",
    "notify { 'noise': } $noise = 1",
    "class m::c01 { notify { 'class of noise': } } class m::c03 { } include m::c01, m::c03",
    "define m::d02($x = 1) { notify { \"noise ${title}\": } } m::d02 { 'noise': }",
    "Notify { noop => true, withpath => true } notify { 'with defaults': }",
    "@notify { 'virtual': } Notify <| |> { tag => 'noise' }",
)
FAILURES = (
    "$v01 = 'failed' notify { 'n01': } fail('here')",
    "function m::f01() { 'failed' } $noise = m::f01() + 1",
    "class m::c01 { notify { 'failed': } fail('there') } include m::c01",
    "notify { 'twice': } notify { 'twice': }",
    "$v02 = ",
    "type M::T01 = Integer $x = M::T01.new('x')",
    "Notify { noop => true } Notify['none'] -> Notify['nothing'] fail('x')",
)


# Asked before the program goes on: what is still there of other inputs?
KEPT = "$kept = 'kept'\nnotify { 'kept': message => $kept }\n"
PROBES = (
    "[defined('$v01'), defined('$v02'), defined('$v03'), defined('$noise'), defined('$kept')]",
    "[defined('m::c01'), defined('m::c03'), defined('m::d02'), defined(Notify['kept'])]",
    "[Notify['noise'], Notify['virtual'], Notify['failed'], Notify['n01']].map |$n| {defined($n)}",
    "m::f01(1)",
    "m::f02()",
    "M::T01",
    "M::T02",
    "m::d02 { 'probed': }",
    "include m::c01",
)


def undone_noise(trial: Trial) -> Iterator[Pair]:
    """Inputs between the definitions and the rest are undone."""

    def add_noise(session: Session) -> None:
        for text in trial.random.sample(NOISE, 3):
            assert session.execute(text).error is None, text
        session.undo(3)

    yield from _with_others(trial, add_noise)


def failed_inputs(trial: Trial) -> Iterator[Pair]:
    """Inputs between the definitions and the rest fail."""

    def fail(session: Session) -> None:
        for text in trial.random.sample(FAILURES, 3):
            assert session.execute(text).error is not None, text

    yield from _with_others(trial, fail)


def _with_others(trial: Trial, work: Callable[[Session], None]) -> Iterator[Pair]:
    """Yield the answers of two sessions, in one of which other work was done in the middle."""
    without, having = trial.session, trial.session
    for session in (without, having):
        session.execute(KEPT + trial.program.definitions_text)
    work(having)
    for probe in trial.random.sample(PROBES, 4):
        yield of_session(without, [probe]), of_session(having, [probe])
    body = "\n".join(trial.program.body)
    yield trial.of_session(without, body), trial.of_session(having, body)


def undone_and_redone(trial: Trial) -> Iterator[Pair]:
    """Of the parts of the program some are undone and done again, or repeated."""
    session = trial.session
    parts = trial.program.split(trial.random)
    logs: list[tuple[str, str]] = []
    outcome = Outcome()
    for text in parts:
        outcome = session.execute(text)
        logs += outcome.logs
        action = trial.random.randrange(4)
        if outcome.error is not None:
            break
        if action == 1 and session.undo():
            session.redo()
        elif action == 2:
            # An input that has changed nothing is undone with the change before, and not told.
            for undone in reversed(session.undo()):
                repeated = session.execute(undone)
                if undone == text:
                    yield _of(session, outcome), _of(session, repeated)
                    outcome = repeated
        elif action == 3:
            count = trial.random.randrange(1, 4)
            if session.undo(count):
                session.redo()
    yield trial.base, answer_of(session, outcome, logs, has_catalog=False)


def _of(session: Session, outcome: Outcome) -> Answer:
    return answer_of(session, outcome, outcome.logs, has_catalog=False)


# Values


# As in Puppet, an alias in a value is written with its definition, a secret is not written, a
# backslash that ends a string is not escaped, and the elements of an empty Array have a type that
# code cannot name.
_NO_CODE = re.compile(
    r"M::T\d\d = |#<Sensitive |Instance of Sensitive|(?<!\\)\\'(?=[,\])}])|\bUnit\b"
)


def is_code(trial: Trial) -> bool:
    """Tell whether there is code for the value of a program."""
    return _NO_CODE.search(trial.base.value or "") is None


def value_is_code(trial: Trial) -> Iterator[Pair]:
    """The text of the value is a program with that value."""
    assert trial.base.value is not None
    found = trial.run(trial.program.definitions_text + trial.base.value)
    yield trial.base._replace(logs=()), found


# The type of [undef, 'a'] is Array[String] where it is reduced, as in Puppet.
HAS_ITS_TYPE = (
    "[$typed =~ type($typed),"
    " type($typed) <= type($typed, generalized) or String($typed) =~ /undef/,"
    " String(type($typed, reduced))]"
)


def has_a_type(trial: Trial) -> bool:
    """Tell whether a value has a type that it is an instance of.

    As in Puppet, NotUndef[T] is no instance of its own type if T accepts undef.
    """
    return is_plain_with_value(trial) and "NotUndef[" not in (trial.base.value or "")


def has_its_type(trial: Trial) -> Iterator[Pair]:
    before, after = "$typed = with() || {\n", "\n}\n"
    text = trial.program.around(before, after + HAS_ITS_TYPE)
    expected = f"[true, true, {_quoted(trial.base.type or '')}]"
    yield Answer(value=expected), Answer(value=trial.run(text).value)


def _quoted(text: str) -> str:
    value: str | None = Session(facts={}).describe(text)["value"]
    return value or ""


def as_text(trial: Trial) -> Iterator[Pair]:
    """Interpolation, EPP and a heredoc write the same text; String() writes that of the answer."""
    before = "$texted = with() || {\n"
    expected = run(trial.program.around(before, "\n}\nString($texted)")).value
    yield Answer(value=_quoted(trial.base.text or "")), Answer(value=expected)
    interpolated = run(trial.program.around(before, '\n}\n"${texted}"')).value
    for after in (
        "inline_epp('<%= $x %>', {x => $texted})",
        "inline_epp('<%= $texted %>')",
        '@("END")\n  ${texted}\n  |- END',
        '"${with() || { $texted }}"',
    ):
        found = run(trial.program.around(before, "\n}\n" + after)).value
        yield Answer(value=interpolated), Answer(value=found)


# Files


def as_module(trial: Trial) -> Iterator[Pair]:
    """Definitions in a module: without cache, cold, warm, and as text of the program."""
    environment = modules.write(trial.program, trial.workshop.directory / "environment")
    text = "\n".join(trial.program.body)
    options = {"environment": os.fspath(environment)}
    has_catalog = trial.program.has_resources
    plain = run(text, has_catalog=has_catalog, cache=False, **options)
    with trial.workshop.cache():
        for is_in_memory in (False, True, False):  # cold, warm, warm from the files
            if not is_in_memory:
                trial.workshop.forget_compiled()
            yield plain, run(text, has_catalog=has_catalog, **options)
    inline = run(trial.program.text, has_catalog=has_catalog)
    if inline.has_value:  # a wrong class that nothing loads is no error in a module
        yield (
            inline.without_locations().mapped(modules.without_environment),
            plain.without_locations().mapped(modules.without_environment),
        )


def with_data(trial: Trial) -> Iterator[Pair]:
    """Parameters of classes in the data of the environment, in those of the module, as defaults."""
    text = "\n".join(trial.program.body)
    answers = []
    for layer in ("modules/m", "."):
        path = modules.write(trial.program, trial.workshop.directory / "environment", layer)
        answers.append(run(text, has_catalog=True, environment=os.fspath(path)))
    yield answers[0], answers[1]
    inline = run(modules.with_data(trial.program).text, has_catalog=True)
    if inline.has_value:  # a wrong class that nothing loads is no error in a module
        yield (
            inline.mapped(modules.without_environment),
            answers[0].mapped(modules.without_environment),
        )


# Catalogs


def catalog_is_code(trial: Trial) -> Iterator[Pair]:
    """The resources of a catalog, written as code, have the same parameters in another catalog."""
    session = trial.session
    of_session(session, [trial.program.text], has_catalog=True)
    resources = [each for each in session.catalog.tables.members if each.type == "Notify"]
    code = "\n".join(code_of(each) for each in resources)
    if _NO_CODE.search(code) or "M::D" in code:  # a define that the code does not have
        return
    types = [each.text for each in trial.program.definitions if each.kind == "alias"]
    found = run("\n".join([*types, code]), has_catalog=True)
    yield Answer(text=_parameters(trial.base)), Answer(text=_parameters(found))


# The type of one String knows it, and is written as String, as in Puppet.
_ONE_STRING = re.compile(r', "size_type_or_value": "(?:[^"\\]|\\.)*"')


def _parameters(answer: Answer) -> str:
    """Return the resources of the type notify with their parameters."""
    assert answer.catalog is not None, answer
    resources = json.loads(answer.catalog)["resources"]
    found = {
        row["title"]: row.get("parameters", {}) for row in resources if row["type"] == "Notify"
    }
    for parameters in found.values():
        for name in RELATIONSHIP_SET & parameters.keys():
            value = parameters[name]  # an arrow makes an array, also of one reference
            parameters[name] = value if isinstance(value, list) else [value]
    return _ONE_STRING.sub("", json.dumps(found, sort_keys=True))


def has_data(trial: Trial) -> bool:
    """Tell whether data can have parameters of classes."""
    return bool(modules.parameters(trial.program))


def has_catalog(trial: Trial) -> bool:
    """Tell whether a program has a catalog."""
    return trial.base.catalog is not None


RELATIONS: list[Relation] = [
    Relation("twice", twice, compares_locations=True),
    Relation("after itself", after_itself, is_plain, compares_locations=True),
    Relation("renamed variables", renamed_variables, compares_locations=True),
    Relation("in contexts", in_contexts),
    Relation("hoisted literals", hoisted_literals),
    Relation("in parts", in_parts),
    Relation("undone noise", undone_noise, compares_locations=True),
    Relation("failed inputs", failed_inputs, compares_locations=True),
    Relation("undone and redone", undone_and_redone, is_plain),
    Relation(
        "value is code", value_is_code, lambda trial: is_plain_with_value(trial) and is_code(trial)
    ),
    Relation("has its type", has_its_type, has_a_type),
    Relation("as text", as_text, is_plain_with_value),
    Relation("as module", as_module, compares_locations=True),
    Relation("with data", with_data, has_data),
    Relation("catalog is code", catalog_is_code, has_catalog),
]
