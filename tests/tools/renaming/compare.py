"""Rename in real directories, and compare the catalogs before and after.

``python -m tests.tools.renaming.compare [--modules DIRECTORY] [--count N] DIRECTORY...`` renames
parameters, classes, defined types, functions and type aliases of environments, each on its own in
a copy, and compiles classes that have to do with them before and after. The catalogs have to be
the same up to the names. It prints how many renamings were refused, and why.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import puppet_repl
from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.session import DEFAULT_STDLIB
from puppet_repl.tools.editing.scopes import plain
from puppet_repl.tools.renaming import Name, rename
from puppet_repl.tools.renaming.sources import ENDINGS, Sources
from puppet_repl.tools.renaming.values import Values
from puppet_repl.tools.renaming.work import Refused, Renaming
from puppet_repl.tools.validation.placement import is_plan
from puppet_repl.tools.validation.roots import Roots

PROBES = 3
LAST = "zzrenamed"


def read(path: str) -> str | None:
    """Return the text of a file, None for one that is no text."""
    try:
        return Path(path).read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return None


def files(directory: Path) -> Iterator[str]:
    """Yield the files that may use a name."""
    for where, directories, names in os.walk(directory):
        directories[:] = sorted(each for each in directories if each[:1] != ".")
        yield from (os.path.join(where, each) for each in sorted(names) if each.endswith(ENDINGS))


class Directory:
    """A copy of an environment, in which names are changed and changed back."""

    def __init__(self, directory: Path, modules: list[str]) -> None:
        self.directory = directory
        self.modules = modules
        self.values = Values(Sources(files(directory), read))
        self.roots = Roots()
        self._before: dict[str, Any] = {}

    def module_file(self, path: str) -> str | None:
        """Return the path of a file inside of its module, with the name of the module."""
        root = self.roots.of(path)
        if root is None or root.kind != "module" or not root.name:
            return None
        return f"{root.name}/{root.inside(path)}"

    def names(self) -> list[Name]:
        """Return what the files define: parameters and definitions."""
        found = []
        for code in self.values.sources.codes:
            if "/spec/" in code.path:
                continue
            for node in code.program.definitions:
                kind = type(node).__name__
                name = plain(getattr(node, "name", ""))
                uses = {"HostClassDefinition": "class", "ResourceTypeDefinition": "type"}
                uses |= {"FunctionDefinition": "function", "TypeAlias": "type"}
                if kind in uses:
                    found.append(Name(uses[kind], name, 0, 0))
                if kind in ("HostClassDefinition", "ResourceTypeDefinition"):
                    for each in getattr(node, "parameters", ()):
                        found.append(Name(uses[kind], name, 0, 0, each.name))
        return found

    def compiled(self, code: str) -> Any:
        """Return the catalog of some code, the error of code that does not compile."""
        try:
            catalog = puppet_repl.compile(
                code,
                environment=self.directory,
                modulepath=self.modules,
                facts="debian-12",
                node="web01.example.com",
                stdlib=DEFAULT_STDLIB,
                strict_variables=False,
                strict="off",
                max_seconds=20,
            )
        except (puppet_repl.CompileError, puppet_repl.ParseError, ValueError) as error:
            return str(error)
        return json.loads(catalog.to_json())

    def before(self, code: str) -> Any:
        """Return the catalog of some code before anything is renamed."""
        if code not in self._before:
            self._before[code] = self.compiled(code)
        return self._before[code]

    def probes(self, name: Name, done: Renaming) -> list[str]:
        """Return some code that compiles, and whose files or catalogs have to do with a name."""
        near, others, names = [], [], [name.name]
        for code in self.values.sources.codes:
            for node in code.program.definitions:
                kind, title = type(node).__name__, plain(getattr(node, "name", ""))
                if kind == "HostClassDefinition":
                    text = f"include {title}"
                elif kind == "ResourceTypeDefinition":
                    text = f"{title} {{ 'probe': }}"
                else:
                    continue
                if code.path in done.edits:
                    near.append(text)
                    names.append(title)
                elif title.partition("::")[0] == name.name.partition("::")[0]:
                    others.append(text)
        titles = ["::".join(part.capitalize() for part in each.split("::")) for each in names]
        found: list[str] = []
        for each in dict.fromkeys([*near, *others[:10]]):
            catalog = self.before(each)
            if isinstance(catalog, str):
                continue
            text = json.dumps(catalog)
            if each in near or any(title in text for title in titles):
                found.append(each)
            if len(found) == PROBES:
                break
        return found

    def tried(self, name: Name, new: str) -> tuple[str, str]:
        """Rename, compile, and change back; return an outcome and its reason."""
        try:
            done = rename(self.values, name, new, self.module_file)
        except Refused as refused:
            return "refused", str(refused)
        if done.unseen:  # an editor asks whether to rename
            return "unseen", "; ".join(done.unseen)
        probes = self.probes(name, done)
        before = {each: self.before(each) for each in probes}
        texts = {path: read(path) or "" for path in done.edits}
        try:
            for path, edits in done.edits.items():
                text = edited(texts[path], edits)
                Path(path).write_bytes(text.encode())
                if path.endswith((".pp", ".epp")):
                    parse(Source(text, path), epp=path.endswith(".epp"), tasks=is_plan(path))
            if done.move is not None:
                os.makedirs(os.path.dirname(done.move[1]), exist_ok=True)
                os.rename(*done.move)
            for each, old in before.items():
                is_self = name.name in each.split() and not name.parameter
                after = self.compiled(each.replace(name.name, new.lower()) if is_self else each)
                difference = differences(old, after, name, new)
                if difference:
                    return "broken", f"{each}: {difference}"
        except PuppetError as error:
            return "broken", str(error)
        finally:
            if done.move is not None and os.path.exists(done.move[1]):
                os.rename(done.move[1], done.move[0])
            for path, text in texts.items():
                Path(path).write_bytes(text.encode())
        return ("compared", "") if probes else ("not compiled", "")


def edited(text: str, edits: set[tuple[int, int, str]]) -> str:
    """Return a text with edits."""
    last = len(text) + 1
    for start, end, new in sorted(edits, reverse=True):
        assert end <= last, f"edits overlap: {text[start:end]!r} in {text[start - 60 : end + 60]!r}"
        text = text[:start] + new + text[end:]
        last = start
    return text


def differences(before: Any, after: Any, name: Name, new: str) -> str:
    """Return the first difference of two catalogs that is not the name, '' without one."""
    if isinstance(after, str):
        return after
    one, other = (json.dumps(each, sort_keys=True) for each in (before, after))
    one, other = named(one, name, new), named(other, name, new)
    if one == other:
        return ""
    place = next(i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return (
        f"{one[max(place - 80, 0) : place + 60]!r} and {other[max(place - 80, 0) : place + 60]!r}"
    )


def named(text: str, name: Name, new: str) -> str:
    """Return a catalog without what differs between the names: tags, files, versions."""
    data = json.loads(text)
    data.pop("version", None)
    data.pop("catalog_uuid", None)
    old = name.name
    dropped = {old, new.lower(), *old.split("::"), *new.lower().split("::")}

    def clean(value: Any) -> Any:
        if isinstance(value, dict):
            kept = {}
            for key, inner in value.items():
                if key in ("file", "line"):
                    continue
                if key in ("tags", "classes") and isinstance(inner, list) and not name.parameter:
                    inner = sorted(each for each in inner if each not in dropped)
                if name.parameter and key == new:
                    key = name.parameter
                kept[key] = clean(inner)
            return dict(sorted(kept.items()))
        if isinstance(value, list):
            return [clean(each) for each in value]
        if isinstance(value, str):
            if name.parameter:
                return name.parameter if value == new else value
            found = re.sub(rf"(?i)(?<![\w:]){re.escape(new)}(?!\w|::\w)", old, value)
            return re.sub(rf"(?i)(?<![\w:]){re.escape(old)}(?!\w|::\w)", old, found)
        return value

    return json.dumps(clean(data))


def new_name(name: Name) -> str:
    """Return another name that nothing has."""
    if name.parameter:
        return LAST
    around = name.name.rpartition("::")[0] or name.name
    return f"{around}::{LAST}"


def run(directories: list[Path], modules: list[str], count: int, seed: int) -> Counter[str]:
    """Rename names of directories at random; print what happened, and return the numbers."""
    outcomes: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for given in directories:
        with tempfile.TemporaryDirectory() as place:
            copy = Path(place) / given.name
            ignored = shutil.ignore_patterns(".git", "fixtures")
            shutil.copytree(given, copy, symlinks=True, ignore=ignored)
            tree = Directory(copy, modules)
            names = tree.names()
            random.Random(seed).shuffle(names)
            chosen = [each for each in names if each.parameter][: count // 2]
            chosen += [each for each in names if not each.parameter][: count - len(chosen)]
            for name in chosen:
                new = new_name(name)
                is_alias = name.kind == "type" and tree.values.settings.definitions(
                    "type", name.name
                )
                if is_alias:
                    new = "::".join(each.capitalize() for each in new.split("::"))
                outcome, reason = tree.tried(name, new)
                kind = "parameter" if name.parameter else name.kind
                outcomes[f"{outcome} {kind}"] += 1
                outcomes[outcome] += 1
                if outcome in ("refused", "unseen"):
                    reasons[re.sub(r"\S*[/:]\S*|(?<=@)\w+|(?<= )\$\w+", "…", reason)] += 1
                if outcome == "broken":
                    print(f"{given.name}: {name.name} {name.parameter}: {reason}")
            print(given.name, len(names), dict(outcomes), flush=True)
    for reason, number in reasons.most_common(60):
        print(f"{number:5} {reason[:150]}")
    return outcomes


def main() -> int:
    """Rename in the directories of the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--modules", action="append", default=[])
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("directory", nargs="+", type=Path)
    given = parser.parse_args()
    return 1 if run(given.directory, given.modules, given.count, given.seed)["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
