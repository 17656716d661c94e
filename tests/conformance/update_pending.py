"""Write pending.txt anew from what fails now: python -m tests.conformance.update_pending.

A reason that stood behind an id stays; a new id gets the kind of difference as its reason.
"""

from __future__ import annotations

import sys

from tests.conformance.run import FILES, Run, listed
from tests.recorded import CONFORMANCE

HEAD = """\
# Cases that Puppet answers and this project does not answer yet: id, two blanks, why.
# A listed case that passes fails the tests; so does one that is not listed and fails.
"""


def reason_of(found: list[str]) -> str:
    """What kind of difference it is, in a few words."""
    if found[0].startswith("CRASH"):
        return "an internal error: " + found[0].strip().split("\n")[-1]
    kinds = sorted({line.partition(":")[0] for line in found})
    return f"differs in {', '.join(kinds)}"


def main() -> int:
    """Write the file and say how many ids it holds."""
    reasons = listed("pending.txt")
    divergent = listed("divergent.txt")
    rows = []
    for name in FILES:
        for case, found in Run(name):
            if found and case["id"] not in divergent:
                rows.append(f"{case['id']}  {reasons.get(case['id'], reason_of(found))}")
    (CONFORMANCE / "pending.txt").write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")
    print(f"{len(rows)} cases pending")
    return 0


if __name__ == "__main__":
    sys.exit(main())
