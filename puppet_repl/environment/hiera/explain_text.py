"""Explanations as the text that ``puppet lookup --explain`` prints, and as its Hash."""

from __future__ import annotations

from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.extent import check_extent
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import ruby_inspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.hiera.explanation import Explanation, Kind, Step
    from puppet_repl.language.values.protocols import Value

_FOUND = {"found": "", "in overrides": " in overrides", "in defaults": " in defaults"}
_MODULES = {
    "no module": 'Module "{}" not found',
    "no data": 'Module data provider for module "{}" not found',
}
# Steps that are shown as one line, with their inner steps below.
_TITLES: dict[Kind, str] = {
    "key": 'Searching for "{}"',
    "options": 'Searching for "{}"',
    "interpolation": 'Interpolation on "{}"',
    "scope": "{}",
    "sub key": 'Sub key: "{}"',
}
_WITH_OUTCOME = ("layer", "level", "path", "uri", "scope", "sub key", "segment")


def explain_text(explanation: Explanation) -> str:
    """Return the text of an explanation; each line ends with a line feed."""
    lines = Lines()
    for step in explanation.root.steps:
        lines.add(step, "")
    lines.remarks(explanation.root, "")
    return "".join([f"{line}\n" for line in lines.lines])


class Lines:
    """The lines of a text, made step by step."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, step: Step, indent: str) -> None:
        """Add what a step did."""
        kind = step.kind
        if kind == "merge":
            self._merge(step, indent)
        elif kind == "merge source":
            self.lines.append(f'{indent}Using merge options from "{step.name}" hash')
        elif kind == "invalid key":
            self.lines.append(f'{indent}Invalid key "{step.name}"')
        elif kind == "module":
            if step.event in _MODULES:
                self.lines.append(indent + _MODULES[step.event].format(step.name))
        elif kind == "segment":
            self._outcome(step, indent)
        else:
            inner = indent + "  "
            self._title(step, indent, inner)
            for part in step.steps:
                self.add(part, inner)
            if step.event == "missing":
                self.lines.append(f"{inner}{_location_word(step)} not found")
            if kind in _WITH_OUTCOME:
                self._outcome(step, inner)

    def _title(self, step: Step, indent: str, inner: str) -> None:
        if step.kind in ("path", "uri"):
            word = _location_word(step)
            self.lines.append(f'{indent}{word} "{step.name}"')
            self.lines.append(f'{inner}Original {word.lower()}: "{step.original}"')
        elif step.kind == "layer":
            self.lines.append(indent + step.title)
            if step.config is not None:
                self.lines.append(f'{inner}Using configuration "{step.config}"')
        elif step.kind == "level":
            self.lines.append(indent + step.title)
        else:
            self.lines.append(indent + _TITLES[step.kind].format(step.name))

    def _merge(self, step: Step, indent: str) -> None:
        if len(step.steps) == 1:  # nothing was merged
            self.add(step.steps[0], indent)
        if len(step.steps) < 2:
            return
        self.lines.append(f"{indent}Merge strategy {step.name}")
        inner = indent + "  "
        options = merge_options(step)
        if options is not None:
            self._value(f"{inner}Options: ", options, inner)
        for part in step.steps:
            self.add(part, inner)
        if step.event == "result":
            self._value(f"{inner}Merged result: ", step.value, inner)

    def _outcome(self, step: Step, indent: str) -> None:
        if step.event == "not found":
            self.lines.append(f'{indent}No such key: "{step.key}"')
        elif step.event in _FOUND:
            self._value(f'{indent}Found key: "{step.key}" value: ', step.value, indent)
            self.lines[-1] += _FOUND[step.event]
        self.remarks(step, indent)

    def remarks(self, step: Step, indent: str) -> None:
        """Add the remarks that functions made in a step."""
        self.lines += [indent + text for text in step.texts]

    def _value(self, begin: str, value: Value, indent: str) -> None:
        check_extent(value)
        self.lines.append(begin + value_text(value, indent))


def value_text(value: Value, indent: str = "") -> str:
    """Return a value as Ruby writes it, with one item of a collection a line."""
    inner = indent + "  "
    if type(value) is PuppetHash:
        items = [
            f"{inner}{value_text(key, inner)} => {value_text(item, inner)}"
            for key, item in value.items()
        ]
        begin, end = "{", "}"
    elif type(value) is tuple:
        items = [inner + value_text(item, inner) for item in value]
        begin, end = "[", "]"
    else:
        return "nil" if value is UNSET else ruby_inspect(value)
    if not items:
        return begin + end
    listed = ",\n".join(items)
    return f"{begin}\n{listed}\n{indent}{end}"


def merge_options(step: Step) -> PuppetHash | None:
    """Return the options of a merge without its strategy; None if it has no others."""
    options = step.options.without(["strategy"])
    return options if len(options) else None


def _location_word(step: Step) -> str:
    return "Path" if step.kind == "path" else "URI"
