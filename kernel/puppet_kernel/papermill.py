"""Parameters of notebooks that papermill executes, as Puppet code.

Papermill has no other entry points than those of engines: it imports this module for the engine of
the notebooks' kernel, and thereby knows the translator.
"""

from __future__ import annotations

import re
from typing import Any

from papermill.engines import NBClientEngine
from papermill.exceptions import PapermillException
from papermill.models import Parameter
from papermill.translators import Translator, papermill_translators

from puppet_repl.host.host import Host
from puppet_repl.host.parameters import program_parameters
from puppet_repl.tools.rendering.values import value_text

_NAME = re.compile(r"[a-z_]\w*", re.ASCII)


class PuppetEngine(NBClientEngine):
    """Papermill's own engine, under the name of the language."""


class PuppetTranslator(Translator):
    """Values of YAML and JSON as Puppet program text, and what a cell of parameters has."""

    @classmethod
    def translate(cls, val: Any) -> str:
        """Return the program text of a value."""
        if isinstance(val, dict):
            items = [f"{cls.translate(key)} => {cls.translate(each)}" for key, each in val.items()]
            return f"{{{', '.join(items)}}}"
        if isinstance(val, (list, tuple)):
            return f"[{', '.join([cls.translate(each) for each in val])}]"
        if val is None or isinstance(val, (bool, int, float, str)):
            return value_text(val)
        return value_text(str(val))

    @classmethod
    def comment(cls, cmt_str: str) -> str:
        """Return a comment."""
        return f"# {cmt_str}"

    @classmethod
    def assign(cls, name: str, str_val: str) -> str:
        """Return an assignment. Raises PapermillException for a name that no variable has."""
        if not _NAME.fullmatch(name):
            raise PapermillException(
                f"'{name}' is not a valid name of a Puppet variable: "
                "it begins with a small letter or _, and has letters, digits and _"
            )
        return f"${name} = {str_val}"

    @classmethod
    def inspect(cls, parameters_cell: Any) -> list[Parameter]:
        """Return the parameters that a cell assigns, with the comments after them."""
        return [
            Parameter(each.name, each.type or "None", each.value, each.comment)
            for each in program_parameters(Host(facts={}).session, parameters_cell["source"])
        ]


papermill_translators.register("puppet", PuppetTranslator)
