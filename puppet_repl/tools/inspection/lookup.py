"""Finding the word at the cursor, and its documentation.

The kind of the word and the place that it is in choose the finders that are asked, in order: in
``file { '/x': ensure => file }`` the first ``file`` is a resource type, the second one a value.
"""

from __future__ import annotations

import re

from puppet_repl.host.command_registry import find_command
from puppet_repl.host.command_syntax import parse_command
from puppet_repl.language.syntax.calls import STATEMENT_CALLS
from puppet_repl.language.syntax.scan import recent
from puppet_repl.session.symbols import SessionSymbols
from puppet_repl.tools.inspection.attributes import (
    document_attribute,
    document_template_parameter,
    document_value,
)
from puppet_repl.tools.inspection.cursor_context import site_of
from puppet_repl.tools.inspection.cursor_word import Place, place_at
from puppet_repl.tools.inspection.documentation import Detail, Documentation
from puppet_repl.tools.inspection.names import (
    MAX_CHARACTERS,
    MAX_PARTS,
    document,
    document_class,
    document_function,
    document_keyword,
    document_reference,
    document_resource_type,
    document_variable,
    shown_path,
)
from puppet_repl.tools.inspection.open_call import call_at
from puppet_repl.tools.inspection.parameters import (
    document_assigned,
    document_binding,
    document_parameter,
)
from puppet_repl.tools.inspection.signs import HEREDOC, document_heredoc, document_operator
from puppet_repl.tools.inspection.values import short_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from puppet_repl.tools.inspection.cursor_context import SiteKind
    from puppet_repl.tools.inspection.cursor_word import WordKind

    Finder: TypeAlias = Callable[[SessionSymbols, Place], Documentation | None]

# A command below other lines of a cell.
_COMMAND = re.compile(r"[ \t]*[:%]([A-Za-z]\w*)")
_NAME = re.compile(
    r"""
      (?P<command>(?:\A|(?<=\n))\s*[:%][A-Za-z]\w*)
    | \$(?:::)?\w+(?:::\w+)*(?:\[(?:'[^'\n]*'|"[^"\n$]*"|\d+)\])*
    | (?:::)?[A-Z]\w*(?:::[A-Z]\w*)*(?:\[(?:'[^'\n]*'|"[^"\n$]*")\])?
    | (?:::)?[a-z_]\w*(?:::\w+)*
    """,
    re.VERBOSE,
)


def inspect(known: SessionSymbols, text: str, cursor: int) -> Documentation | None:
    """Return the documentation of the word at or right before the cursor, or of what is open."""
    cursor = max(0, min(cursor, len(text)))
    parsed = parse_command(text)
    if parsed is not None:
        return _in_command(known, text, cursor, parsed)
    command = _COMMAND.match(text, text.rfind("\n", 0, cursor) + 1)
    if command is not None and command.start(1) - 1 <= cursor <= command.end():
        found = document(known, f":{command[1]}")
        if found is not None:
            return found
    return inspect_code(known, text, cursor)


def _in_command(
    known: SessionSymbols, text: str, cursor: int, parsed: tuple[str, str, int]
) -> Documentation | None:
    """Return the documentation of a command, or of what its arguments name."""
    command, start = find_command(parsed[0]), parsed[2]
    if cursor < start or command is None:
        return document(known, f":{parsed[0]}")
    if command.takes_code:
        found = inspect_code(known, text[start:], cursor - start)
        if found is not None and found.span is not None:
            found.span = found.span[0] + start, found.span[1] + start
        return found
    if command.completes[:1] == ("data key",):
        word = re.search(r"\S*\Z", text[:cursor])
        end = re.compile(r"\S*").match(text, cursor)
        key = (word[0] if word else "") + (end[0] if end else "")
        return document_data_key(known, key)
    name = name_at(text, cursor)
    return None if name is None else document(known, name)


def inspect_code(known: SessionSymbols, text: str, cursor: int) -> Documentation | None:
    """Return the documentation as ``inspect`` does, for a text that has no commands."""
    offset = recent(text[:cursor])
    place = place_at(text[offset:], cursor - offset)
    found = _variable_path(known, text, cursor, place)
    for find in _FINDERS.get(place.kind, ()):
        found = found or find(known, place)
    if found is not None:
        found.span = place.start + offset, place.end + offset
        return found
    is_sign = place.kind == "operator"  # it may open the call
    return _of_what_is_open(known, place.text[: place.end if is_sign else place.start])


