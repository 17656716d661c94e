"""One lookup for a front end: a key with what the options of ``puppet lookup`` say."""

from __future__ import annotations

from puppet_repl.environment.hiera.hiera import Hiera
from puppet_repl.language.data.search import search
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash, from_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from puppet_repl.environment.hiera.explanation import Explainer
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


def look_up(
    context: Context,
    key: str | tuple[str, ...],
    chosen: Mapping[str, object],
    explainer: Explainer | None,
) -> Value:
    """Return the value of the first key that has one; raise PuppetError.

    ``chosen`` has "merge" (None, a name or a mapping), "type" (text or None) and "default" (or
    UNSET). The explainer records the steps.
    """
    options: dict[str, Any] = {"merge": from_data(chosen["merge"])}
    if chosen["type"] is not None:
        options["value_type"] = parse_type(str(chosen["type"]), context)
    if explainer is not None and explainer.options_only:
        options["default_value"] = None
    elif chosen["default"] is not UNSET:
        options["default_value"] = from_data(chosen["default"])
    if explainer is None:
        return search(context, key, options)
    environment = context.environment
    hiera = Hiera(None, _no_module) if environment is None else environment.hiera
    hiera.explainer = explainer

    def find(
        context: Context, key: str, merge: Value, overrides: PuppetHash, defaults: PuppetHash
    ) -> Value:
        return hiera.search(context, context.scope, key, merge, overrides, defaults)

    try:
        return search(context, key, options, find=find)
    finally:
        hiera.explainer = None


def _no_module(_name: str) -> None:
    """Return None: there are no modules."""
