"""URIs, against Ruby's URI library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.values.uri import URI
from tests.recorded import read

CASES = read(Path(__file__).with_name("uris.jsonl"))


@pytest.mark.parametrize(
    "case", [one for one in CASES if "uri" in one], ids=lambda case: case["uri"]
)
def test_reading(case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(RuntimeFailure) as caught:
            URI.parse(case["uri"])
        assert caught.value.message == case["error"]
        return
    made = URI.parse(case["uri"])
    assert made.puppet_text() == case["text"]
    assert made.components() == case["parts"]
    if made.host or made.userinfo is None:  # Ruby forgets the slashes before a lone user
        assert made.puppet_equals(URI.parse(made.puppet_text()))


@pytest.mark.parametrize(
    "case",
    [one for one in CASES if "base" in one],
    ids=lambda case: f"{case['base']} + {case['reference']}",
)
def test_merging(case: dict[str, Any]) -> None:
    base, reference = URI.parse(case["base"]), URI.parse(case["reference"])
    if "error" in case:
        with pytest.raises(RuntimeFailure) as caught:
            base.merge(reference)
        assert caught.value.message == case["error"]
    else:
        assert base.merge(reference).puppet_text() == case["text"]