def _of_what_is_open(known: SessionSymbols, before: str) -> Documentation | None:
    """Return the documentation of the call, or of the attribute, whose value is being written."""
    call = call_at(before)
    if call is not None:
        return document(known, call.name)
    site = site_of(before)[0]
    if site.kind != "value":
        return None
    type_name, title = site.subject
    return document_attribute(known, type_name, title, site.attribute)


# Variables


def _variable_path(
    known: SessionSymbols, text: str, cursor: int, place: Place
) -> Documentation | None:
    """Return the documentation of a key of a variable whose value is known: ``$facts['os']``."""
    is_key = place.kind == "string" and place.site.kind == "key"
    name = name_at(text, cursor)
    if name is None or "[" not in name or not name.startswith("$"):
        return None
    if place.kind != "variable" and not is_key:
        return None
    return document(known, name)


def _variable(known: SessionSymbols, place: Place) -> Documentation | None:
    name = place.word.removeprefix("$").partition("[")[0]
    scan = place.scan
    return (
        document_parameter(scan, place.text, name)
        or document_variable(known, f"${name}")
        or document_assigned(scan, place.text, name)
        or document_binding(known.binding(name), name)
    )


def _interpolated(known: SessionSymbols, place: Place) -> Documentation | None:
    """Return the documentation of the variable that a name stands for: ``"${name}"``."""
    is_call = place.following.startswith("(")
    return None if is_call else _variable(known, place)


# Names, by the place that they are in


def _name(known: SessionSymbols, place: Place) -> Documentation | None:
    site = place.site
    if site.kind not in ("attribute", "parameter", "query") and _is_key(place):
        return document_keyword(known, "default") if place.word == "default" else None
    finders = _SITES.get(site.kind, _USUAL)
    if place.word == "type" and place.following.startswith("("):
        finders = (_function,)
    for find in finders:
        found = find(known, place)
        if found is not None:
            return found
    return None


def _is_key(place: Place) -> bool:
    """Tell whether a name is only a string: the key of a hash, an option, a title."""
    following = place.following
    is_option = following.startswith(":") and not following.startswith("::")
    return is_option or following.startswith("=>")


def _attribute(known: SessionSymbols, place: Place) -> Documentation | None:
    type_name, title = place.site.subject
    return document_attribute(known, type_name, title, place.word)


def _parameter(known: SessionSymbols, place: Place) -> Documentation | None:
    """Return the documentation of a key of a hash with the parameters of a template or a type."""
    kind, owner = place.site.subject
    if kind == "template":
        return document_template_parameter(known, owner, place.word)
    return document_attribute(known, owner, "", place.word)


def _value(known: SessionSymbols, place: Place) -> Documentation | None:
    if place.following.startswith("("):
        return None
    site = place.site
    type_name, title = site.subject
    found = document_value(known, type_name, site.attribute, place.word)
    if found is not None or place.kind == "string" or place.word in ("true", "false"):
        return found or document_attribute(known, type_name, title, site.attribute)
    return None


def _opened_type(known: SessionSymbols, place: Place) -> Documentation | None:
    name = place.opened_type
    if name is None or name == "class":
        return None
    return document_resource_type(known, name) or document_class(known, name)


def _resource_type(known: SessionSymbols, place: Place) -> Documentation | None:
    """Return the documentation of the type, or else the class, that an argument names."""
    name = place.word.removeprefix("::")
    return document_resource_type(known, name) or document_class(known, name)


def _statement_type(known: SessionSymbols, place: Place) -> Documentation | None:
    """Return the resource type of a name that may begin a resource whose brace is not there yet."""
    is_call = place.following.startswith(("(", ".")) or place.word in STATEMENT_CALLS
    return None if is_call else document_resource_type(known, place.word.removeprefix("::"))


def _keyword(known: SessionSymbols, place: Place) -> Documentation | None:
    return document_keyword(known, place.word)


def _class(known: SessionSymbols, place: Place) -> Documentation | None:
    return document_class(known, place.word.removeprefix("::"))


def _function(known: SessionSymbols, place: Place) -> Documentation | None:
    return document_function(known, place.word.removeprefix("::"))


def _anything(known: SessionSymbols, place: Place) -> Documentation | None:
    return document(known, place.word)


