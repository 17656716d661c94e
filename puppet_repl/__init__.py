"""Puppet from Python: ``import puppet_repl as puppet``.

Each name is imported when it is first asked for: an evaluation on the command line loads none of
them. What is not listed in ``__all__`` is internal, and may change.
"""

from puppet_repl.base.modules import import_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.api.catalog import Catalog as Catalog
    from puppet_repl.api.catalog import LogMessage as LogMessage
    from puppet_repl.api.compiling import compile as compile  # noqa: A004
    from puppet_repl.api.difference import CatalogDifference as CatalogDifference
    from puppet_repl.api.evaluating import evaluate as evaluate
    from puppet_repl.api.fleets import NodeResult as NodeResult
    from puppet_repl.api.fleets import compile_nodes as compile_nodes
    from puppet_repl.api.modules import module as module
    from puppet_repl.api.relationships import Edge as Edge
    from puppet_repl.api.rendering import render as render
    from puppet_repl.api.resource import Resource as Resource
    from puppet_repl.api.validating import Diagnostic as Diagnostic
    from puppet_repl.api.validating import validate as validate
    from puppet_repl.api.values import to_json as to_json
    from puppet_repl.environment.facts import FactsError as FactsError
    from puppet_repl.errors import CompileError as CompileError
    from puppet_repl.errors import EvaluationError as EvaluationError
    from puppet_repl.errors import Frame as Frame
    from puppet_repl.errors import ParseError as ParseError
    from puppet_repl.errors import PuppetError as PuppetError
    from puppet_repl.frontend.fleet import FleetError as FleetError
    from puppet_repl.outcome import NOTHING as NOTHING
    from puppet_repl.outcome import Outcome as Outcome
    from puppet_repl.runtime.options import Options as Options
    from puppet_repl.runtime.shared import Shared as Shared
    from puppet_repl.session import Session as Session
    from puppet_repl.values.hash import PuppetHash as PuppetHash
    from puppet_repl.values.python import from_python as from_python
    from puppet_repl.values.python import to_python as to_python
    from puppet_repl.values.sensitive import Sensitive as Sensitive
    from puppet_repl.version import __version__ as __version__

_MODULES = {
    "Catalog": "api.catalog",
    "CatalogDifference": "api.difference",
    "CompileError": "errors",
    "Diagnostic": "api.validating",
    "Edge": "api.relationships",
    "EvaluationError": "errors",
    "FactsError": "environment.facts",
    "FleetError": "frontend.fleet",
    "Frame": "errors",
    "LogMessage": "api.catalog",
    "NOTHING": "outcome",
    "NodeResult": "api.fleets",
    "Options": "runtime.options",
    "Outcome": "outcome",
    "ParseError": "errors",
    "PuppetError": "errors",
    "PuppetHash": "values.hash",
    "Resource": "api.resource",
    "Sensitive": "values.sensitive",
    "Session": "session",
    "Shared": "runtime.shared",
    "__version__": "version",
    "compile": "api.compiling",
    "compile_nodes": "api.fleets",
    "evaluate": "api.evaluating",
    "from_python": "values.python",
    "module": "api.modules",
    "render": "api.rendering",
    "to_json": "api.values",
    "to_python": "values.python",
    "validate": "api.validating",
}
__all__ = tuple(_MODULES)


if not TYPE_CHECKING:  # type checkers know the names, and no other ones

    def __getattr__(name: str) -> object:
        """Import a public name, once."""
        if name not in _MODULES:
            raise AttributeError(f"module 'puppet_repl' has no attribute '{name}'")
        found: object = import_name(f"puppet_repl.{_MODULES[name]}.{name}")
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
