"""Puppet from Python: ``import puppet_repl as puppet``.

Each name is imported when it is first asked for: an evaluation on the command line loads none of
them. A name that is missing in ``__all__`` is internal, and may change.
"""

from puppet_repl.base.modules import import_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.base.errors import CompileError as CompileError
    from puppet_repl.base.errors import EvaluationError as EvaluationError
    from puppet_repl.base.errors import Frame as Frame
    from puppet_repl.base.errors import ParseError as ParseError
    from puppet_repl.base.errors import PuppetError as PuppetError
    from puppet_repl.base.python_warnings import DifferenceWarning as DifferenceWarning
    from puppet_repl.base.version import __version__ as __version__
    from puppet_repl.catalog.origins import Origin as Origin
    from puppet_repl.environment.facts.facts import FactsError as FactsError
    from puppet_repl.environment.hiera.explanation import Explanation as Explanation
    from puppet_repl.environment.hiera.explanation import Place as Place
    from puppet_repl.environment.reference.model import Attribute as Attribute
    from puppet_repl.environment.reference.model import ClassEntry as ClassEntry
    from puppet_repl.environment.reference.model import DataTypeAliasEntry as DataTypeAliasEntry
    from puppet_repl.environment.reference.model import DataTypeEntry as DataTypeEntry
    from puppet_repl.environment.reference.model import DefinedTypeEntry as DefinedTypeEntry
    from puppet_repl.environment.reference.model import Entry as Entry
    from puppet_repl.environment.reference.model import FunctionEntry as FunctionEntry
    from puppet_repl.environment.reference.model import Module as Module
    from puppet_repl.environment.reference.model import Parameter as Parameter
    from puppet_repl.environment.reference.model import PlanEntry as PlanEntry
    from puppet_repl.environment.reference.model import Problem as Problem
    from puppet_repl.environment.reference.model import ResourceTypeEntry as ResourceTypeEntry
    from puppet_repl.environment.reference.model import Signature as Signature
    from puppet_repl.environment.reference.model import Tag as Tag
    from puppet_repl.environment.reference.model import TaskEntry as TaskEntry
    from puppet_repl.frontends.api.catalog import Catalog as Catalog
    from puppet_repl.frontends.api.catalog import LogMessage as LogMessage
    from puppet_repl.frontends.api.compilation import compile as compile  # noqa: A004
    from puppet_repl.frontends.api.difference import CatalogDifference as CatalogDifference
    from puppet_repl.frontends.api.evaluation import Deferred as Deferred
    from puppet_repl.frontends.api.evaluation import evaluate as evaluate
    from puppet_repl.frontends.api.evaluation import to_json as to_json
    from puppet_repl.frontends.api.fleets import NodeResult as NodeResult
    from puppet_repl.frontends.api.fleets import compile_nodes as compile_nodes
    from puppet_repl.frontends.api.lookups import explain as explain
    from puppet_repl.frontends.api.lookups import lookup as lookup
    from puppet_repl.frontends.api.modules import module as module
    from puppet_repl.frontends.api.relationships import Edge as Edge
    from puppet_repl.frontends.api.rendering import render as render
    from puppet_repl.frontends.api.resource import Resource as Resource
    from puppet_repl.frontends.api.validation import Diagnostic as Diagnostic
    from puppet_repl.frontends.api.validation import Edit as Edit
    from puppet_repl.frontends.api.validation import RelatedLocation as RelatedLocation
    from puppet_repl.frontends.api.validation import fix_text as fix_text
    from puppet_repl.frontends.api.validation import validate as validate
    from puppet_repl.frontends.shared.fleet import FleetError as FleetError
    from puppet_repl.language.functions.given import function as function
    from puppet_repl.language.runtime.options import Options as Options
    from puppet_repl.language.runtime.shared import Shared as Shared
    from puppet_repl.language.syntax.completeness import Complete as Complete
    from puppet_repl.language.syntax.completeness import Incomplete as Incomplete
    from puppet_repl.language.syntax.completeness import Invalid as Invalid
    from puppet_repl.language.values.hash import PuppetHash as PuppetHash
    from puppet_repl.language.values.python import from_python as from_python
    from puppet_repl.language.values.python import to_python as to_python
    from puppet_repl.language.values.sensitive import Sensitive as Sensitive
    from puppet_repl.session import Session as Session
    from puppet_repl.session.outcome import NOTHING as NOTHING
    from puppet_repl.session.outcome import Outcome as Outcome
    from puppet_repl.tools.completion.model import Completion as Completion
    from puppet_repl.tools.completion.model import Completions as Completions
    from puppet_repl.tools.formatting import format_text as format_text
    from puppet_repl.tools.inspection.documentation import Documentation as Documentation

_MODULES = {
    "Attribute": "environment.reference.model",
    "Catalog": "frontends.api.catalog",
    "CatalogDifference": "frontends.api.difference",
    "ClassEntry": "environment.reference.model",
    "CompileError": "base.errors",
    "Complete": "language.syntax.completeness",
    "Completion": "tools.completion.model",
    "Completions": "tools.completion.model",
    "DataTypeAliasEntry": "environment.reference.model",
    "DataTypeEntry": "environment.reference.model",
    "Deferred": "frontends.api.evaluation",
    "DefinedTypeEntry": "environment.reference.model",
    "Diagnostic": "frontends.api.validation",
    "DifferenceWarning": "base.python_warnings",
    "Documentation": "tools.inspection.documentation",
    "Edge": "frontends.api.relationships",
    "Edit": "frontends.api.validation",
    "Entry": "environment.reference.model",
    "EvaluationError": "base.errors",
    "Explanation": "environment.hiera.explanation",
    "FactsError": "environment.facts.facts",
    "FleetError": "frontends.shared.fleet",
    "Frame": "base.errors",
    "FunctionEntry": "environment.reference.model",
    "Incomplete": "language.syntax.completeness",
    "Invalid": "language.syntax.completeness",
    "LogMessage": "frontends.api.catalog",
    "Module": "environment.reference.model",
    "NOTHING": "session.outcome",
    "NodeResult": "frontends.api.fleets",
    "Options": "language.runtime.options",
    "Origin": "catalog.origins",
    "Outcome": "session.outcome",
    "Parameter": "environment.reference.model",
    "ParseError": "base.errors",
    "Place": "environment.hiera.explanation",
    "PlanEntry": "environment.reference.model",
    "Problem": "environment.reference.model",
    "PuppetError": "base.errors",
    "PuppetHash": "language.values.hash",
    "RelatedLocation": "frontends.api.validation",
    "Resource": "frontends.api.resource",
    "ResourceTypeEntry": "environment.reference.model",
    "Sensitive": "language.values.sensitive",
    "Session": "session",
    "Shared": "language.runtime.shared",
    "Signature": "environment.reference.model",
    "Tag": "environment.reference.model",
    "TaskEntry": "environment.reference.model",
    "__version__": "base.version",
    "compile": "frontends.api.compilation",
    "compile_nodes": "frontends.api.fleets",
    "evaluate": "frontends.api.evaluation",
    "explain": "frontends.api.lookups",
    "fix_text": "frontends.api.validation",
    "format_text": "tools.formatting.formatter",
    "from_python": "language.values.python",
    "function": "language.functions.given",
    "lookup": "frontends.api.lookups",
    "module": "frontends.api.modules",
    "render": "frontends.api.rendering",
    "to_json": "frontends.api.evaluation",
    "to_python": "language.values.python",
    "validate": "frontends.api.validation",
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
