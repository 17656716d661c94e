"""What can be known about a module's Ruby files without running Ruby.

A resource type file names its attributes in calls like ``newproperty(:mode)``; reading those
names is enough to check a catalog.
"""

from __future__ import annotations

import os

from puppet_repl.base.file_reading import read_text
from puppet_repl.base.patterns import LatePattern
from puppet_repl.catalog.resource_types import NativeType, TitlePattern
from puppet_repl.environment.modules.ruby_titles import has_title_patterns, scan_title_patterns
from puppet_repl.language.values.regex import MULTILINE, Regexp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.environment.modules.listings import Listing, Listings

_CALL = LatePattern(
    r"""(?m)^[ \t]*(?:Puppet::Type\.|Type\.)?(newtype|newproperty|newparam|newcheck|newmetaparam)"""
    r"""(?:[ \t]*\(\s*|[ \t]+)(?::|['"]|:['"])([A-Za-z_]\w*)['"]?([^\n]*)"""
)
_ENSURABLE = LatePattern(r"(?m)^[ \t]*ensurable\b")
_NAMEVAR = LatePattern(r"(?m)^[ \t]*isnamevar\b|\bnamevar[ \t]*(?:=>|:)[ \t]*true")
_MIXED_IN = LatePattern(r"(?m)^[ \t]*(?:extend|include|require)\b")
_EACH = LatePattern(
    r"""(?s)(?:\[([^\]]*)\]|%[iw][\[({]([^\])}]*)[\])}])\s*\.each\s+do\s*\|(\w+)\|"""
    r"""(.*?)\bnew(property|param)[ \t(]+\3\b"""
)
_PROVIDE = LatePattern(r"(?m)^[ \t]*provide[ \t(]")
_REPEATABLE = LatePattern(r"def[ \t]+self\.isomorphic\?[\s;]*(?:return[ \t]+)?false\b")
_API = LatePattern(r"Puppet::ResourceApi\.register_type\b")
_API_NAME = LatePattern(r"""(?m)^\s*:?name:?\s*(?:=>)?\s*['"](\w+)['"]""")
_COMMENT = LatePattern(r"(?m)^[ \t]*#.*$")
_WORD = LatePattern(r"\w+")
_IS_NAMEVAR = LatePattern(r"behaviou?r:?\s*(?:=>)?\s*:namevar")
_IS_PARAMETER = LatePattern(r"behaviou?r:?\s*(?:=>)?\s*:parameter")
_ENTRY = LatePattern(r"[{}]|:?['\"]?(\w+)['\"]?:?\s*(?:=>)?\s*(?=\{)")


def scan_type(path: str, *, has_provider: bool = True) -> NativeType | None:
    """Return the resource type that a Ruby file defines; None where none is found in it.

    Only a type that ``has_provider`` has the attribute provider.
    """
    try:
        text = read_text(path, errors="replace")
    except OSError:
        return None
    text = _COMMENT.sub("", text)
    if _API.search(text):
        return _scan_resource_api(text, path)
    found = _Attributes(text)
    if found.type_name is None:
        return None
    if has_provider or _PROVIDE.search(text):
        found.parameters.append("provider")
    is_open = _MIXED_IN.search(text) is not None and not (found.properties or found.namevars)
    namevars = tuple(found.namevars) or (("name",) if is_open else ())
    patterns = scan_title_patterns(text)
    if patterns is None and namevars and (len(namevars) > 1 or has_title_patterns(text)):
        if has_title_patterns(text) or _MIXED_IN.search(text):
            # Only Ruby knows what titles mean; that they name the resource is the best guess.
            patterns = (TitlePattern(Regexp("(.*)", MULTILINE), namevars[:1]),)
    return NativeType(
        found.type_name.lower(),
        tuple(found.properties),
        tuple(found.parameters),
        namevars,
        isomorphic=_REPEATABLE.search(text) is None,
        file=path,
        is_open=is_open,
        patterns=patterns,
    )


class _Attributes:
    """What calls like ``newproperty(:mode)`` in a Ruby file name."""

    def __init__(self, text: str) -> None:
        self.type_name: str | None = None
        self.properties: list[str] = []
        self.parameters: list[str] = []
        self.namevars: list[str] = []
        calls = list(_CALL.finditer(text))
        for position, call in enumerate(calls):
            kind, name, rest = call.groups()
            if kind == "newtype":
                self.type_name = self.type_name or name
            elif kind == "newproperty":
                self.properties.append(name)
            elif kind != "newmetaparam":
                self.parameters.append(name)
                end = calls[position + 1].start() if position + 1 < len(calls) else len(text)
                if (
                    name == "name"
                    or _NAMEVAR.search(rest)
                    or _NAMEVAR.search(text, call.end(), end)
                ):
                    self.namevars.append(name)
        for each in _EACH.finditer(text):
            listed, words, _, _, kind = each.groups()
            names = _WORD.findall(listed or words)
            (self.properties if kind == "property" else self.parameters).extend(names)
            block = text[each.end() : text.find("\n  end", each.end())]
            if kind == "param" and _NAMEVAR.search(block):
                self.namevars.extend(names)
        if _ENSURABLE.search(text):
            self.properties.insert(0, "ensure")


def _scan_resource_api(text: str, path: str) -> NativeType | None:
    named = _API_NAME.search(text)
    at = text.find("attributes")
    if named is None or at < 0:
        return None
    namevars, parameters, properties = [], [], []
    for name, body in _top_level_entries(text[at:]):
        if _IS_NAMEVAR.search(body):
            namevars.append(name)
            parameters.append(name)
        elif _IS_PARAMETER.search(body):
            parameters.append(name)
        else:
            properties.append(name)
    return NativeType(
        named[1], tuple(properties), tuple(parameters), tuple(namevars) or ("name",), file=path
    )


def _top_level_entries(text: str) -> list[tuple[str, str]]:
    """Return the ``name: { ... }`` entries of the hash that ``text`` begins with."""
    start = text.find("{")
    depth = 0
    entries = []
    key, body_start = "", 0
    for match in _ENTRY.finditer(text[start:]):
        token = match[0]
        at = start + match.start()
        if token == "{":
            depth += 1
            if depth == 2:
                body_start = at
        elif token == "}":
            if depth == 2:
                entries.append((key, text[body_start:at]))
            depth -= 1
            if depth == 0:
                break
        elif depth == 1:
            key = match[1]
    return entries


def files_below(root: str, listings: Listings) -> tuple[dict[str, str], dict[str, Listing]]:
    """Return the Ruby files below a directory by the names of functions that they can define.

    The other part are the directories that were looked at, with what they hold.
    """
    files: dict[str, str] = {}
    looked_at: dict[str, Listing] = {}
    for path in listings.files_below(root, ".rb", looked_at):
        files[path[:-3].replace(os.sep, "::")] = f"{root}{os.sep}{path}"
    return files, looked_at


_GENERATED = LatePattern(r"""Puppet::Resource::Param\(.*,\s*['"](\w+)['"]\s*(?:,\s*(true))?\s*\)""")


def scan_generated_type(path: str) -> NativeType | None:
    """Return the resource type in a file that ``puppet generate types`` wrote."""
    try:
        text = read_text(path, errors="replace")
    except OSError:
        return None
    names = []
    namevars = []
    for name, is_name in _GENERATED.findall(text):
        names.append(name)
        if is_name:
            namevars.append(name)
    return NativeType(
        os.path.splitext(os.path.basename(path))[0],
        (),
        tuple(names),
        tuple(namevars) or ("name",),
        file=path,
    )
