"""The errors of compiling a catalog, one function a message."""

from __future__ import annotations

from puppet_repl.base.errors import EvaluationIssue, PuppetError, RuntimeFailure, Subject
from puppet_repl.catalog.resource import Parameter, Resource, error_location
from puppet_repl.language.runtime.issues import origin
from puppet_repl.language.values.ruby import ruby_quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.catalog.overrides import Override
    from puppet_repl.language.runtime.declarations import Definition
    from puppet_repl.language.syntax.source import Source


# The node blocks of a site that a message names.
_MAX_LABELS = 8


def at_line(message: str, source: Source | None, line: int | None) -> PuppetError:
    """Return an error that Puppet shows with a line and without a column."""
    error = PuppetError(message)
    error.source = source
    error.line = line
    return error


def _class(name: str) -> Subject:
    return Subject("class", name.removeprefix("::"))


def _spaced(location: str) -> str:
    return f" {location}" if location else ""


# Resource expressions


def missing_title() -> EvaluationIssue:
    """Return the error for a title that is undef."""
    return EvaluationIssue("Missing title. The title expression resulted in undef", "MISSING_TITLE")


def missing_title_at(index: int) -> EvaluationIssue:
    """Return the error for a title in an array that is undef."""
    return EvaluationIssue(
        f"Missing title at index {index}. The title expression resulted in an undef title",
        "MISSING_TITLE_AT",
    )


def illegal_title_type_at(index: int, actual: str) -> EvaluationIssue:
    """Return the error for a title that is not a String."""
    return EvaluationIssue(
        f"Illegal title type at index {index}. Expected String, got {actual}",
        "ILLEGAL_TITLE_TYPE_AT",
    )


def empty_string_title_at(index: int) -> EvaluationIssue:
    """Return the error for an empty title."""
    return EvaluationIssue(
        f"Empty string title at {index}. Title strings must have a length greater than zero.",
        "EMPTY_STRING_TITLE_AT",
    )


def duplicate_title(title: str) -> EvaluationIssue:
    """Return the error for two bodies of one expression with the same title."""
    return EvaluationIssue(
        f"The title '{title}' has already been used in this resource expression",
        "DUPLICATE_TITLE",
    )


def duplicate_attribute(name: str) -> EvaluationIssue:
    """Return the error for an attribute that is given twice in one body."""
    # Puppet spells the code like this.
    return EvaluationIssue(f"The attribute '{name}' has already been set", "DUPLICATE_ATTRIBUE")


def attributes_not_hash(actual: str) -> EvaluationIssue:
    """Return the error for ``* =>`` with something else than a Hash."""
    return EvaluationIssue(f"Expected value of type Hash, got {actual}", "TYPE_MISMATCH")


def illegal_resource_type(actual: str, blame: str | None = None) -> EvaluationIssue:
    """Return the error for something before the brace that names no resource type."""
    return EvaluationIssue(
        "Illegal Resource Type expression, expected result to be a type name, "
        f"or untitled Resource, got {actual}",
        "ILLEGAL_RESOURCE_TYPE",
        blame,
    )


def unknown_resource_type(name: str) -> RuntimeFailure:
    """Return the error for an unknown resource type."""
    return RuntimeFailure(
        f"Unknown resource type: '{name}'", subject=Subject("resource type", name)
    )


def declared_class_not_found(title: str) -> RuntimeFailure:
    """Return the error for ``class { x: }`` with an unknown class."""
    return RuntimeFailure(f"Could not find declared class {title}", subject=_class(title))


def iterator_as_attribute() -> RuntimeFailure:
    """Return the error for an Iterator as an attribute."""
    return RuntimeFailure("Use of an Iterator is not supported here")


def no_title(text: str) -> RuntimeFailure:
    """Return the error for a text or a reference that names no resource."""
    shown = ruby_quoted(text)
    return RuntimeFailure(f"No title provided and {shown} is not a valid resource reference")


def no_title_of_name(name: str) -> RuntimeFailure:
    """Return the error for the name of a resource type without a title, ``Resource[file] {}``."""
    return RuntimeFailure(f"No title provided and :{name} is not a valid resource reference")


def neither_class_nor_resource() -> RuntimeFailure:
    """Return the error for ``CatalogEntry`` where a resource is named."""
    return RuntimeFailure(
        "Cannot split the type Puppet::Pops::Types::PCatalogEntryType, it represents neither a "
        "PClassType, nor a PResourceType."
    )


