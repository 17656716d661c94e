"""The lists of cases that are answered differently, and the table of the README."""

from __future__ import annotations

from puppet_repl.base.differences import DIFFERENCES
from tests.conformance.answered import answered, errors
from tests.conformance.run import FILES, listed, readme_table
from tests.readme import section
from tests.recorded import suite

PENDING = listed("pending.txt")
DIVERGENT = listed("divergent.txt")


def test_every_listed_id_exists_and_has_a_reason() -> None:
    known = {case["id"] for name in FILES for case in suite(name)}
    for listing in (PENDING, DIVERGENT):
        for case, reason in listing.items():
            assert case in known, f"no case has the id {case}"
            assert reason, f"say why {case} is listed"
    assert not PENDING.keys() & DIVERGENT.keys()


def test_the_table_of_the_readme_is_what_a_run_counts() -> None:
    """Those listed are exactly those that differ, as the runs above show."""
    counts = {}
    for name in FILES:
        ids = {case["id"] for case in suite(name)}
        counts[name] = (len(ids), len(ids - PENDING.keys() - DIVERGENT.keys()))
    assert section("conformance") == readme_table(counts), "make conformance README=1 writes it"


def test_no_error_of_puppet_is_answered_without_a_warning() -> None:
    """All other recorded errors are errors here, too. Each row that fails has a case."""
    found = list(answered(errors(that_differ=True)))
    assert [one.case["id"] for one in found if not one.warning] == []
    rows = {
        name
        for name, row in DIFFERENCES.items()
        for one in found
        if row.warning and row.warning in one.warning
    }
    assert rows >= {name for name, row in DIFFERENCES.items() if row.fails}
    assert len(found) > 80
