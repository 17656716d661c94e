"""Classes and examples of Debian's modules against what Puppet makes of them."""

from __future__ import annotations

import pytest

from tests.conformance.modules.run import CORPUS, differences


@pytest.mark.skipif(not CORPUS.is_dir(), reason="make corpus unpacks the modules")
def test_catalogs_of_modules() -> None:
    problems = {case["id"]: found for case, found in differences() if found is not None}
    assert not problems
