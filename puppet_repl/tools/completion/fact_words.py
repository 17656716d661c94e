"""Completion of the arguments of ``:facts``: sets, files, and facts by their dotted path."""

from __future__ import annotations

from collections.abc import Iterator

from puppet_repl.base.matching import ranked
from puppet_repl.environment.facts.facts import ENDINGS, factset_names
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.completion.files import complete_file
from puppet_repl.tools.completion.model import MAX_COMPLETIONS, Completion, Completions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session import Session


def complete_facts(session: Session, before: str, start: int, *, is_first: bool) -> Completions:
    """Complete a word of ``:facts``; the first one may say what is to be done."""
    word = before[start:]
    known = SessionSymbols(session)
    if "=" in word:
        return Completions(len(before), len(before), [])
    if "/" in word or word.startswith("~"):
        return complete_file(before, start, session.reach)
    outer, dot, _ = word.rpartition(".")
    if dot:
        inner = _facts_below(known, outer)
        found = [Completion(f"{outer}.{key}", "key") for key in inner]
        if found:
            return Completions(start, len(before), _best(found, word))
    items = [*_sets(is_first=is_first), *_files(session, before, start)]
    items += [Completion(str(key), "key") for key in known.facts().keys()]
    return Completions(start, len(before), _best(items, word))


def _best(items: list[Completion], word: str) -> list[Completion]:
    return ranked(items, word)[:MAX_COMPLETIONS]


def _sets(*, is_first: bool) -> Iterator[Completion]:
    for word in (*(("use", "set") if is_first else ()), *factset_names()):
        yield Completion(word, "value", weight=1)


def _files(session: Session, before: str, start: int) -> list[Completion]:
    """Return the files of the current directory that may hold facts, and its directories."""
    found = complete_file(before, start, session.reach).items
    return [each for each in found if each.text.endswith((*ENDINGS, "/"))]


def _facts_below(known: SessionSymbols, path: str) -> list[str]:
    value: object = known.facts()
    for name in path.split("."):
        value = value.get(name) if type(value) is PuppetHash else None
    return [str(key) for key in value.keys()] if type(value) is PuppetHash else []
