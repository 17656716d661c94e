"""The origins of the attributes of resources: ``Session.origins``."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.recursion import deep_calls
from puppet_repl.catalog.origins import Origin, Origins
from puppet_repl.language.compiler import attach
from puppet_repl.language.values.compare import equals
from puppet_repl.language.values.sensitive import Sensitive
from puppet_repl.language.values.text import to_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.catalog.resource import Resource
    from puppet_repl.environment.hiera.explanation import Place
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.values.protocols import Value
    from puppet_repl.session.execution import Execution


def origins(
    execution: Execution, resources: Iterable[Resource]
) -> dict[Resource, dict[str, list[Origin]]]:
    """Return the origins of the attributes of resources; nothing is logged."""
    context = execution.context
    logs, log = execution.record.logs, context.redirect_log(None)
    transaction = execution.transaction()
    try:
        with deep_calls, execution.deadline():
            attach(context)
            if context.environment is not None:
                context.environment.hiera.begin_input()  # its files may have changed
            finder = Origins(context.catalog, _Data(context).find)
            return {resource: finder.of_resource(resource) for resource in resources}
    finally:
        transaction.roll_back()
        context.redirect_log(log)
        execution.record.logs = logs


class _Data:
    """The data of a context, which are looked up again to see where a value is from."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def find(self, key: str, merge: str | None, scope: Scope, value: Value) -> list[Origin]:
        """Return the places that have given the value of a key, none if it is another by now."""
        environment = self._context.environment
        if environment is None or not environment.has_data:
            return []
        try:
            found, places = environment.hiera.explained(self._context, scope, key, merge)
        except PuppetError:
            return []
        if not _is_same(found, value):
            return []
        return [_origin(key, place) for place in places if place.taken]


def _is_same(found: Value, value: Value) -> bool:
    """Tell whether data have a value, or the value its text."""
    found, value = (one.value if type(one) is Sensitive else one for one in (found, value))
    return equals(found, value) or to_text(found) == to_text(value)


def _origin(key: str, place: Place) -> Origin:
    return Origin("data", place.location, place.line, key, place.layer, place.level)
