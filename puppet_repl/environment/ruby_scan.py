"""What can be known about a module's Ruby files without running Ruby.

A resource type file names its attributes in calls like ``newproperty(:mode)``; reading those
names is enough to check a catalog.
"""

from __future__ import annotations

import os
import re

from puppet_repl.catalog.resource_types import NativeType

_CALL = re.compile(
    r"""^[ \t]*(?:Puppet::Type\.|Type\.)?(newtype|newproperty|newparam|newmetaparam)"""
    r"""[ \t(]+(?::|['"]|:['"])([A-Za-z_]\w*)['"]?([^\n]*)""",
    re.MULTILINE,
)
_ENSURABLE = re.compile(r"^[ \t]*ensurable\b", re.MULTILINE)
_NAMEVAR = re.compile(r"^[ \t]*isnamevar\b|\bnamevar[ \t]*(?:=>|:)[ \t]*true", re.MULTILINE)
_MIXED_IN = re.compile(r"^[ \t]*(?:extend|include|require)\b", re.MULTILINE)
_EACH = re.compile(
    r"""(?:\[([^\]]*)\]|%[iw][\[({]([^\])}]*)[\])}])\s*\.each\s+do\s*\|(\w+)\|"""
    r"""(.*?)\bnew(property|param)[ \t(]+\3\b""",
    re.DOTALL,
)
_API = re.compile(r"Puppet::ResourceApi\.register_type\b")
_API_NAME = re.compile(r"""^\s*:?name:?\s*(?:=>)?\s*['"](\w+)['"]""", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)


def scan_type(path: str) -> NativeType | None:
    """Return the resource type that a Ruby file defines; None where none is found in it."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return None
    text = _COMMENT.sub("", text)
    if _API.search(text):
        return _scan_resource_api(text, path)
    name = None
    properties: list[str] = []
    parameters: list[str] = []
    namevars: list[str] = []
    calls = list(_CALL.finditer(text))
    for position, call in enumerate(calls):
        kind, given, rest = call.groups()
        if kind == "newtype":
            name = name or given
            continue
        (properties if kind == "newproperty" else parameters).append(given)
        end = calls[position + 1].start() if position + 1 < len(calls) else len(text)
        if _NAMEVAR.search(rest) or _NAMEVAR.search(text, call.end(), end):
            namevars.append(given)
    for listed, words, _, _, kind in _EACH.findall(text):
        names = re.findall(r"\w+", listed or words)
        (properties if kind == "property" else parameters).extend(names)
    if name is None:
        return None
    if _ENSURABLE.search(text):
        properties.insert(0, "ensure")
    is_open = not properties and not parameters and _MIXED_IN.search(text) is not None
    if not namevars:
        namevars = ["name"]
    parameters.append("provider")
    return NativeType(
        name.lower(),
        tuple(properties),
        tuple(parameters),
        tuple(namevars),
        file=path,
        is_open=is_open,
    )


def _scan_resource_api(text: str, path: str) -> NativeType | None:
    named = _API_NAME.search(text)
    at = text.find("attributes")
    if named is None or at < 0:
        return None
    namevars, parameters, properties = [], [], []
    for name, body in _top_level_entries(text[at:]):
        if re.search(r"behaviou?r:?\s*(?:=>)?\s*:namevar", body):
            namevars.append(name)
            parameters.append(name)
        elif re.search(r"behaviou?r:?\s*(?:=>)?\s*:parameter", body):
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
    for match in re.finditer(r"[{}]|:?['\"]?(\w+)['\"]?:?\s*(?:=>)?\s*(?=\{)", text[start:]):
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


def function_files(module_path: str) -> dict[str, str]:
    """Return the names of the functions that a module has in Ruby, with their files."""
    files: dict[str, str] = {}
    for directory in ("parser/functions", "functions"):
        root = os.path.join(module_path, "lib", "puppet", *directory.split("/"))
        for where, directories, names in os.walk(root):
            directories.sort()
            for name in sorted(names):
                if name.endswith(".rb"):
                    path = os.path.join(where, name)
                    relative = os.path.relpath(path, root)[:-3]
                    files[relative.replace(os.sep, "::")] = path
    return files


_GENERATED = re.compile(r"""Puppet::Resource::Param\(.*,\s*['"](\w+)['"]\s*(?:,\s*(true))?\s*\)""")


def scan_generated_type(path: str) -> NativeType | None:
    """Return the resource type in a file that ``puppet generate types`` wrote."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
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
