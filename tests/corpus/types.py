"""Compare what is known of resource types with Puppet itself: python -m tests.corpus.types.

``python -m tests.corpus.types MODULEPATH [--ruby ENGINE]`` asks the Puppet that PUPPET_LIB names
(the lib directory of a Puppet 8 tree) and RESOURCE_API_LIB for every type of a module path, and
prints the types whose attributes, naming attributes, uniqueness or titles differ.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from puppet_repl.base.errors import PuppetError
from puppet_repl.catalog.resource_types import METAPARAMETER_SET
from puppet_repl.session import Options, Session

TITLES = (
    *("a", "/b/", "a b", "A/b", "x@y", "a:b", "a::b", "/a/b:c/d", "a%b", "x=y", "a.b.c:1"),
    *("user@host/db.*", "a::b::c", "u@p@h", "x::ud@y::pd", "a\nb", "n/k::v", "//"),
)


def from_puppet(modulepath: str) -> list[dict[str, Any]]:
    """Return what Puppet knows, a mapping for each type."""
    referee = Path(__file__).with_name("types_referee.rb")
    done = subprocess.run(
        ["ruby", str(referee), modulepath, *TITLES],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def differences(session: Session, real: dict[str, Any]) -> list[str]:
    """Return in what a type differs, a line each."""
    try:
        native = session.catalog.definitions.find_native_type(real["type"])
    except PuppetError as error:
        return [] if "error" in real else [f"error: {error}"]
    if native is None or "error" in real:
        return [] if native is None and "error" in real else [f"found: {native}, {real}"[:300]]
    lines = []
    for name, ours in (
        ("properties", sorted(native.properties)),
        ("parameters", sorted({*native.parameters} - METAPARAMETER_SET)),
        ("namevars", list(native.namevars)),
        ("isomorphic", native.isomorphic),
    ):
        wanted = sorted(real[name]) if name in ("properties", "parameters") else real[name]
        if ours != wanted:
            lines.append(f"{name}: {wanted}, not {ours}")
    for title, values in real["titles"].items():
        try:
            ours_of_title: Any = dict(native.title_values(title))
        except PuppetError as error:
            ours_of_title = error.message
        if ours_of_title != values:
            lines.append(f"title {title!r}: {values}, not {ours_of_title}")
    return lines


def main() -> int:
    """Print the types that differ, and how many are equal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modulepath")
    parser.add_argument("--ruby", default="off", help="the engine, off for the static scan")
    given = parser.parse_args()
    session = Session(Options(modulepath=(given.modulepath,), ruby=given.ruby))
    types = from_puppet(given.modulepath)
    equal = 0
    for real in types:
        lines = differences(session, real)
        equal += not lines
        if lines:
            print(real["type"], *(f"    {line}"[:600] for line in lines), sep="\n")
    print(f"{equal} of {len(types)} resource types are as in Puppet")
    return equal < len(types)


if __name__ == "__main__":
    sys.exit(main())
