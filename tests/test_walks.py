"""Work goes down through the storeys and comes back: what climbs on the way has a reason."""

from __future__ import annotations

from tests.walks import climbs, five_walks

HOOKS = {
    ("language", "catalog"): "code declares resources in the catalog of its scope",
    ("language", "environment"): "a lookup asks the data; an input begins with the files of then",
    ("language", "session"): "the session provides functions, variables and the catalog",
    ("catalog", "environment"): "resource types come from modules",
    ("session", "tools"): "a session completes",
    ("frontends", "cells"): "the kernel runs its work so that it can be interrupted",
}
"""Storeys that call a higher one: by what was connected to them, as they do not import it."""


def test_walks_climb_by_hooks_only() -> None:
    walks = five_walks()
    found = {
        name: {(step.source.split(".")[1], step.target.split(".")[1]) for step in climbs(walk)}
        for name, walk in walks.items()
    }
    assert set().union(*found.values()) == set(HOOKS)
    # A catalog has the most: a thirteenth asks which file in Ruby a resource type comes from.
    assert all(len(climbs(walk)) <= 13 for walk in walks.values())


def test_a_lookup_enters_the_data_once() -> None:
    """Hiera calls what is below it, which never calls back."""
    walk = five_walks()["lookup"]
    into_hiera = [
        step for step in climbs(walk) if step.target.startswith("puppet_repl.environment.hiera.")
    ]
    assert [step.function for step in into_hiera] == ["search"]
    assert any(step.source == into_hiera[0].target for step in walk)
