"""Facts: those of this machine, of a bundled set, or of a file; and what follows from them.

Facts are JSON-like data (dict, list, str, int, float, bool, None) under Facter's names.
"""

from __future__ import annotations

from puppet_repl.base.yaml_data import YamlError, read_yaml
from puppet_repl.environment.module_facts import with_module_facts
from puppet_repl.environment.sample_facts import SampleFacts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from puppet_repl.environment.local_facts import Facts

BUNDLED = ("debian-12", "fedora", "macos", "rocky-9", "ubuntu-24.04", "windows-2022")


class FactsError(Exception):
    """A file of facts, or a change to facts, that cannot be used; the message says why."""


def factset_names() -> list[str]:
    """Return the names of the bundled fact sets."""
    return list(BUNDLED)


def load_facts(name: str) -> Facts:
    """Return the facts of a bundled set or of a file; raise FactsError."""
    if name in BUNDLED:
        return bundled_facts(name)
    return file_facts(name)


def bundled_facts(name: str) -> Facts:
    """Return a bundled fact set, with the facts of modules."""
    import json
    from importlib.resources import files

    text = files("puppet_repl.environment").joinpath("factsets", f"{name}.json").read_text("utf-8")
    return SampleFacts(with_module_facts(json.loads(text)))


def file_facts(path: str) -> Facts:
    """Return the facts in a file, JSON or YAML as Facter, facterdb and Puppet's cache write it."""
    import json

    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except OSError as error:
        known = ", ".join(BUNDLED)
        reason = error.strerror or str(error)
        raise FactsError(f"{path}: {reason} (the bundled sets are {known})") from None
    except UnicodeDecodeError:
        raise FactsError(f"{path}: not UTF-8 text") from None
    try:
        data = json.loads(text)
    except ValueError as not_json:
        if path.endswith(".json"):
            raise FactsError(f"{path}: {not_json}") from None
        try:
            data = _with_string_keys(read_yaml(text, ruby_objects=True))
        except YamlError as error:
            raise FactsError(f"{path}: {error}") from None
    values = data.get("values") if isinstance(data, dict) else None
    if isinstance(values, dict) and "name" in data:
        data = values
    if not isinstance(data, dict):
        raise FactsError(f"{path}: facts are a mapping from names to values")
    return data


def _with_string_keys(value: object) -> object:
    """Return YAML data with the keys that JSON has."""
    if isinstance(value, dict):
        return {str(key): _with_string_keys(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_string_keys(item) for item in value]
    return value


def override(facts: Facts, assignment: str) -> Facts:
    """Return facts with one changed by ``os.family=RedHat``; the value may be JSON."""
    import json

    path, equals, text = assignment.partition("=")
    keys = [key.strip() for key in path.split(".")]
    if not equals or not all(keys):
        raise FactsError(f"'{assignment}' is not of the form fact.name=value")
    try:
        value = json.loads(text)
    except ValueError:
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


def trusted_facts(name: str, extensions: Mapping[str, object] | None = None) -> Facts:
    """Return ``$trusted`` of a node whose certificate has been accepted."""
    hostname, _, domain = name.partition(".")
    return {
        "authenticated": "local",
        "certname": name,
        "extensions": dict(extensions or {}),
        "hostname": hostname,
        "domain": domain or None,
        "external": {},
    }


def server_facts(name: str, environment: str) -> Facts:
    """Return ``$server_facts`` of a server that runs on the node itself."""
    return {
        "environment": environment,
        "serverip": "127.0.0.1",
        "servername": name,
        "serverversion": "8.11.0",
    }
