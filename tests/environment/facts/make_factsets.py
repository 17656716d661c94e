"""Make the fact sets of the distribution puppet-repl-facts: ``make facts FACTERDB=directory``.

The directory is a checkout of FacterDB (https://github.com/voxpupuli/facterdb). Each release of a
system has the facts of the newest Facter there, on x86_64 if there are several architectures.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from puppet_repl.environment.facts.core_facts import CORE_FACTS
from puppet_repl.environment.facts.facts import bundled_facts

ROOT = Path(__file__).parents[3]
DISTRIBUTION = ROOT / "puppet_repl" / "environment" / "facts" / "distribution"
FILE = DISTRIBUTION / "puppet_repl_facts" / "factsets.gz"
# Those of one agent, the one of the bundled sets: a module asks which Puppet runs it.
_OF_AGENT = ("clientnoop", "clientversion", "puppetversion")
_OF_PACKAGE = "aio_agent_version"
_NAME = re.compile(r"(?P<system>.+)-(?P<architecture>[^-]+)\.facts")


def newest(directory: Path) -> dict[str, Path]:
    """Return the files to take, by the names of their sets."""
    best: dict[str, tuple[tuple[bool, list[int]], Path]] = {}
    for path in sorted(directory.glob("facts/*/*.facts")):
        found = _NAME.fullmatch(path.name)
        assert found is not None, path
        version = [int(number) for number in path.parent.name.split(".")]
        key = (found["architecture"] == "x86_64", version)
        name = found["system"].replace(" ", "-")
        if name not in best or key > best[name][0]:
            best[name] = key, path
    return {name: path for name, (_, path) in sorted(best.items())}


def facts_in(path: Path) -> dict[str, Any]:
    """Return Facter's own facts in a file of FacterDB, and those of an agent."""
    facts = {
        name: value
        for name, value in json.loads(path.read_text(encoding="utf-8")).items()
        if name in CORE_FACTS
    }
    agent = bundled_facts("debian-12")
    facts.update({name: agent[name] for name in _OF_AGENT})
    if _OF_PACKAGE in facts:
        facts[_OF_PACKAGE] = agent[_OF_PACKAGE]
    return {**facts, "clientcert": facts["networking"]["fqdn"]}


def main(directory: Path) -> None:
    """Write the fact sets of a checkout of FacterDB."""
    version = tomllib.loads((DISTRIBUTION / "pyproject.toml").read_text("utf-8"))["project"]
    stated = (directory / "lib" / "facterdb" / "version.rb").read_text(encoding="utf-8")
    if f"'{version['version']}'" not in stated:
        raise SystemExit(f"pyproject.toml and NOTICE have the version {version['version']}")
    lines = [
        f"{name}\t{json.dumps(facts_in(path), sort_keys=True, separators=(',', ':'))}\n"
        for name, path in newest(directory).items()
    ]
    FILE.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))
    print(f"{len(lines)} fact sets, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
