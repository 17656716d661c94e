"""The documentation of attributes of resources, and of the values that they usually take."""

from __future__ import annotations

from puppet_repl.language.syntax.headings import parameter_texts
from puppet_repl.tools.inspection.attribute_texts import (
    attribute_texts,
    metaparameter_texts,
)
from puppet_repl.tools.inspection.documentation import Detail, Documentation, Location
from puppet_repl.tools.inspection.names import (
    comment_before,
    summary_of,
    tag_texts,
    values_of,
)
from puppet_repl.tools.inspection.values_in_data import IN_DATA, values_in_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.session.symbols import SessionSymbols

# What resources are collected by that is not an attribute.
_TITLE = {"title": "The title of a resource."}


def attribute_summaries(known: SessionSymbols, type_name: str, title: str = "") -> dict[str, str]:
    """Return one line about each attribute of a type, metaparameters too.

    That of a parameter of a defined type, or of the class with a title, begins with its type.
    """
    native = known.resource_type(type_name)
    said = {} if native is None else {name: summary_of(text) for name, text in native.docs.items()}
    said |= _parameter_summaries(known, type_name, title)
    return {**metaparameter_texts(), **attribute_texts(type_name), **said}


def _parameter_summaries(known: SessionSymbols, type_name: str, title: str) -> dict[str, str]:
    is_class = type_name == "class"
    owner = title.removeprefix("::") if is_class else type_name
    found = _definition(known, owner, is_class=is_class)
    if found is None:
        return {}
    source, start = found
    tags = tag_texts(comment_before(source, start))
    summaries = {}
    for text in parameter_texts(source, start):
        type_, _, name = text.partition(" = ")[0].rpartition("$")
        about = summary_of(tags.get(f"${name.strip()}", ""))
        shown = type_.strip() or "Any"
        summaries[name.strip()] = f"{shown}: {about}" if about else shown
    return summaries


def document_attribute(
    known: SessionSymbols, type_name: str, title: str, name: str
) -> Documentation | None:
    """Return the documentation of an attribute of a type, or of the class with a title."""
    owner = title.removeprefix("::") if type_name == "class" else type_name
    parameter = _document_parameter(known, owner, name, is_class=type_name == "class")
    if parameter is not None:
        return parameter
    if type_name != "class" and name not in known.attributes(type_name, title):
        text = _TITLE.get(name)
        return None if text is None else Documentation(name, "attribute", text, theme=owner)
    native = known.resource_type(type_name)
    is_own = native is not None and name in native.attributes
    text = native.docs.get(name, "") if native is not None else ""
    text = text or (attribute_texts(type_name).get(name, "") if is_own else "")
    text = text or metaparameter_texts().get(name, "")
    if not text and not is_own:
        return None
    kind = _kind(known, type_name, name) if is_own else "metaparameter of all resources"
    details = [Detail("Kind", kind)]
    values = values_of(known, type_name, name)
    if values:
        details.append(Detail("Values", ", ".join(values), is_code=True))
    return Documentation(name, "attribute", text, theme=owner, details=tuple(details))


def _kind(known: SessionSymbols, type_name: str, name: str) -> str:
    native = known.resource_type(type_name)
    if native is None or name in native.namevars:
        return "names the resource; by default its title"
    return "property" if name in native.properties else "parameter"


def document_value(
    known: SessionSymbols, type_name: str, attribute: str, value: str
) -> Documentation | None:
    """Return what a value of an attribute means, None if nothing is known of it."""
    meaning = values_of(known, type_name, attribute).get(value)
    if not meaning:
        return None
    title = f"{attribute} => {value}"
    about = attribute_summaries(known, type_name).get(attribute, "")
    details = (Detail("Attribute", about),) if about else ()
    return Documentation(title, "value", meaning, theme=type_name, details=details)


def _document_parameter(
    known: SessionSymbols, owner: str, name: str, *, is_class: bool
) -> Documentation | None:
    """Return the documentation of a parameter of a class or of a defined type."""
    found = _definition(known, owner, is_class=is_class)
    if found is None:
        return None
    source, start = found
    for text in parameter_texts(source, start):
        head, _, default = text.partition(" = ")
        before, _, parameter = head.rpartition("$")
        if parameter.strip() != name:
            continue
        said = tag_texts(comment_before(source, start)).get(f"${name}", "")
        details = [Detail("Type", before.strip() or "Any", is_code=True)]
        value = None if default or not is_class else values_in_data(known, owner).get(name)
        if default or value is not None:
            remark = "" if value is None else IN_DATA
            details.append(Detail("Default", value or default, is_code=True, remark=remark))
        else:
            details.append(Detail("Required", "yes"))
        return Documentation(
            name,
            "attribute",
            said,
            theme=owner,
            signatures=(text,),
            details=tuple(details),
            location=Location(source, start),
        )
    return None


def document_template_parameter(
    known: SessionSymbols, template: str, name: str
) -> Documentation | None:
    """Return the documentation of a parameter of an EPP template, None if it has none."""
    found = (known.template_parameters(template) or {}).get(name)
    if found is None:
        return None
    type_, default = found
    details = [
        Detail("Type", type_, is_code=True),
        Detail("Default", default, is_code=True) if default else Detail("Required", "yes"),
    ]
    return Documentation(name, "parameter", theme=template, details=tuple(details))


def _definition(known: SessionSymbols, name: str, *, is_class: bool) -> tuple[Source, int] | None:
    defined = (known.definitions() if is_class else known.defines()).get(name)
    if defined is not None:
        return defined.source, defined.start
    if not is_class and known.resource_type(name) is not None:
        return None
    unloaded = known.in_module_file(name)
    return None if unloaded is None else (unloaded[0], unloaded[1].start)