def illegal_overridden_type(actual: str) -> EvaluationIssue:
    """Return the error for an override of something else than resources."""
    return EvaluationIssue(
        f"Resource Override can only operate on resources, got: {actual}",
        "ILLEGAL_OVERRIDDEN_TYPE",
    )


def class_not_virtualizable() -> EvaluationIssue:
    """Return the error for a virtual class, ``@class``."""
    return EvaluationIssue("Classes are not virtualizable", "CLASS_NOT_VIRTUALIZABLE")


def unknown_resource_parameter(type_name: str, title: str, name: str) -> EvaluationIssue:
    """Return the error for reading an attribute that the type does not have."""
    return EvaluationIssue(
        f"The resource {type_name}['{title}'] does not have a parameter called '{name}'",
        "UNKNOWN_RESOURCE_PARAMETER",
    )


# Adding to the catalog


def duplicate_declaration(new: Resource, old: Resource) -> RuntimeFailure:
    """Return the error for a resource that is in the catalog already."""
    at = f" at {old.location}" if old.location else ""
    return RuntimeFailure(
        f"Duplicate declaration: {new.ref} is already declared{at}; cannot redeclare"
        + _spaced(new.location)
    )


def cannot_alias(resource: Resource, key: str, name: str, existing: Resource) -> RuntimeFailure:
    """Return the error for a resource with a name that another one has."""
    at = f" at {resource.location}" if resource.location else ""
    return RuntimeFailure(
        f"Cannot alias {resource.ref} to {key}{at}; resource {name} already declared"
        + _spaced(existing.location)
    )


def replaced(existing: Resource, resource: Resource, name: object) -> str:
    """Return the note that a resource takes the name, and the place, of another one."""
    return f"{resource.ref} replaces {existing.ref}: both are called {name}"


def only_classes_set_stage(resource: Resource) -> RuntimeFailure:
    """Return the error for a resource with a stage."""
    return RuntimeFailure(
        "Only classes can set 'stage'; normal resources like "
        f"{resource.ref} cannot change run stage"
    )


def stage_not_found(stage: str, resource: Resource) -> RuntimeFailure:
    """Return the error for a class with an unknown stage."""
    return RuntimeFailure(f"Could not find stage {stage} specified by {resource.ref}")


def invalid_tag(tag: str, source: Source | None = None, line: int | None = None) -> PuppetError:
    """Return the error for a tag with characters that are not allowed."""
    message = f"Invalid tag '{tag}'"
    if line is None:
        return RuntimeFailure(message)
    return at_line(message, source, line)


def unknown_attribute(name: str, resource: Resource, known: Iterable[str]) -> PuppetError:
    """Return the error for an attribute that is not among the ``known`` ones of the type."""
    message = f"no parameter named '{name}'{_spaced(resource.location)} on {resource.ref}"
    error = at_line(message, resource.source, resource.line)
    error.subject = Subject("attribute", name, known)
    error.culprit = name
    return error


# Defaults and overrides


def default_already_defined(
    type_name: str, name: str, source: Source | None, line: int | None
) -> PuppetError:
    """Return the error for a default that is set twice in one scope."""
    return at_line(
        f"Default already defined for {type_name} {{ {name} }}; cannot redefine", source, line
    )


def duplicate_parameter(
    name: str, reference: str, source: Source | None, line: int | None
) -> PuppetError:
    """Return the error for an attribute that an override or a collector has twice."""
    return at_line(f"Duplicate parameter '{name}' for on {reference}", source, line)


def only_subclasses_can_override(override: Override) -> PuppetError:
    """Return the error for an override in a class that does not inherit from the declaring one."""
    return at_line("Only subclasses can override parameters", override.source, override.line)


def already_evaluated(resource: Resource) -> str:
    """Return the message about an override that comes after the body has run."""
    location = resource.location
    if location:
        return (
            "Attempt to override an already evaluated resource, "
            f"defined at {location}, with new values"
        )
    return "Attempt to override an already evaluated resource with new values"


def parameter_already_set(resource: Resource, new: Parameter, old: Parameter) -> PuppetError:
    """Return the error for an override, in the resource's scope, of a parameter that is set."""
    location = error_location(old.source, old.line)
    at = f" at {location}" if location else ""
    return at_line(
        f"Parameter '{new.name}' is already set on {resource.ref}{at}; cannot redefine",
        new.source,
        new.line,
    )


