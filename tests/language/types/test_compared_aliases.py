"""Types that Puppet may not be able to compare: its answer, or a warning where it has none.

compared_aliases.jsonl has what Puppet 8.11 answers for uses of types that refer to themselves, and
of types with an invalid regular expression: ``value``, ``error``, or neither for a catalog.
"""

from __future__ import annotations

from pathlib import Path

from puppet_repl.base.differences import is_warning_of_difference
from tests.recorded import answer_here, read

CASES = read(Path(__file__).with_name("compared_aliases.jsonl"))


def test_a_warning_is_given_exactly_where_puppet_fails() -> None:
    faults, answered = [], 0
    for case in CASES:
        reply = answer_here({"code": case["code"], "mode": case["mode"]})
        if "error" in reply:
            if "error" not in case:
                faults.append((case, reply["error"]["message"]))
            continue
        answered += 1
        warned = any(is_warning_of_difference(text) for _, text in reply.get("logs", ()))
        is_same = case.get("value", reply.get("value")) == reply.get("value")
        if warned != ("error" in case) or not is_same:
            faults.append((case, reply.get("value"), f"warned: {warned}"))
    assert faults == []
    assert answered > len(CASES) // 2, "a case that fails here as well says nothing"
