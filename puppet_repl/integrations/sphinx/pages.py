"""A page for each object, written below the directory that ``puppet_reference_pages`` names.

They are written when a build begins, as those of sphinx.ext.apidoc and autosummary are. One whose
first line was removed belongs to its author: it is neither written again nor deleted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ConfigError
from sphinx.util import rst

from puppet_repl.base.file_reading import read_text
from puppet_repl.environment.reference.model import Module
from puppet_repl.integrations.sphinx.signatures import normalized
from puppet_repl.integrations.sphinx.sources import KIND_OF, Definition, definitions_of, sources_of
from puppet_repl.integrations.sphinx.summary import PLURALS

__all__ = ["setup_pages"]

MARK = "Written by puppet_repl.sphinx_domain; remove this line to keep changes."
_markdown_special = re.compile(r"[_*]")
_escaped = r"\\\g<0>"
OPTIONS = {"path": str, "private": bool, "exclude": list, "kinds": list}


class _Format:
    """How a page is written in a format: ``page`` puts its parts together."""

    def __init__(self, suffix: str) -> None:
        self.suffix = suffix
        self.is_markdown = suffix != ".rst"

    def page(self, title: str, parts: list[str]) -> str:
        """Return the text of a page."""
        if self.is_markdown:
            head = f"<!-- {MARK} -->\n\n# {_markdown_special.sub(_escaped, title)}"
        else:
            title = rst.escape(title)
            head = f".. {MARK}\n\n{title}\n{'=' * len(title)}"
        return "\n\n".join([head, *parts]) + "\n"

    def directive(
        self, name: str, argument: str, options: dict[str, str], lines: list[str] | None = None
    ) -> str:
        """Return a directive."""
        fields = [f":{key}: {value}".rstrip() for key, value in options.items()]
        content = ["", *lines] if lines else []
        if self.is_markdown:
            return "\n".join([f"```{{{name}}} {argument}".rstrip(), *fields, *content, "```"])
        inner = [f"   {line}".rstrip() for line in [*fields, *content]]
        return "\n".join([f".. {name}:: {argument}".rstrip(), *inner])


class _Pages:
    """The pages of all modules, by path below the directory."""

    def __init__(self, settings: dict[str, Any], written: _Format) -> None:
        self.settings = settings
        self.format = written
        self.texts: dict[str, str] = {}

    def add_all(self, modules: list[Module]) -> None:
        """Write the pages of all modules, each in its own directory if there are several."""
        if len(modules) == 1:
            self._add_module("", modules[0], "Reference")
            return
        for module in modules:
            self._add_module(f"{module.name}/", module, module.name)
        lines = [f"{module.name}/index" for module in modules]
        self._add("index", "Reference", [self._toctree(lines)])

    def _add_module(self, directory: str, module: Module, title: str) -> None:
        chosen = list(self._chosen(module))
        groups = {
            kind: sorted(
                (each for each in chosen if each.kind == kind),
                key=lambda each: normalized(each.name),
            )
            for kind in PLURALS
        }
        lines = []
        parts = []
        for kind, members in groups.items():
            if not members:
                continue
            of_kind = PLURALS[kind].lower().replace(" ", "-")
            lines.append(f"{of_kind}/index")
            names = [self._add_object(f"{directory}{of_kind}/", each) for each in members]
            summary = self._summary(module, kind)
            self._add(f"{directory}{of_kind}/index", PLURALS[kind], [summary, self._toctree(names)])
            parts += [f"**{PLURALS[kind]}**", summary]
        self._add(f"{directory}index", title, [*parts, self._toctree(lines)])

    def _chosen(self, module: Module) -> Iterator[Definition]:
        kinds = self.settings.get("kinds") or list(PLURALS)
        excluded = [normalized(pattern) for pattern in self.settings.get("exclude") or []]
        types = {entry.name for entry in module.entries if KIND_OF[entry.kind] == "resource"}
        for each in definitions_of(module):
            if each.kind not in kinds or (each.is_private and not self.settings.get("private")):
                continue
            if any(fnmatchcase(normalized(each.name), pattern) for pattern in excluded):
                continue
            if each.kind != "provider" or getattr(each.entry, "type_name", "") not in types:
                yield each

    def _add_object(self, directory: str, one: Definition) -> str:
        # The page is the entry of the table of contents: its object would be a second one.
        options = {"no-contents-entry": ""}
        parts = [self.format.directive(f"puppet:auto{one.kind}", one.name, options)]
        if one.kind == "resource":  # its providers are described with it
            parts += [
                self.format.directive("puppet:autoprovider", f"{one.name}::{each.name}", options)
                for each in one.module.providers_of(one.name)
            ]
        name = one.name.replace("::", "-").strip("-")
        self._add(directory + name, one.name, parts)
        return name

    def _summary(self, module: Module, kind: str) -> str:
        options = {"kinds": kind, "module": module.name}
        if self.settings.get("private"):
            options["private"] = ""
        if self.settings.get("exclude"):
            options["exclude"] = " ".join(self.settings["exclude"])
        return self.format.directive("puppet:autosummary", "", options)

    def _toctree(self, names: list[str]) -> str:
        return self.format.directive("toctree", "", {"hidden": "", "maxdepth": "1"}, names)

    def _add(self, name: str, title: str, parts: list[str]) -> None:
        self.texts[name + self.format.suffix] = self.format.page(title, parts)


def write_pages(app: Sphinx) -> None:
    """Write the pages that have changed, and delete those whose objects are gone."""
    settings = _settings(app.config.puppet_reference_pages)
    if not settings:
        return
    suffixes = app.config.source_suffix
    written = _Format(".rst" if ".rst" in suffixes else ".md")
    pages = _Pages(settings, written)
    pages.add_all(sources_of(app.env).modules)
    directory = Path(app.srcdir, settings["path"])
    for name, text in pages.texts.items():
        path = directory / name
        if _is_ours(path) and (not path.is_file() or read_text(str(path)) != text):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for path in sorted(directory.rglob(f"*{written.suffix}")):
        if path.relative_to(directory).as_posix() not in pages.texts and _is_ours(path):
            path.unlink()
            if not any(path.parent.iterdir()):
                path.parent.rmdir()


def _settings(value: Any) -> dict[str, Any]:
    """Return what the setting says, a directory or a dictionary; raise ConfigError."""
    if not value:
        return {}
    settings = {"path": value} if isinstance(value, str) else dict(value)
    for name, given in settings.items():
        if name not in OPTIONS or not isinstance(given, OPTIONS[name]):
            known = ", ".join(f"{key} ({kind.__name__})" for key, kind in OPTIONS.items())
            raise ConfigError(f"puppet_reference_pages: {name} = {given!r}; there are {known}")
    if not settings.get("path"):
        raise ConfigError("puppet_reference_pages has no path")
    return settings


def _is_ours(path: Path) -> bool:
    """Whether a file is not there, or begins with the mark."""
    if not path.is_file():
        return True
    return MARK in read_text(str(path), errors="replace").partition("\n")[0]


def setup_pages(app: Sphinx) -> None:
    """Add the setting, and write the pages when a build begins."""
    app.add_config_value("puppet_reference_pages", "", "env", types=[str, dict])
    app.connect("builder-inited", write_pages)
