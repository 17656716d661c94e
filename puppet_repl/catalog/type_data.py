"""Types as rich data: ``{"__ptype": "Pcore::IntegerType", "from": 1, "to": 2}``."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.types.base import PuppetType


def type_data(value: PuppetType) -> dict[str, Any]:
    """A type with those of its parts that differ from the type without parameters."""
    kind = type(value).__name__
    data: dict[str, Any] = {"__ptype": f"Pcore::{kind}"}
    maker = _MAKERS.get(kind)
    if maker is not None:
        for key, part in maker(value).items():
            if part is not None:
                data[key] = part
    return data


def _part(value: Any) -> Any:
    from puppet_repl.catalog.json import value_data

    return value_data(value)


def _range(value: Any) -> dict[str, Any]:
    return {"from": value.low, "to": value.high}


def _size(value: Any) -> Any:
    return None if value is None else type_data(value)


_MAKERS: dict[str, Any] = {
    "IntegerType": _range,
    "FloatType": _range,
}
