"""metadata.json: what Puppet and the Forge refuse, and the rules of metadata-json-lint.

The messages are those of Puppet where it refuses the file.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.matching import nearest
from puppet_repl.environment.modules.metadata import judge
from puppet_repl.language.values.semver import SemVer
from puppet_repl.language.values.semver_range import SemVerRange
from puppet_repl.tools.validation.json_files import JsonFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.base.json_nodes import JsonNode
    from puppet_repl.tools.validation.diagnostic import Diagnostic
    from puppet_repl.tools.validation.file import File

_NAME = re.compile(r"[a-z0-9]+[-/][a-z][a-z0-9_]*\n?", re.IGNORECASE | re.ASCII)
_OF_FORGE = re.compile(r"\w+-[a-z][a-z0-9_]*", re.ASCII)
_TEXTS = ("author", "description", "license", "source", "summary", "version")
_URLS = ("issues_url", "project_page")
_NO_URL = re.compile(r"[^\x21-\x7e]|[<>\"{}|\\^`]")
# Browsers follow no other address.
_URL = re.compile(r"(?:https?|git|ssh)://[^/]|mailto:.", re.IGNORECASE)
_DEPRECATED = ("checksum", "types")
# The least ratio of letters that a misspelt key has in common with the right one.
_LIKENESS = 0.85
_MAX_SUMMARY = 144
# A comparison before a version with a wild card, as metadata-json-lint sees it.
_MIXED = re.compile(r"[><=^~]{1,2}\s*\d\.(?:[x*]|\d\.[x*])", re.ASCII)
_RANGE = "Invalid 'version_requirement' field in metadata.json: "
# The words that join identifiers of licenses.
_OPERATORS = ("AND", "OR", "WITH")


def check(file: File) -> list[Diagnostic]:
    """Return the findings in a metadata.json."""
    if not file.text:
        return file.advice("json_syntax", "the file is empty: the module has no metadata")
    data = JsonFile(file)
    root = data.root
    if root is None:
        return data.found
    if not file.text.endswith("\n"):
        data.advise("newline_at_end", "the file does not end with a newline", _end(root))
    if file.root is not None and file.root.kind == "module":
        _judge(data, root)
    if root.pairs:
        _Metadata(data, root).check()
    return data.found


def _judge(data: JsonFile, root: JsonNode) -> None:
    """Add the error with which Puppet leaves the module out, or compiles nothing."""
    module = data.file.root
    finding = judge("" if module is None else module.name, "metadata.json", root.value)
    place = root.get("dependencies") or _beginning(root)
    if finding.log is not None:
        is_lacking = finding.log[1].startswith("No ")
        code = "required_fields" if is_lacking else "dependencies"
        data.error(code, finding.log[1], _beginning(root) if is_lacking else place)
    elif finding.fault is not None:
        message, note = finding.fault
        data.error("dependencies" if place.value else "json_syntax", f"{message} ({note})", place)


def _beginning(node: JsonNode) -> JsonNode:
    """Return the first character of a value, for findings about the whole."""
    return type(node)(node.value, node.start, node.start + 1)


def _end(node: JsonNode) -> JsonNode:
    return type(node)(node.value, node.end - 1, node.end)


class _Metadata:
    """The checks of one file whose value is an object."""

    def __init__(self, data: JsonFile, root: JsonNode) -> None:
        self.data = data
        self.root = root
        name = root.get("name")
        self.name = name.value if name is not None and type(name.value) is str else ""

    def check(self) -> None:
        """Add all findings."""
        data, root = self.data, self.root
        for name in _TEXTS:
            node = root.get(name)
            if node is not None and node.value is not None:
                data.has_type("metadata_fields", node, f"'{name}'", "string")
        self._check_names()
        self._check_texts()
        for _ in data.entries("metadata_fields", root.get("tags"), "'tags'", "string"):
            pass
        self._check_dependencies()
        self._check_requirements()
        self._check_systems()
        for key in _DEPRECATED:
            node = root.key(key)
            if node is not None:
                data.advise("deprecated_fields", f"the field '{key}' is deprecated", node)

    # Names, texts

    def _check_names(self) -> None:
        data, root = self.data, self.root
        name = root.get("name")
        if name is None or name.value is None:
            data.error("required_fields", "'name' is missing: author-module", _beginning(root))
        elif type(name.value) is str:
            problem = _problem_of_name(name.value)
            if problem is not None:
                message = f"Invalid 'name' field in metadata.json: {problem}"
                # Puppet itself does not mind, and modules of one's own do not go to the Forge.
                module = data.file.root
                is_own = module is not None and module.environment is not None
                (data.advise if is_own else data.error)("metadata_fields", message, name)
            elif not _OF_FORGE.fullmatch(name.value):
                data.advise("metadata_fields", "'name' has the form author-module", name)
        version = root.get("version")
        if version is not None and type(version.value) is str and not _is_version(version.value):
            problem = "version string cannot be parsed as a valid Semantic Version"
            message = f"Invalid 'version' field in metadata.json: {problem}"
            data.error("metadata_fields", message, version)

    def _check_texts(self) -> None:
        data, root = self.data, self.root
        summary = root.get("summary")
        if summary is None or summary.value is None:
            data.advise("required_fields", "'summary' is missing", _beginning(root))
        elif type(summary.value) is str and len(summary.value) > _MAX_SUMMARY:
            message = f"'summary' has more than {_MAX_SUMMARY} characters"
            data.advise("metadata_fields", message, summary)
        terms = root.get("license")
        if terms is not None and type(terms.value) is str and not is_license(terms.value):
            message = f"'{terms.value}' is not an identifier of https://spdx.org/licenses"
            data.advise("license", message, terms)
        for name in _URLS:
            node = root.get(name)
            if node is not None and node.value is not None:
                is_text = data.has_type("metadata_fields", node, f"'{name}'", "string")
                if is_text and (_NO_URL.search(node.value) or not _URL.match(node.value)):
                    data.advise("metadata_fields", f"'{name}' is not a URL", node)

    # Other modules, Puppet, systems

    def _check_dependencies(self) -> None:
        data = self.data
        known: dict[str, JsonNode] = {}
        for entry in _objects(self.root.get("dependencies")):
            name = self._name_of(entry, "dependencies")
            if name is None:
                continue
            problem = _problem_of_name(name.value)
            if problem is not None:
                message = f"Invalid 'name' field in metadata.json: {problem}"
                data.error("dependencies", message, name)
            self._compare(name, entry, known)
            requirement = self._range(entry, "dependencies")
            if self._has_other_key(entry, "dependencies"):
                continue
            if requirement is None and entry.get("version_requirement") is None:
                data.advise(
                    "strict_dependencies", f"the dependency on {name.value} names no versions", name
                )
            elif requirement is not None and _is_open(requirement):
                message = f"the versions of {name.value} have no upper limit"
                place = entry.get("version_requirement") or name
                data.advise("strict_dependencies", message, place)

    def _compare(self, name: JsonNode, entry: JsonNode, known: dict[str, JsonNode]) -> None:
        """Compare a dependency with those above, by name, and with the module itself."""
        title = name.value.replace("/", "-")
        if title == self.name.replace("/", "-"):
            self.data.advise("dependencies", "the module depends on itself", name)
        elif title in known:
            self.data.advise("dependencies", f"Duplicate dependencies on {name.value}", name)
        known.setdefault(title, entry)

    def _check_requirements(self) -> None:
        data = self.data
        known: set[str] = set()
        for entry in data.entries(
            "requirements", self.root.get("requirements"), "'requirements'", "object"
        ):
            name = self._name_of(entry, "requirements")
            self._range(entry, "requirements")
            is_misspelt = self._has_other_key(entry, "requirements")
            if name is None:
                continue
            if not is_misspelt and entry.get("version_requirement") is None:
                message = f"the requirement of {name.value} names no versions"
                data.advise("requirements", message, name)
            title = name.value.lower()
            if title in known:
                message = f"Duplicate entries in the 'requirements' list with the name '{title}'"
                data.error("requirements", message, name)
            known.add(title)
            if name.value == "pe":
                message = "The 'pe' requirement is no longer supported by the Forge."
                data.advise("requirements", message, name)

    def _check_systems(self) -> None:
        data, code = self.data, "operatingsystem_support"
        for entry in data.entries(code, self.root.get(code), f"'{code}'", "object"):
            name = entry.get("operatingsystem")
            if name is None:
                data.error(code, "'operatingsystem' is missing", _beginning(entry))
            elif data.has_type(code, name, "'operatingsystem'", "string"):
                if name.value != name.value.strip():
                    data.advise(code, "no system has a name that begins or ends with a blank", name)
            releases = entry.get("operatingsystemrelease")
            for _ in data.entries(code, releases, "'operatingsystemrelease'", "string"):
                pass

    def _name_of(self, entry: JsonNode, code: str) -> JsonNode | None:
        """Return the name of a dependency or requirement, or add an error."""
        name = entry.get("name")
        if name is None:
            self.data.error(code, f"an item of '{code}' has no 'name'", _beginning(entry))
        elif type(name.value) is str:
            return name
        elif code == "requirements" or name.value is None:  # of the others Puppet's error tells
            self.data.error(code, "'name' must be a string", name)
        return None

    def _has_other_key(self, entry: JsonNode, code: str) -> bool:
        """Tell whether a key looks like that of the versions, and warn of it."""
        key = entry.key("version_range")
        if key is None and entry.key("version_requirement") is None:
            near = nearest("version_requirement", entry.value, likeness=_LIKENESS)
            key = None if near is None else entry.key(near)
        if key is not None:
            message = f"'{key.value}' means nothing: write 'version_requirement'"
            self.data.advise(code, message, key)
        return key is not None

    def _range(self, entry: JsonNode, code: str) -> SemVerRange | None:
        """Return the versions of a dependency or requirement, None for unknown ones."""
        data, node = self.data, entry.get("version_requirement")
        if node is None or not data.has_type(code, node, "'version_requirement'", "string"):
            return None
        try:
            found = SemVerRange.parse(node.value)
        except RuntimeFailure as error:
            data.error(code, f"{_RANGE}{error.message}", node)
            return None
        if found.is_empty:
            data.error(code, f'{_RANGE}Range matches no versions: "{node.value}"', node)
        elif _MIXED.search(node.value):
            message = f"a comparison with a wild card is not clear: {node.value}"
            data.advise(code, message, node)
        return found


def _objects(node: JsonNode | None) -> Iterable[JsonNode]:
    """Return the objects in an array; Puppet's own error tells of other values."""
    return () if node is None else [item for item in node.items if type(item.value) is dict]


