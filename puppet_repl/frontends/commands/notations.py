"""Values in other notations: ``:show`` as JSON, YAML, a table or in full, ``:copy`` elsewhere."""

from __future__ import annotations

import json

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.base.float_text import float_text
from puppet_repl.base.recursion import deep_calls
from puppet_repl.base.safe_text import visible_json
from puppet_repl.base.wording import counted
from puppet_repl.catalog.json import not_finite
from puppet_repl.frontends.commands.earlier_values import last_value, value_of_input
from puppet_repl.frontends.commands.isolated_code import evaluate_aside
from puppet_repl.frontends.commands.state import number_of
from puppet_repl.language.types.text.format import program_text
from puppet_repl.language.values.extent import MAX_PARTS, check_extent
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.protocols import Holder
from puppet_repl.language.values.text import to_text
from puppet_repl.session import NOTHING
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.rendering.values import opened, render_value
from puppet_repl.tools.reports.parts import (
    Cell,
    Code,
    CommandError,
    Failure,
    Message,
    Report,
    Shown,
    Table,
    ValueCell,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from puppet_repl.host.command_model import Call
    from puppet_repl.language.values.protocols import Value

    Row: TypeAlias = tuple[str | Cell | ValueCell, ...]

# Of a table; hashes that have more different keys are shown as values.
MAX_COLUMNS = 20
_NATIVE = frozenset((str, int, float, bool))


def show(call: Call) -> Report:
    """``:show [json|yaml|table|full] [EXPR|N]``."""
    start = call.command.code_at(call.argument)
    try:
        value = _wanted(call, call.argument[start:])
        return _FORMS[call.argument[:start].strip() or "full"](value)
    except PuppetError as error:
        return Report(Failure(error))


def _wanted(call: Call, argument: str) -> Value:
    """Return the last value, that of an input by its number, or of an expression.

    Raises CommandError for an input without a value, and the error of the expression.
    """
    if not argument:
        return last_value(call)
    if argument.isdecimal():
        return value_of_input(call, number_of(argument, "the number of an input"))
    outcome = evaluate_aside(call, argument)
    if outcome.error is not None:
        raise outcome.error
    return None if outcome.value is NOTHING else outcome.value


def json_text(value: Value) -> str:
    """Return a value as JSON on lines of their own, in which every character can be seen.

    What JSON has no word for is a string; see ``as_data``. Raises PuppetError for numbers that
    JSON cannot say, and for keys that would be the same string.
    """
    with deep_calls:
        data = _plain(as_data(value))
        try:
            text = json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)
        except ValueError:
            raise _not_in_json(data) from None
    return visible_json(text)


def _not_in_json(data: object) -> RuntimeFailure:
    found = not_finite(data)
    assert found is not None  # JSON can say all the rest
    number, path = found
    return RuntimeFailure(
        f"JSON has no {float_text(number)}", notes=(f"it is at {path}",) if path else ()
    )


def _plain(data: Value) -> object:
    """Return data of Puppet as that of Python, whose keys are strings."""
    if type(data) is tuple:
        return [_plain(item) for item in data]
    if type(data) is PuppetHash:
        keys: dict[str, Value] = {}
        for key in data.keys():
            text = to_text(key)
            if text in keys:
                raise RuntimeFailure(
                    "the keys of a JSON object are strings, and two keys of this Hash are the "
                    f"same one: {program_text(keys[text])} and {program_text(key)}"
                )
            keys[text] = key
        return {to_text(key): _plain(item) for key, item in data.items()}
    return data


def yaml_document(value: Value) -> str:
    """Return a value as a YAML document with a line end; the layout is that of ``to_yaml``.

    What YAML has no word for is a string; see ``as_data``.
    """
    # A part of PyYAML is written in C: an interrupt while it is imported would leave it half made,
    # and all commands are imported by the first one of a cell.
    from puppet_repl.language.functions.stdlib.yaml_text import yaml_text

    data = as_data(value)
    with deep_calls:
        return yaml_text(data, PuppetHash.EMPTY)


