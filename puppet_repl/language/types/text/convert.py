"""String.new with formats."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.types.algebra.infer import infer_set
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.text.format import default_text
from puppet_repl.language.types.text.format_spec import (
    container_map,
    default_map,
    format_of,
    map_of,
    merge_maps,
)
from puppet_repl.language.types.text.format_writer import FIRST, write, write_scalar
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.extent import check_extent
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.iterator import PuppetIterator
from puppet_repl.language.values.ruby import ruby_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value


def convert(value: Value, formats: Value = DEFAULT) -> str:
    """Write a value under a format, a Hash of formats, or the default ones.

    Without formats types are not looked at.
    """
    if formats is DEFAULT:
        return default_text(value)
    check_extent(value)
    if type(formats) is str:
        if type(value) is PuppetIterator:
            value = tuple(value)
        kind = type(value)
        if isinstance(value, PuppetType) and not _takes_itself(value):
            return write_scalar(value, format_of("%s"), FIRST)
        if kind is not tuple and kind is not PuppetHash:
            return write_scalar(value, format_of(formats), FIRST)
        return write(value, container_map(formats, kind is PuppetHash), FIRST)
    if type(formats) is not PuppetHash:
        raise RuntimeFailure(
            "string conversion expects a Default value or a Hash of type to format mappings,"
            f" got a '{ruby_class(formats)}'"
        )
    return write(value, merge_maps(default_map(), map_of(formats)) or {}, FIRST)


def _takes_itself(value: PuppetType) -> bool:
    """Tell whether Puppet finds the format of a type, which it looks up by the type of that.

    It does not for NotUndef[Data] and the like, which are not assignable to themselves.
    """
    kind = infer_set(value)
    return kind.accepts_type(kind)
