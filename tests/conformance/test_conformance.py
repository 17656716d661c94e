"""Every recorded case, against tests/conformance/pending.txt and divergent.txt."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.run import FILES, RUBY_FILES, listed, readme_table
from tests.environment.ruby.engine import needs_sandbox
from tests.readme import section
from tests.recorded import check, suite

CHUNK = 250
PENDING = listed("pending.txt")
DIVERGENT = listed("divergent.txt")
CHUNKS = [
    pytest.param(
        name,
        start,
        marks=[needs_sandbox, pytest.mark.slow] if name in RUBY_FILES else (),
        id=f"{name}-{start}",
    )
    for name in FILES
    for start in range(0, len(suite(name)), CHUNK)
]


@pytest.mark.parametrize(("name", "start"), CHUNKS)
def test_recorded_cases(name: str, start: int, tmp_path: Path) -> None:
    failing = []
    passing = []
    for case in suite(name)[start : start + CHUNK]:
        found = check(case, tmp_path)
        expected_to_differ = case["id"] in PENDING or case["id"] in DIVERGENT
        if found and not expected_to_differ:
            failing.append(f"{case['id']}: {case['code']}\n    " + "\n    ".join(found))
        elif not found and expected_to_differ:
            passing.append(case["id"])
    assert not failing, f"{len(failing)} cases differ from Puppet:\n" + "\n".join(failing[:20])
    assert not passing, f"take these from pending.txt or divergent.txt, they pass: {passing}"


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