def overrides_left(references: Iterable[str]) -> PuppetError:
    """Return the error for overrides whose resource was never declared."""
    return PuppetError(f"Could not find resource(s) {', '.join(references)} for overriding")


def realizations_left(references: Iterable[str]) -> PuppetError:
    """Return the error for realize() of resources that were never declared."""
    return PuppetError(f"Failed to realize virtual resources {', '.join(references)}")


# Classes, defines and nodes


def class_not_found(name: str, node: str) -> RuntimeFailure:
    """Return the error for include() of an unknown class."""
    return RuntimeFailure(f"Could not find class {name} for {node}", subject=_class(name))


def parent_not_found(definition: Definition, environment: str) -> PuppetError:
    """Return the error for ``inherits`` with an unknown class."""
    kind = "hostclass" if definition.kind == "class" else definition.kind
    return at_line(
        f"Could not find parent resource type '::{definition.parent}' "
        f"of type {kind} in {environment}",
        definition.source,
        definition.line,
    )


def node_not_found(name: str, blocks: Iterable[Definition]) -> PuppetError:
    """Return the error for a node to which none of the node blocks applies."""
    return PuppetError(
        f"Could not find node statement with name 'default' or '{name}'",
        notes=(f"there are node blocks for {_labels(blocks)}",),
    )


def no_node_applies(name: str, blocks: Iterable[Definition]) -> str:
    """Return the note that no node block of a site applies to a node that nobody has chosen."""
    labels = _labels(blocks)
    return f"no node block applies to {name}: they are for {labels} (--node and :node choose)"


def nodes_pass(name: str, typed: list[Definition], other: Definition | None) -> str:
    """Return the note that none of the node blocks of an input applies, but perhaps another."""
    verb = "does" if len(typed) == 1 else "do"
    reason = "" if other is None else f": node {other.label} does"
    return f"node {_labels(typed)} {verb} not apply to {name}{reason}"


def _labels(blocks: Iterable[Definition]) -> str:
    labels = [block.label for block in blocks]
    more = len(labels) - _MAX_LABELS
    return ", ".join(labels[:_MAX_LABELS]) + (f" and {more} more" if more > 0 else "")


def already_defined(new: Definition, old: Definition) -> PuppetError:
    """Return the error for a name that is defined twice."""
    at = _spaced(error_location(old.source, old.line))
    if old.kind == new.kind == "define":
        return PuppetError(
            f"Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/{new.name}'. "
            f"Originally set at {origin(old.source, old.start)}."
        )
    kind = {"class": "Class", "node": "Node", "define": "Definition"}[old.kind]
    if old.kind == new.kind:
        message = f"{kind} '{new.name}' is already defined{at}; cannot redefine"
    elif new.kind == "define":
        message = f"'{new.name}' is already defined{at} as a class; cannot redefine as a definition"
    else:
        message = f"{kind} '{new.name}' is already defined{at}; cannot be redefined as a {new.kind}"
    return at_line(message, new.source, new.line)


def metaparameter_without_default(name: str, definition: Definition) -> PuppetError:
    """Return the error for a parameter with the name of a metaparameter."""
    return PuppetError(
        f"{name} is a metaparameter; please choose another parameter name "
        f"in the {definition.name} definition"
    )


def metaparameter_with_default(name: str, definition: Definition) -> str:
    """Return the warning about a parameter with the name of a metaparameter."""
    return (
        f"{name} is a metaparam; this value will inherit to all contained resources "
        f"in the {definition.name} definition"
    )


def undef_class_name() -> RuntimeFailure:
    """Return the error for include(undef)."""
    return RuntimeFailure("Cannot use undef as a class name")


def empty_class_name() -> RuntimeFailure:
    """Return the error for include('')."""
    return RuntimeFailure("Cannot use empty string as a class name")


def unspecific_class() -> RuntimeFailure:
    """Return the error for include(Class)."""
    return RuntimeFailure("Cannot use an unspecific Class[] Type")


def value_as_class_name(type_text: str) -> RuntimeFailure:
    """Return the error for include() of another value; Puppet 8 shows an internal error."""
    return RuntimeFailure(f"Cannot use a value of type {type_text} as a class name")


