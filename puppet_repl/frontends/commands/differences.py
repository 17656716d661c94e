"""``:diff``: marked catalogs, and the changes since a mark."""

from __future__ import annotations

import json
from functools import partial

from puppet_repl.base.matching import did_you_mean
from puppet_repl.base.safe_text import visible_json
from puppet_repl.base.wording import counted, listed
from puppet_repl.catalog.content import DocumentError
from puppet_repl.catalog.difference import compare, difference_data
from puppet_repl.catalog.difference_choice import Choice, ChoiceError, note_on_unmatched
from puppet_repl.environment.facts.facts import FactsError, factset_names
from puppet_repl.environment.facts.factset_words import told_sets
from puppet_repl.frontends.commands.catalog import declared_in
from puppet_repl.host.catalogs import (
    NotCompiled,
    content_before_last,
    content_now,
    content_of_file,
    content_on,
    machine_with_manifest,
)
from puppet_repl.host.known_nodes import NODES, UnknownNode, has_block, note_on_unknown
from puppet_repl.host.machine_words import named_nodes
from puppet_repl.host.machines import UnknownFactSet, machine_of
from puppet_repl.tools.reports.parts import (
    Cell,
    Code,
    CommandError,
    Differences,
    Message,
    Report,
    Table,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.catalog.content import CatalogContent
    from puppet_repl.host.command_model import Call
    from puppet_repl.session import Session

_NOW = "this session"
_BEFORE = "before the last input"
_EMPTY = "nothing is declared on either side"
_FLAGS = ("--tags", "--json", "--ignore", "--only", "--same")


def _mark(call: Call, names: list[str]) -> Report:
    """``:diff --mark [NAME]``: keep the catalog under a name, or list the marks."""
    marks = call.session.marks
    if not names:
        rows = [
            (Cell(name, "variable"), content.name, str(len(content.resources)))
            for name, content in marks.items()
        ]
        return Report(
            Table(
                ("Mark", "Node", "Resources"),
                rows,
                empty="no marks yet; :diff --mark NAME sets one",
                whole=(0, 1),
            )
        )
    name = names[0]
    if len(names) > 1 or name.startswith("-"):
        raise CommandError("a mark has a name of one word")
    content = content_now(call.session)
    marks.pop(name, None)  # the last mark that was set is the last one
    marks[name] = content
    count = counted(len(content.resources), "resource")
    text = f"mark {name}: {count} of {content.name}{_left_out(call.session)}"
    return Report(Message(text, "dim"))


def _left_out(session: Session) -> str:
    """Return what ``:resources`` lists and a mark does not have."""
    others = [each for each in declared_in(session) if each.virtual or each.type == "Node"]
    virtual = sum(each.virtual for each in others)
    kinds = [
        counted(count, kind)
        for count, kind in ((virtual, "virtual one"), (len(others) - virtual, "node block"))
        if count
    ]
    return f", without {' and '.join(kinds)}" if kinds else ""


def diff(call: Call) -> Report:
    """``:diff``, with the arguments that the table of commands has."""
    if call.words[:1] == ["--mark"]:
        return _mark(call, call.words[1:])
    words, options = _options(call.words)
    if len(words) > 2:
        raise CommandError("two catalogs are compared, not more")
    try:
        choice = Choice(
            tags="--tags" in options,
            ignore=options.get("--ignore", ()),
            only=options.get("--only", ()),
            same=[name for names in options.get("--same", ()) for name in names.split(",")],
        )
    except ChoiceError as error:
        raise CommandError(str(error), "") from None
    unknown: list[str] = []
    old_name, old = _old(call, words, unknown)
    if len(words) == 2:
        new_name, new = words[1], _content(call, words[1], unknown)
    else:
        new_name, new = _NOW, content_now(call.session)
    difference = compare(old, new, choice, from_name=old_name, to_name=new_name)
    if "--json" in options:
        text = json.dumps(
            difference_data(difference), ensure_ascii=False, indent=2, allow_nan=False
        )
        return Report(Code(visible_json(text), "json"))
    report = Report(Differences(difference))
    if not old.resources and not new.resources:
        report.parts.append(Message(_EMPTY, "dim"))
    elif (note := note_on_unmatched([difference])) is not None:
        report.parts.append(Message(note, "warning"))
    if unknown:
        report.parts.append(Message(note_on_unknown(unknown), "dim"))
    return report


def _options(given: list[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Return the operands, and the options with their values."""
    words: list[str] = []
    options: dict[str, list[str]] = {}
    waiting = iter(given)
    for word in waiting:
        if not word.startswith("--"):
            words.append(word)
            continue
        flag, equals, value = word.partition("=")
        if flag == "--mark":
            raise CommandError(
                "--mark keeps a catalog, and compares nothing",
                "one after the other: :diff --mark NAME, later :diff NAME",
            )
        if flag not in _FLAGS or (equals and flag in _FLAGS[:2]):
            hint = f"the options are {listed((*_FLAGS, '--mark'))}"
            raise CommandError(f"there is no option {word}", hint)
        if not equals and flag not in _FLAGS[:2]:
            value = next(waiting, "")
        options.setdefault(flag, []).append(value)
    return words, options


def _old(call: Call, words: list[str], unknown: list[str]) -> tuple[str, CatalogContent]:
    """Return what to compare with: the first word, the last mark, or the input before."""
    if words:
        return words[0], _content(call, words[0], unknown)
    if call.session.marks:
        name = next(reversed(call.session.marks))
        return name, call.session.marks[name]
    if not call.session.inputs:
        raise CommandError(
            "there is nothing to compare with", ":diff --mark NAME keeps the catalog"
        )
    return _BEFORE, content_before_last(call.session)


def _content(call: Call, word: str, unknown: list[str]) -> CatalogContent:
    """Return the catalog that a word means: a mark, a file with one, of a manifest or of a machine.

    The name of a node that the site does not know is added to ``unknown``; without a domain it is
    refused.
    """
    if word in call.session.marks:
        return call.session.marks[word]
    reach = call.session.reach
    try:
        may_be_file = reach is None or reach.allows_typed(word)
        content = content_of_file(word) if may_be_file else None
        if content is not None:
            return content
        machine = machine_with_manifest(word) if may_be_file else None
        machine = machine or machine_of(word, reach, partial(has_block, call.session))
        return content_on(machine, call.session, unknown)
    except UnknownFactSet as error:
        raise CommandError(error.message, error.hint) from error
    except UnknownNode as error:
        raise _unknown(word, call.session) from error
    except (DocumentError, FactsError, NotCompiled) as error:
        raise CommandError(str(error), "") from error


def _unknown(word: str, session: Session) -> CommandError:
    """Return the error of a word that is nothing which can be compared."""
    hint = did_you_mean(word, session.marks)
    if hint is not None:
        return CommandError(f"there is no mark '{word}'", hint)
    hint = did_you_mean(word, (*factset_names(), *named_nodes(session)))
    if hint is None:
        marks = f"the marks are {', '.join(session.marks)}; " if session.marks else ""
        hint = f"{marks}the sets are {told_sets()}; {NODES}"
    return CommandError(f"'{word}' is not a mark, fact set, file or known node", hint)