def _type(known: SessionSymbols, place: Place) -> Documentation | None:
    """Return the documentation of a type, or of the resource that a reference names."""
    match = re.match(r"""\[\s*(?:'([^'\n]*)'|"([^"\n$]*)")\s*\]""", place.text[place.end :])
    if match is not None:
        reference = document_reference(known, f"{place.word}['{match[1] or match[2]}']")
        if reference is not None:
            return reference
    return document(known, place.word)


# Strings, by the place that they are in


def _string(known: SessionSymbols, place: Place) -> Documentation | None:
    find = _STRINGS.get(place.site.kind)
    return None if find is None else find(known, place)


def _title(known: SessionSymbols, place: Place) -> Documentation | None:
    type_name = place.site.subject[0].removeprefix("::")
    return document_reference(known, f"{type_name}['{place.word}']")


def _data_key(known: SessionSymbols, place: Place) -> Documentation | None:
    return document_data_key(known, place.word)


# Signs


def _operator(_known: SessionSymbols, place: Place) -> Documentation | None:
    return document_operator(place.word, place.before)


def _heredoc(_known: SessionSymbols, place: Place) -> Documentation | None:
    match = HEREDOC.match(place.word)
    return None if match is None else document_heredoc(match)


_FINDERS: dict[WordKind, tuple[Finder, ...]] = {
    "variable": (_variable,),
    "name": (_name,),
    "type": (_type,),
    "string": (_string,),
    "operator": (_operator,),
    "heredoc": (_heredoc,),
}

_USUAL: tuple[Finder, ...] = (_keyword, _opened_type, _anything)

_SITES: dict[SiteKind, tuple[Finder, ...]] = {
    "attribute": (_attribute,),
    "parameter": (_parameter,),
    "query": (_attribute, _keyword),
    "value": (_value, _keyword, _function, _anything),
    "query value": (_value, _keyword),
    "class": (_class, _anything),
    "method": (_function,),
    "variable": (_interpolated, _anything),
    "interpolation": (_interpolated, _anything),
    "statement": (_keyword, _opened_type, _statement_type, _anything),
}
"""The finders for a name; at other sites those of _USUAL."""

_STRINGS: dict[SiteKind, Finder] = {
    "class": _class,
    "class or type": _resource_type,
    "data key": _data_key,
    "parameter": _parameter,
    "query value": _value,
    "resource type": _resource_type,
    "title": _title,
    "value": _value,
}


def name_at(text: str, cursor: int) -> str | None:
    """Return the name that the cursor is in or after."""
    start = text.rfind("\n", 0, max(cursor, 0)) + 1
    end = text.find("\n", cursor)
    line = text[start : end if end >= 0 else len(text)]
    column = cursor - start
    for match in _NAME.finditer(line):
        if match.start() <= column <= match.end():
            name = match.group().strip()
            if match.group("command") is not None and start > 0 and text[:start].strip():
                return name[1:]
            return _cut_path(name, column - match.start())
    return None


def _cut_path(name: str, column: int) -> str:
    """Cut ``$facts['os']['name']`` after the key that the cursor is in."""
    if "[" not in name or not name.startswith("$"):
        return name
    close = name.find("]", max(column, 0))
    opening = name.find("[")
    if column < opening:
        return name[:opening]
    return name if close < 0 else name[: close + 1]


# Of the files that have a key.
_MAX_PLACES = 8


def document_data_key(known: SessionSymbols, key: str) -> Documentation | None:
    """Return where a key of the data is; None in a session without an environment.

    Of a key with dots it is the first part, whose value has the others.
    """
    root = key.partition(".")[0]
    if known.session.environment is None or not root:
        return None
    places = known.session.data_keys.places(root)
    if not places:
        return Documentation(key, "data key", "No data file that counts for this node has it.")
    details = []
    for place in places[:_MAX_PLACES]:
        value = short_value(place.value, MAX_CHARACTERS, MAX_PARTS)
        remark = f"{place.layer}, level {place.level}"
        details.append(
            Detail(shown_path(place.path), value, is_name=True, is_code=True, remark=remark)
        )
    text = (
        "The value of the first file is taken, unless lookup_options or a merge strategy put the "
        "files together. Values are shown as they are in the files, before interpolation."
    )
    if len(places) > _MAX_PLACES:
        text += f" {len(places) - _MAX_PLACES} more files have the key."
    return Documentation(key, "data key", text, details=tuple(details))
