"""The end of an input: what waited until all of its code had run, and the checks."""

from __future__ import annotations

from puppet_repl.base.errors import ILLEGAL_SIGNAL, EvaluationIssue, PuppetError, RuntimeFailure
from puppet_repl.catalog import issues
from puppet_repl.catalog.propagation import Propagation
from puppet_repl.catalog.queries import Looked
from puppet_repl.catalog.resource_types import METAPARAMETERS, NativeType
from puppet_repl.catalog.signatures import check_parameters
from puppet_repl.language.runtime.declarations import Definition
from puppet_repl.language.values.sensitive import Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.catalog.bodies import Bodies
    from puppet_repl.catalog.collectors import Collectors
    from puppet_repl.catalog.definitions import Definitions
    from puppet_repl.catalog.overrides import Overrides
    from puppet_repl.catalog.relationships import Relationships
    from puppet_repl.catalog.resource import Resource
    from puppet_repl.catalog.resources import Resources
    from puppet_repl.catalog.state import State, Version
    from puppet_repl.language.runtime.context import Context

_MAX_ROUNDS = 1000


class Finishing:
    """The work at the end of each input."""

    def __init__(
        self,
        context: Context,
        state: State,
        definitions: Definitions,
        resources: Resources,
        overrides: Overrides,
        collectors: Collectors,
        bodies: Bodies,
        relationships: Relationships,
    ) -> None:
        self.context = context
        self.state = state
        self.definitions = definitions
        self.overrides = overrides
        self.collectors = collectors
        self.bodies = bodies
        self.relationships = relationships
        self.propagation = Propagation(state, resources.main_resource)
        # The version after the check of a whole program in one input, else None.
        self._finished: Version | None = None

    def finish_input(self, *, is_whole: bool) -> None:
        """Evaluate the deferred bodies, finish the resources, and check their references.

        At the end of a whole program, every resource that is overridden or realized must exist.
        """
        may_wait = not is_whole and self.context.options.references == "warn"
        self._evaluate_deferred()
        declared = self.relationships.declared()
        self.relationships.evaluate(declared, may_wait=may_wait)
        self.overrides.merge_waiting()
        state = self.state
        for resource in list(state.fresh):
            if not resource.finished:
                resource.finished = True
                if not resource.has_container_tags:  # evaluated defines have them
                    resource.add_container_tags()
            self._check(resource)
        if state.spread or state.tables.has_contained_classes:
            self.propagation.to_all()
        else:
            self.propagation.to_fresh()
        changed = state.tables.members if state.removed else state.fresh
        self.relationships.validate(changed, declared, may_wait=may_wait)
        if is_whole:
            self._fail_on_waiting()
        self._finished = state.version if is_whole and self._is_first_input() else None

    def _is_first_input(self) -> bool:
        """Tell whether all resources, but for those that are always there, are of this input."""
        state = self.state
        return all(resource.input in (0, state.input) for resource in state.tables.members)

    def finish_catalog(self) -> None:
        """Check that all that inputs refer to has been declared by now."""
        if self._finished == self.state.version:
            return  # this input has declared and checked everything
        declared = self.relationships.declared()
        self.relationships.fail_on_waiting(declared)
        self.relationships.validate(self.state.tables.members, declared, may_wait=False)
        self._fail_on_waiting()

    def _fail_on_waiting(self) -> None:
        self.overrides.fail_on_waiting()
        self.collectors.fail_on_missing()

    def _evaluate_deferred(self) -> None:
        """Evaluate collectors and the bodies of defines until nothing new comes of it."""
        looked = Looked()
        for _ in range(_MAX_ROUNDS):
            is_any_collected = self.collectors.evaluate(looked)
            if not (self._evaluate_bodies() or is_any_collected):
                return
        raise issues.looped_too_often()

    def _evaluate_bodies(self) -> bool:
        waiting = [
            resource
            for resource in self.state.fresh
            if type(resource.definition) is Definition
            and not (resource.evaluated or resource.virtual)
        ]
        for resource in waiting:
            try:
                self.bodies.evaluate(resource)
            except (EvaluationIssue, RuntimeFailure) as error:
                raise _in_resource(resource, error.message, error) from None
            except PuppetError as error:
                if error.code == ILLEGAL_SIGNAL:
                    raise _of_signal(error) from None
                raise _in_resource(resource, str(error), error) from None
        return bool(waiting)

    def _check(self, resource: Resource) -> None:
        """Check the attributes of a resource, and note which of them are Sensitive."""
        parameters = resource.parameters
        definition = resource.definition
        if type(definition) is NativeType:
            if not (definition.accepted.issuperset(parameters) or definition.is_open):
                allowed = definition.attributes
                name = next(name for name in parameters if name not in definition.accepted)
                raise issues.unknown_attribute(name, resource, (*allowed, *METAPARAMETERS))
        elif not resource.checked and type(definition) is Definition and definition.kind != "node":
            given = {name: parameter.value for name, parameter in parameters.items()}
            signature = self.definitions.signature_of(definition)
            try:
                check_parameters(self.context, resource, signature, given)
            except RuntimeFailure as failure:
                raise PuppetError(
                    failure.message, subject=failure.subject, culprit=failure.culprit
                ) from None
        resource.checked = True
        for parameter in parameters.values():
            if type(parameter.value) is Sensitive and parameter.name not in resource.sensitive:
                resource.sensitive += (parameter.name,)


def _of_signal(illegal: PuppetError) -> PuppetError:
    """Return the error of a break() in a body that ran late, with the location of the break()."""
    error = issues.at_line(
        f"Evaluation Error: Error while evaluating an Object, {illegal.message}",
        illegal.source,
        illegal.line,
    )
    error.frames = illegal.frames
    return error


def _in_resource(resource: Resource, detail: str, cause: PuppetError) -> PuppetError:
    """Return the error in a body that ran late: Puppet reports it at the resource, by line."""
    error = issues.at_line(
        f"Evaluation Error: Error while evaluating a Resource Statement, {detail}",
        resource.source,
        resource.line,
    )
    error.frames = cause.frames
    error.subject = cause.subject
    if cause.source is None:  # it is about the attributes, and nothing in the body
        error.culprit = cause.culprit
    error.__cause__ = cause
    return error
