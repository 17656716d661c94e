"""The names of facts cover those of the bundled fact sets, and of this machine."""

from __future__ import annotations

import pytest

from puppet_repl.environment.facts.core_facts import (
    AGENT_FACTS,
    CORE_FACT_KEYS,
    CORE_FACTS,
    MODULE_FACTS,
)
from puppet_repl.environment.facts.facts import bundled_facts, factset_names
from puppet_repl.environment.facts.legacy_facts import structured
from puppet_repl.session.top_scope import LOCAL_FACTS

KNOWN = CORE_FACTS | AGENT_FACTS | MODULE_FACTS


@pytest.mark.parametrize("name", factset_names())
def test_the_facts_of_each_system_are_known(name: str) -> None:
    assert {fact for fact in bundled_facts(name) if structured(fact) is None} <= KNOWN


@pytest.mark.parametrize("name", factset_names())
def test_the_parts_of_the_facts_of_each_system_are_known(name: str) -> None:
    for path, known in CORE_FACT_KEYS.items():
        value = bundled_facts(name)
        for key in path:
            value = value.get(key, {})
        assert set(value) <= known, path


def test_the_facts_of_this_machine_are_known() -> None:
    assert LOCAL_FACTS - {"python"} <= KNOWN


def test_no_fact_that_puppet_8_leaves_out_is_among_them() -> None:
    assert [fact for fact in KNOWN if structured(fact) is not None] == []
