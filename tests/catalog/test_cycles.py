"""Cycles are found in graphs of any size, and the way that tells one is the shortest and first."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random
from time import process_time

import pytest

from puppet_repl.catalog import cycles
from puppet_repl.catalog.cycles import cycle_message, find_cycles

Graph = dict[str, list[str]]


@pytest.mark.parametrize(
    ("graph", "ways"),
    [
        ({}, []),
        ({"a": ["b", "c"], "b": ["c"], "c": []}, []),
        ({"a": ["b"], "b": ["a"]}, ["aba"]),
        ({"a": ["a"]}, ["aa"]),
        ({"x": ["a"], "a": ["b"], "b": ["c"], "c": ["a", "y"], "y": []}, ["abca"]),
        ({"d": ["c"], "c": ["d"], "b": ["a"], "a": ["b"]}, ["aba", "cdc"]),
        ({"b": ["b"], "a": ["a", "b"]}, ["aa", "bb"]),
        # It ends where it meets itself, which need not be the beginning.
        ({"a": ["b"], "b": ["c"], "c": ["d", "b"], "d": ["a"]}, ["abcb"]),
        ({"a": ["b"], "b": ["b", "a"]}, ["abb"]),
        ({"a": ["b"], "b": ["a", "b"]}, ["aba"]),
        ({"a": ["b", "c"], "b": ["d"], "c": ["c", "d"], "d": ["a"]}, ["acc"]),
        # Of two of a length it is the one that takes what was stated first.
        ({"a": ["c", "b"], "b": ["a"], "c": ["a"]}, ["aca"]),
        ({"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": ["c", "a"]}, ["abda"]),
    ],
)
def test_ways(graph: Graph, ways: list[str]) -> None:
    assert ["".join(way) for way in find_cycles(graph)] == ways


def first_way(graph: Graph, start: str) -> str:
    """Return the way that a search of all ways finds first."""
    ways = [start]
    for way in ways:
        if way[-1] in way[:-1]:
            return way
        ways += [way + later for later in graph[way[-1]]]
    raise AssertionError


def test_it_is_the_way_that_a_search_of_all_ways_finds_first() -> None:
    random = Random(41)
    told = 0
    for _ in range(300):
        names = "abcdefgh"[: random.randint(2, 8)]
        chosen = [pair for pair in product(names, names) if random.random() < 0.25]
        random.shuffle(chosen)
        graph = {name: [second for first, second in chosen if first == name] for name in names}
        ways = find_cycles(graph)
        for way in ways:
            told += 1
            inside = {name for name in names if _leads(graph, way[0], name, way[0])}
            assert way[0] == min(inside)
            part = {name: [each for each in graph[name] if each in inside] for name in inside}
            assert "".join(way) == first_way(part, way[0])
        in_cycles = {name for name in names if _leads(graph, name, name)}
        assert in_cycles == {
            name for way in ways for name in names if _leads(graph, way[0], name, way[0])
        }
    assert told > 200


def _leads(graph: Graph, *stops: str) -> bool:
    return all(_reaches(graph, first, second) for first, second in pairwise(stops))


def _reaches(graph: Graph, first: str, second: str) -> bool:
    found = set(graph[first])
    waiting = list(found)
    while waiting:
        new = set(graph[waiting.pop()]) - found
        found |= new
        waiting += new
    return second in found


def test_a_long_chain() -> None:
    chain = {f"r{number:05}": [f"r{number + 1:05}"] for number in range(5_000)}
    assert find_cycles(chain) == []
    (way,) = find_cycles({**chain, "r05000": ["r00000"]})
    assert len(way) == 5_002


def test_wide_rows_between_beginnings_and_ends() -> None:
    """There are more ways through them than anybody could search."""
    graph: Graph = {}
    for row in range(40):
        inside = [f"{row:02}-{number:03}" for number in range(50)]
        graph[f"{row:02}+"] = inside
        graph.update((name, [f"{row:02}="]) for name in inside)
        graph[f"{row:02}="] = [f"{(row + 1) % 40:02}+"]
    (way,) = find_cycles(graph)
    assert way[:4] == ["00+", "00-000", "00=", "01+"]
    assert len(way) == 121


@pytest.mark.parametrize("most", [0, 100, 1_000])
def test_a_search_that_ends_early_still_tells_a_way(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cycles, "_MOST_LINKS", most)
    random = Random(42)
    names = [f"r{number:02}" for number in range(60)]
    for _ in range(50):
        graph = {name: [later] for name, later in pairwise([*names, names[0]])}
        for name in random.choices(names, k=30):
            graph[name].insert(0, random.choice(names))
        (way,) = find_cycles(graph)
        assert way[0] == names[0]
        assert way[-1] in way[:-1]
        assert len({*way}) == len(way) - 1
        assert all(later in graph[name] for name, later in pairwise(way))


def test_a_large_set_in_which_each_ring_is_long() -> None:
    """Only the rings through a part of its points are looked for."""
    names = [f"r{number:05}" for number in range(10_000)]
    graph = {name: [*names[at + 1 : at + 3]] for at, name in enumerate(names)}
    graph[names[-1]] = [names[0]]
    began = process_time()
    (way,) = find_cycles(graph)
    assert process_time() - began < 5
    assert way[0] == way[-1] == names[0]
    assert len(way) == 5_002


def test_the_message() -> None:
    assert cycle_message([["A[a]", "B[b]", "A[a]"]]) == (
        "Found 1 dependency cycle:\n(A[a] => B[b] => A[a])"
    )
    assert cycle_message([["A[a]", "A[a]"], ["C[c]", "C[c]"]]) == (
        "Found 2 dependency cycles:\n(A[a] => A[a])\n(C[c] => C[c])"
    )
