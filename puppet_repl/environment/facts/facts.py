"""Facts of this machine, of a bundled set, or of a file, and values derived from them.

Facts are JSON-like data (dict, list, str, int, float, bool, None) under Facter's names.
"""

from __future__ import annotations

import os
import re
import sys
from functools import cache

from puppet_repl.base.file_reading import read_bytes
from puppet_repl.base.wording import why_unusable
from puppet_repl.environment.facts.factset_words import (
    BUNDLED,
    installed_sets,
    meant_set,
    told_sets,
)
from puppet_repl.environment.facts.module_facts import with_module_facts
from puppet_repl.environment.facts.sample_facts import SampleFacts
from puppet_repl.language.values.ruby import ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from puppet_repl.base.profiles import Profile
    from puppet_repl.base.yaml_data import Pairs
    from puppet_repl.environment.facts.local_facts import Facts
    from puppet_repl.language.values.protocols import Value

STANDING_IN = "debian-12"
"""The bundled facts for those of this machine, where they cannot or must not be asked for."""
THIS_MACHINE = "this machine"
# What the names of files of facts end in.
ENDINGS = (".json", ".yaml", ".yml")


class FactsError(Exception):
    """A file of facts, or a change to facts, that cannot be used; the message says why."""


def factset_names() -> list[str]:
    """Return the names of the fact sets, the bundled ones first."""
    return [*BUNDLED, *installed_sets()]


def is_factset(name: str) -> bool:
    """Tell whether a fact set has a name, which no path to a file or directory is."""
    is_path = "/" in name or os.sep in name or name.endswith(ENDINGS)
    # Installed sets are looked for last, as this takes tens of milliseconds the first time.
    return name in BUNDLED or (not is_path and name in installed_sets())


def load_facts(name: str) -> Facts:
    """Return the facts of a set or of a file (``~`` is expanded); raise FactsError."""
    if is_factset(name):
        return bundled_facts(name)
    return file_facts(os.path.expanduser(name))


def layered_facts(layers: Iterable[str | Facts], base: Facts | None = None) -> Facts | None:
    """Return the facts of several sets, files or mappings on top of ``base``; the last applies.

    Return ``base`` if there are no layers. Raises FactsError.
    """
    for layer in layers:
        base = overlaid(base, load_facts(layer) if isinstance(layer, str) else layer)
    return base


def overlaid(base: Mapping[str, Any] | None, top: Facts) -> Facts:
    """Return the facts of two layers; those of ``top`` replace those of ``base``."""
    if not isinstance(base, SampleFacts) or isinstance(top, SampleFacts):
        return top if base is None or isinstance(top, SampleFacts) else {**base, **top}
    return base.overlaid(top)


def bundled_facts(name: str) -> Facts:
    """Return a fact set, with the facts of modules."""
    return SampleFacts(with_module_facts(load_factset(name)))


def load_factset(name: str) -> Facts:
    """Return a fact set as Facter reports it. Raises FactsError for a damaged set."""
    import json

    text = _bundled_text(name) if name in BUNDLED else installed_sets()[name]
    try:
        found: Facts = json.loads(text)
    except ValueError as error:
        raise FactsError(f"{name}: not JSON: {error}") from None
    if not isinstance(found, dict) or not isinstance(found.get("os"), dict):
        raise FactsError(f"{name}: not facts: they lack Facter's 'os'")
    return found


@cache
def _bundled_text(name: str) -> str:
    from importlib.resources import files

    directory = files("puppet_repl.environment.facts").joinpath("factsets")
    return directory.joinpath(f"{name}.json").read_text("utf-8")


def default_name(*, is_hermetic: bool) -> str:
    """Return the name of the facts that a session has if it is given none."""
    return STANDING_IN if is_hermetic or sys.platform == "emscripten" else THIS_MACHINE


def machine_facts() -> Facts:
    """Return the facts of this machine, whose certificate has its own name.

    In a browser there is no machine to ask: a bundled set stands for it.
    """
    if sys.platform == "emscripten":
        return bundled_facts(STANDING_IN)
    # Programs that use no facts need no psutil.
    from puppet_repl.environment.facts.local_facts import collect

    found = collect()
    name = found.get("networking", {}).get("fqdn")
    return SampleFacts({**found, "clientcert": name.lower()} if name else found)


def file_facts(path: str) -> Facts:
    """Return the facts in a file: JSON or YAML as Facter, facterdb and Puppet write it.

    Puppet's cache and ``puppet facts find`` put the name of the node beside the facts: it becomes
    the fact ``clientcert`` there. Raises FactsError, which names the line where there is one.
    """
    text = _read(path)
    data = _parse(path, text)
    if isinstance(data, dict) and isinstance(data.get("values"), dict) and "name" in data:
        name, data = data["name"], data["values"]
        if isinstance(name, str):
            data.setdefault("clientcert", name)
    if not isinstance(data, dict):
        if data is None:
            raise FactsError(f"{path}: there are no facts in it")
        kind = _KINDS.get(type(data), "a single value")
        reason = f"facts are a mapping from names to values, this is {kind}"
        raise FactsError(f"{path}: {reason} (line: {_first_line(text)})")
    return data


