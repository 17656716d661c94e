"""Tags, against the answers of Puppet: their order in the catalog, and what is none."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from puppet_repl.catalog import tags


@given(st.text(alphabet=st.sampled_from("aZ9é_:.- /!\n"), max_size=6))
def test_validity_is_that_of_puppets_pattern(text: str) -> None:
    expected = re.fullmatch(r"[^\W][\w:.-]*", text) is not None
    assert tags.is_valid(text) == expected


def test_qualified_tag_counts_for_its_segments() -> None:
    found: dict[str, None] = {}
    assert tags.add(found, "A::B")
    assert list(found) == ["a::b", "a", "b"]
    assert not tags.add(found, "not valid")
    assert list(found) == ["a::b", "a", "b"]