def resource_as_class_name(type_name: str | None) -> RuntimeFailure:
    """Return the error for include() of a reference to something else than a class."""
    wanted = "where a Resource['class', name] is expected"
    if type_name is None:
        return RuntimeFailure(f"Cannot use an unspecific Resource[] {wanted}")
    if type_name.lower() == "class":
        return RuntimeFailure(f"Cannot use an unspecific Resource['class'] {wanted}")
    return RuntimeFailure(f"Cannot use a Resource[{type_name}] {wanted}")


def looped_too_often() -> PuppetError:
    """Return the error for bodies of defines that declare ever more instances of defines."""
    return PuppetError("Somehow looped more than 1000 times while evaluating host catalog")


# Collectors and relationships


def classes_cannot_be_collected() -> RuntimeFailure:
    """Return the error for a collector of classes, ``Class <| |>``."""
    return RuntimeFailure("Classes cannot be collected")


def collected_type_not_found(name: str) -> RuntimeFailure:
    """Return the error for a collector of an unknown type."""
    return RuntimeFailure(
        f"Resource type {name} doesn't exist", subject=Subject("resource type", name)
    )


def number_as_tag() -> RuntimeFailure:
    """Return the error for ``tag == 5`` in a query."""
    return RuntimeFailure("Cannot transform a number to a tag")


def untransformable(kind: str) -> RuntimeFailure:
    """Return the error for an expression that the query of a collector cannot have."""
    return RuntimeFailure(f"Cannot transform object of class Puppet::Pops::Model::{kind}")


def duplicate_exported(reference: str) -> PuppetError:
    """Return the error for a collected resource that is there already."""
    return PuppetError(
        "A duplicate resource was found while collecting exported resources, "
        f"with the type and title {reference}"
    )


def failed_in_compiler(failure: RuntimeFailure) -> PuppetError:
    """Return the error for a failure of Ruby that Puppet's compiler passes on as it is."""
    return PuppetError(
        f"Puppet::Parser::Compiler failed with error ArgumentError: {failure.message}",
        subject=failure.subject,
    )


EXPORT_IGNORED = (
    "You cannot collect exported resources without storeconfigs being set; the export is ignored"
)
COLLECTION_IGNORED = (
    "You cannot collect exported resources without storeconfigs being set; "
    "the collection will be ignored"
)


def illegal_relationship_operand(label: str) -> EvaluationIssue:
    """Return the error for an operand of an arrow that is neither a reference nor a string."""
    return EvaluationIssue(
        "Illegal relationship operand, can not form a relationship with "
        f"{label}. A Catalog type is required.",
        "ILLEGAL_RELATIONSHIP_OPERAND_TYPE",
    )


def not_catalog_type(type_text: str) -> EvaluationIssue:
    """Return the error for an operand of an arrow that is a data type.

    Puppet 8 fails while it makes this message, and shows an internal error instead.
    """
    return EvaluationIssue(
        "Illegal relationship operand, can not form a relationship with something of type "
        f"{type_text}. A Catalog type is required.",
        "NOT_CATALOG_TYPE",
    )


def relationship_source_not_found(source: str, target: str) -> PuppetError:
    """Return the error for an arrow that starts at an unknown resource."""
    return PuppetError(f"Could not find resource '{source}' for relationship on '{target}'")


def relationship_target_not_found(source: str, target: str) -> PuppetError:
    """Return the error for an arrow that leads to an unknown resource."""
    return PuppetError(f"Could not find resource '{target}' for relationship from '{source}'")


def not_declared(missing: str, resource: str, name: str, when: str) -> str:
    """Return the warning that a metaparameter names a resource that is not declared.

    ``when`` is "yet", or "any more" for a resource that was removed.
    """
    relation = {
        "require": f"required by {resource}",
        "subscribe": f"subscribed to by {resource}",
        "before": f"{resource} comes before it",
        "notify": f"notified by {resource}",
    }[name]
    return f"{missing} is not declared {when} ({relation})"


def reference_not_found(
    reference: str, name: str, source: Source | None, line: int | None
) -> PuppetError:
    """Return the error for a metaparameter that refers to an unknown resource."""
    error = at_line(f"Could not find resource '{reference}' in parameter '{name}'", source, line)
    error.culprit = name
    return error