# The form of the names of most sets.
_VERSIONED = re.compile(r"[a-z]+-\d[\w.-]*")
_KINDS: dict[type, str] = {list: "a list", str: "a text"}


def _read(path: str) -> str:
    try:
        data = read_bytes(path)
    except OSError as error:
        is_misspelt = isinstance(error, FileNotFoundError)
        hint = f" (the sets are {told_sets()})" if is_misspelt else ""
        if is_misspelt and not installed_sets() and _VERSIONED.fullmatch(path):
            hint += "; the package puppet-repl-facts has more sets"
        meant = meant_set(path) if is_misspelt else None
        if meant is not None:
            hint = f"; did you mean {meant}?{hint}"
        raise FactsError(f"{path}: {why_unusable(error)}{hint}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FactsError(f"{path}: not UTF-8 text (line: {line})") from None


def _parse(path: str, text: str) -> Any:
    """Return the data in a text that is JSON or else YAML."""
    from puppet_repl.base.json_data import JsonDataError, JsonLimitError, read_json
    from puppet_repl.base.yaml_data import CharacterError, YamlError

    try:
        return read_json(text)
    except JsonLimitError as error:
        # In YAML a bracket may be alone in a text.
        not_json = FactsError(f"{path}: {error}")
    except JsonDataError as error:
        not_json = FactsError(f"{path}: not JSON: {error}")
    if path.endswith(".json"):
        raise not_json
    try:
        return read_facts(text, ruby_objects=True)
    except YamlError as error:
        if text.lstrip()[:1] == "{" and not path.endswith((".yaml", ".yml")):
            raise not_json from None
        reason = str(error)
        if isinstance(error, CharacterError):
            reason = f"{error.reason} at line {error.line} column {error.column}"
        raise FactsError(f"{path}: not YAML: {reason}") from None


def _first_line(text: str) -> int:
    """Return the number of the first line that holds anything but a comment."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith(("#", "---")):
            return number
    return 1


def read_facts(text: str, *, ruby_objects: bool = False) -> Any:
    """Return YAML data with keys as JSON has them. Raises YamlError."""
    from puppet_repl.base.yaml_data import read_yaml

    return read_yaml(text, ruby_objects=ruby_objects, mapping=_with_string_keys)


def _with_string_keys(pairs: Pairs) -> dict[str, Any]:
    return {_KEYS.get(key, str(key)) if _is_word(key) else str(key): item for key, item in pairs}


_KEYS = {None: "", True: "true", False: "false"}


def _is_word(key: object) -> bool:
    return key is None or type(key) is bool


def override(facts: Facts, assignment: str) -> Facts:
    """Return facts with one changed by ``os.family=RedHat``; the value may be JSON."""
    from puppet_repl.base.json_data import JsonDataError, read_json

    path, equals, text = assignment.partition("=")
    keys = [key.strip() for key in path.split(".")]
    if not equals or not all(keys):
        raise FactsError(f"'{assignment}' is not of the form fact.name=value")
    try:
        value = read_json(text)
    except JsonDataError:
        value = text.strip()
    name = ".".join(keys)
    changed = facts.choosing(name) if isinstance(facts, SampleFacts) else dict(facts)
    inner = changed
    for key in keys[:-1]:
        below = inner.get(key)
        inner[key] = dict(below) if isinstance(below, dict) else {}
        inner = inner[key]
    inner[keys[-1]] = value
    return changed


def trusted_facts(name: str, extensions: Mapping[str, object], *, is_remote: bool) -> Facts:
    """Return ``$trusted`` of a node, whose certificate a server knows if it ``is_remote``."""
    hostname, _, domain = name.partition(".")
    return {
        "authenticated": "remote" if is_remote else "local",
        "certname": name,
        "extensions": dict(extensions),
        "hostname": hostname,
        "domain": domain or None,
        "external": {},
    }


def server_facts(name: str, environment: str, profile: Profile) -> Facts:
    """Return ``$server_facts`` of a server that runs on the node itself."""
    implementation = profile.implementation
    return {
        **({} if implementation is None else {"serverimplementation": implementation}),
        "serverversion": profile.version,
        "servername": name,
        "serverip": "127.0.0.1",
        "environment": environment,
    }


def fact_stays(name: str, value: Value, other: Value, node: str) -> str:
    """Return Puppet's warning of two values for a variable of a node, of which the first one stays.

    They are those of a classifier, of the facts, and of the facts of the server, in this order.
    """
    return (
        f"The node parameter '{name}' for node '{node}' was already set to '{ruby_text(value)}'."
        f" It could not be set to '{ruby_text(other)}'"
    )
