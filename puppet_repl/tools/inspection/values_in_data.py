"""The values that parameters of a class get from the data of its own module."""

from __future__ import annotations

from puppet_repl.base.wording import shortened
from puppet_repl.environment.reference.module_data import data_defaults, read_module_data
from puppet_repl.language.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.session.symbols import SessionSymbols

IN_DATA = "from the data of the module"
"""The remark about a default that the code does not give."""


def values_in_data(known: SessionSymbols, name: str) -> dict[str, str]:
    """Return the values that the data of its own module gives parameters of a class, as code."""
    found = known.in_module_file(name)
    environment = known.session.environment
    module = None if environment is None else environment.modules.get(name.partition("::")[0])
    if found is None or module is None or not isinstance(found[1], ast.HostClassDefinition):
        return {}
    required = {each.name for each in found[1].parameters if each.value is None}
    values = data_defaults(read_module_data(module.path, module.reach), name)
    return {
        parameter: shortened(value) for parameter, value in values.items() if parameter in required
    }
