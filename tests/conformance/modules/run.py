"""Compile classes and examples of Debian's modules: python -m tests.conformance.modules.run."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from puppet_repl.session import Options, Session

HERE = Path(__file__).parent
CORPUS = Path(os.environ.get("PUPPET_MODULES") or "build/corpus/usr/share/puppet/modules.available")
Case = dict[str, Any]


def cases() -> list[Case]:
    """The recorded cases."""
    text = (HERE / "cases.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def facts() -> dict[str, Any]:
    """The facts of all cases."""
    found: dict[str, Any] = json.loads((HERE / "facts.json").read_text(encoding="utf-8"))
    return found


def difference(case: Case, given: dict[str, Any]) -> str | None:
    """What of a case is not as Puppet has it; None if nothing."""
    session = Session(Options(modulepath=(str(CORPUS),)), facts=given)
    outcome = session.execute(case["code"])
    if outcome.error is None:
        outcome = session.finish_catalog(outcome)
    if outcome.error is not None:
        return str(outcome.error)
    resources = json.loads(json.dumps(outcome.resources))
    for expected, actual in zip(case["resources"], resources, strict=False):
        if expected != actual:
            return f"expected {expected}\n     got {actual}"
    if len(resources) != len(case["resources"]):
        return f"expected {len(case['resources'])} resources, got {len(resources)}"
    return None if outcome.edges == case["edges"] else "the edges differ"


def differences() -> Iterator[tuple[Case, str | None]]:
    """Every case with what differs."""
    given = facts()
    for case in cases():
        yield case, difference(case, given)


def main() -> int:
    """Print what differs, and the share that does not."""
    found = list(differences())
    for case, problem in found:
        if problem is not None:
            print(f"-- {case['id']}: {problem}")
    same = sum(1 for _, problem in found if problem is None)
    print(f"{same} of {len(found)} as Puppet has them")
    return 0 if same == len(found) else 1


if __name__ == "__main__":
    sys.exit(main())
