"""Functions of stdlib that write data as literals of Python and Ruby: to_python, to_ruby."""

from __future__ import annotations

from puppet_repl.language.functions.rich_data import RichDataWriter
from puppet_repl.language.functions.stdlib.declaring import moved_function
from puppet_repl.language.values.ruby import ruby_inspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.values.protocols import Value

_PYTHON_WORDS = {True: "True", False: "False", None: "None"}


@moved_function(
    "to_python",
    "Any $object",
    examples=(
        "to_python({a => [true, undef]})  # => '{\"a\": [True, None]}'",
        'to_python(Integer)  # => \'{"__ptype": "Pcore::IntegerType"}\'',
    ),
)
def to_python(value: Value) -> str:
    """Return data as program text of Python.

    Other values become dictionaries that name the type with the key "__ptype".

    @param object the data
    @return [Variant[String, Sensitive[String]]]
    """
    return _written(RichDataWriter().write(value), ": ", _PYTHON_WORDS)


@moved_function(
    "to_ruby",
    "Any $object",
    examples=("to_ruby({a => [true, undef]})  # => '{\"a\" => [true, nil]}'",),
)
def to_ruby(value: Value) -> str:
    """Return data as program text of Ruby.

    Other values become hashes that name the type with the key "__ptype".

    @param object the data
    @return [Variant[String, Sensitive[String]]]
    """
    return _written(RichDataWriter().write(value), " => ", {})


def _written(data: Any, separator: str, words: dict[bool | None, str]) -> str:
    if isinstance(data, list | tuple):
        return f"[{', '.join([_written(item, separator, words) for item in data])}]"
    if isinstance(data, dict):
        entries = [
            f"{_written(key, separator, words)}{separator}{_written(item, separator, words)}"
            for key, item in data.items()
        ]
        return "{" + ", ".join(entries) + "}"
    if data is None or type(data) is bool:
        return words.get(data) or ruby_inspect(data)
    return ruby_inspect(data)
