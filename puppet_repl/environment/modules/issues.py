"""Errors in the files of modules and environments."""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError, RuntimeFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from puppet_repl.language.syntax.outline import Outline

    # What a file of a module may define alone.
    SingleKind: TypeAlias = Literal["function", "plan", "type"]


def unreadable(path: str, reason: str) -> RuntimeFailure:
    """Return the error about a file of a module that cannot be read."""
    return RuntimeFailure(f"Could not read {path}: {reason}")


def unreadable_environment(path: str, reason: str) -> PuppetError:
    """Return the error about a file or directory of an environment, whatever code is running."""
    return PuppetError(f"Could not read {path}: {reason}")


def module_named_environment(path: str) -> PuppetError:
    """Return Puppet's refusal of a module that has the name of its loader."""
    note = f"the module in {path} needs another name"
    return PuppetError(
        "Internal Error: Attempt to redefine loader named 'environment'", notes=(note,)
    )


def no_stubs(path: str) -> RuntimeFailure:
    """Return the error about a file of --stubs that cannot be read."""
    return RuntimeFailure(f"The file of replacements {path} (--stubs) cannot be read")


def no_type_set(path: str, module: str) -> RuntimeFailure:
    """Return the error about an init_typeset.pp that defines another kind of type."""
    return RuntimeFailure(
        f"The code loaded from {path} does not define the TypeSet '{module.capitalize()}'"
    )


def check_single_definition(kind: SingleKind, name: str, path: str, outline: Outline) -> None:
    """Raise an error for a file with more than the definition that it is named for."""
    quoted = f"'{name}'"
    where = f"The code loaded from {path}"
    if not outline.definitions:
        raise RuntimeFailure(f"{where} does not define the {kind} {quoted} - it is empty.")
    if len(outline.definitions) > 1:
        raise RuntimeFailure(
            f"{where} must contain only the {kind} {quoted} - it has additional definitions."
        )
    defined, actual = outline.definitions[0]
    if defined != kind:
        found = "type alias or type definition" if kind == "type" else kind
        raise RuntimeFailure(f"{where} does not define the {kind} {quoted} - no {found} found.")
    if kind != "type" and actual != name:
        raise RuntimeFailure(
            f"{where} produced {kind} with the wrong name, expected {name}, actual {actual}"
        )
    if kind == "type" and actual.lower() != name:
        raise RuntimeFailure(
            f"{where} produced type with the wrong name, expected {quoted}, actual '{actual}'"
        )
    if not outline.is_single:
        raise RuntimeFailure(
            f"{where} contains additional logic - can only contain the {kind} {quoted}"
            if kind == "type"
            else f"{where} contains additional logic - can only contain the {kind} {name}"
        )