def _is_open(requirement: SemVerRange) -> bool:
    """Tell whether there is no upper limit."""
    return any(one.everything or one.high is None for one in requirement.ranges)


def _problem_of_name(name: str) -> str | None:
    """Return what Puppet's module tool says of the name of a module, None if it is good."""
    if _NAME.fullmatch(name):
        return None
    author, *rest = re.split(r"[-/]", name, maxsplit=1)
    module = rest[0] if rest else ""
    if not author or not module:
        return "the field must be a namespaced module name"
    if re.search(r"[^a-z0-9_]", module, re.IGNORECASE | re.ASCII):
        return "the module name contains non-alphanumeric (or underscore) characters"
    if not re.match(r"[a-z]", module, re.IGNORECASE):
        return "the module name must begin with a letter"
    return "the namespace contains non-alphanumeric characters"


def _is_version(text: str) -> bool:
    try:
        SemVer.parse(text)
    except RuntimeFailure:
        return False
    return True


def is_license(text: str) -> bool:
    """Tell whether a text is "proprietary", or identifiers of SPDX joined by its operators."""
    words = text.replace("(", " ").replace(")", " ").split()
    names = [word for word in words if word not in _OPERATORS]
    return text == "proprietary" or (bool(names) and all(map(_is_identifier, names)))


def _is_identifier(name: str) -> bool:
    known = _identifiers()
    return name in known or name.removesuffix("+") in known or name.startswith("LicenseRef-")


@cache
def _identifiers() -> frozenset[str]:
    """Return the identifiers of licenses and exceptions of SPDX's list 3.27."""
    return frozenset(Path(__file__).with_name("spdx.txt").read_text("ascii").split())