def as_data(value: Value) -> Value:
    """Return a value for JSON and YAML: arrays, hashes, strings, numbers, booleans and undef.

    Iterators and collectors become arrays of their elements. Other values become the string that
    Puppet interpolates; so Sensitive values stay hidden. Raises MemoryError for a value that is too
    large.
    """
    check_extent(value)
    with deep_calls:
        return _as_data(value)


def _as_data(value: Value) -> Value:
    if isinstance(value, Holder):
        value = value.held(MAX_PARTS)
        if value is None:
            raise MemoryError
    if type(value) is tuple:
        return tuple([_as_data(item) for item in value])
    if type(value) is PuppetHash:
        return PuppetHash([(_as_data(key), _as_data(item)) for key, item in value.items()])
    return value if value is None or type(value) in _NATIVE else to_text(value)


def table_report(value: Value) -> Report:
    """Return a value as a table: an array, a hash, an array or a hash of hashes.

    Any other value is shown as it is.
    """
    value = opened(value)
    if type(value) is tuple:
        rows: Sequence[Row] = [(Cell(str(index), "dim"),) for index in range(len(value))]
        return Report(_records(value, [()] * len(value)) or _items("", rows, value))
    if type(value) is PuppetHash:
        rows = [(_cell(key),) for key in value.keys()]
        values = tuple(value.values())
        return Report(_records(values, rows) or _items("Key", rows, values))
    return Report(Shown(value, full=True))


def _items(heading: str, begins: Sequence[Row], values: Iterable[Value]) -> Table:
    """Return a table with one value in each row, after what the row begins with."""
    rows = [(*begin, _cell(value)) for begin, value in zip(begins, values, strict=True)]
    return Table((heading, "Value"), rows, empty="nothing in it", kept=(0,))


def _records(values: tuple[Value, ...], begins: Sequence[Row]) -> Table | None:
    """Return hashes as rows with a column for each key; None if other values are among them."""
    hashes = [value for value in values if type(value) is PuppetHash]
    if len(hashes) < len(values):
        return None
    keys = list(PuppetHash((key, None) for each in hashes for key in each.keys()).keys())
    if not keys or len(keys) > MAX_COLUMNS:
        return None
    rows = [
        (*begin, *[_cell(each.get(key)) if each.has(key) else "" for key in keys])
        for begin, each in zip(begins, hashes, strict=True)
    ]
    return Table((*[""] * len(begins[0]), *map(to_text, keys)), rows, kept=range(len(begins[0])))


def _cell(value: Value) -> Cell | ValueCell:
    """Return a value in a table; a string has no quotes there."""
    return Cell(value, "string") if type(value) is str else ValueCell(value)


_FORMS: Mapping[str, Callable[[Value], Report]] = {
    "json": lambda value: Report(Code(json_text(value), "json")),
    "yaml": lambda value: Report(Code(yaml_document(value).rstrip("\n"), "yaml")),
    "table": table_report,
    "full": lambda value: Report(Shown(value, full=True)),
}


# Of the text in UTF-8: many terminals take no longer sequences than 100,000 characters of Base64.
MAX_COPIED_BYTES = 74_000


def copy(call: Call) -> Report:
    """``:copy [N|EXPR]``; the front end's ``copy`` puts the text on the clipboard."""
    put = call.host.copy
    if put is None:
        raise CommandError(
            "the clipboard is of the front end here", "in a notebook, copy the output itself"
        )
    try:
        value = _wanted(call, call.argument)
    except PuppetError as error:
        return Report(Failure(error))
    text = value if type(value) is str else plain(render_value(value))
    size = len(text.encode("utf-8", "replace"))
    if size > MAX_COPIED_BYTES:
        raise CommandError(
            f"{size:,} bytes are too much for the clipboard of a terminal",
            f"at most {MAX_COPIED_BYTES:,}; puppet-repl -e CODE --format puppet writes any value",
        )
    put(text)
    return Report(Message(f"copied {counted(len(text), 'character')}", "dim"))
