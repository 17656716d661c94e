"""The rules that comments of YAML files switch off."""

from __future__ import annotations

import re

from puppet_repl.base.errors import Report
from puppet_repl.base.yaml_data import YamlError, compose_yaml
from puppet_repl.tools.advice.comments import Silenced, comments_in
from puppet_repl.tools.advice.model import Advice
from puppet_repl.tools.validation.documents import scalars

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from puppet_repl.base.errors import PuppetError
    from puppet_repl.tools.validation.file import File

_BEGINNING = re.compile(r"(?:^|(?<=\s))#")


def wanted(found: Iterable[Report | PuppetError], file: File) -> Iterator[Report | PuppetError]:
    """Yield the findings in a YAML file that the user wants to see, in the order of the text.

    Warnings of rules are only for ``--warn``, and not where a comment switches their rule off.
    """
    silenced: Silenced | None = None
    for each in sorted(found, key=_place):
        if isinstance(each, Advice):
            if not file.options.advice:
                continue
            if silenced is None:
                silenced = _silenced(file)
            line = each.position[0]
            if silenced.covers(each.rule, line, line):
                continue
        yield each


def _place(found: Report | PuppetError) -> tuple[int, int]:
    if isinstance(found, Report):
        return found.position
    return found.line or 0, found.column or 0


def _silenced(file: File) -> Silenced:
    try:
        root = compose_yaml(file.text) if "lint:ignore:" in file.text else None
    except YamlError:
        root = None
    texts = [range(*each.span) for each in scalars(root)]
    return Silenced(file.source, comments_in(file.source, texts, _BEGINNING))
