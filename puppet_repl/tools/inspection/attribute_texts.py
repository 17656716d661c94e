"""What attributes of resources are for, and the values that they usually take."""

from __future__ import annotations

from puppet_repl.catalog.core_types import attributes_of

_METAPARAMETERS = """
alias: Another name that relationships may use for the resource.
audit: Attributes whose changes are only reported, or `all`; nothing is changed for them.
before: Resources that are applied after this one.
loglevel: The level at which changes are logged: debug, info, notice, warning, err, ...
noop: If true the resource is only compared, and the pending changes are reported.
notify: Resources that are applied after this one, and refreshed if it has changed.
require: Resources that are applied before this one.
schedule: The Schedule resource whose times allow the resource to be applied.
stage: The run stage of a class; only classes that are declared like resources can have one.
subscribe: Resources that are applied before this one, and refresh it if they have changed.
tag: Further tags of the resource, by which runs and collectors choose.
"""

_THERE = {"present": "It is there.", "absent": "It is not there."}
_SWITCH = {"true": "Yes.", "false": "No."}
_MEMBERSHIP = {
    "minimum": "Members that are not named are kept.",
    "inclusive": "Members that are not named are removed.",
}
_LEVELS = {
    "debug": "Shown with --debug only.",
    "info": "Shown with --verbose only.",
    "notice": "Shown always; the usual level of changes.",
    "warning": "As a warning.",
    "err": "As an error.",
    "alert": "As a problem that needs immediate action.",
    "emerg": "As a failure of the whole system.",
    "crit": "As a critical error.",
    "verbose": "Shown with --verbose only, as info.",
}

_OF_ANY_TYPE = {
    "ensure": _THERE,
    "loglevel": _LEVELS,
    **dict.fromkeys(
        (
            "allowdupe",
            "enable",
            "enabled",
            "force",
            "hasrestart",
            "hasstatus",
            "managehome",
            "noop",
            "purge",
            "recurse",
            "refreshonly",
            "replace",
            "show_diff",
            "system",
            "withpath",
        ),
        _SWITCH,
    ),
}
"""The values of attributes that mean the same for all types."""


def metaparameter_texts() -> dict[str, str]:
    """Return what each metaparameter is for, by name."""
    pairs = (line.partition(": ") for line in _METAPARAMETERS.strip().split("\n"))
    return {name: text for name, _, text in pairs}


def attribute_texts(type_name: str) -> dict[str, str]:
    """Return what each attribute of a core type is for: the one that names it, then all others."""
    attributes = attributes_of(type_name)
    names = [*list(attributes)[:1], *sorted(list(attributes)[1:])]
    return {name: attributes[name].text for name in names}


def usual_values(type_name: str, name: str) -> dict[str, str]:
    """Return the values that an attribute usually takes, in order, with what they mean."""
    attribute = attributes_of(type_name).get(name)
    if attribute is not None and attribute.meanings:
        return attribute.meanings
    if attribute is not None and attribute.values == tuple(_MEMBERSHIP):
        return _MEMBERSHIP
    return _OF_ANY_TYPE.get(name, {})
