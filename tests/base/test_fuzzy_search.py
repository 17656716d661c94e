"""How close texts are to typed letters: the order that a search shows, and what it marks."""

from __future__ import annotations

import pytest

from puppet_repl.base.fuzzy_search import distance, positions, ranked

MANIFEST = "class profile::base {\n" + "  file { '/etc/web': content => 'abc' }\n" * 284 + "}"


@pytest.mark.parametrize(
    ("query", "closer", "farther"),
    [
        ("clsweb", "class web($port) { }", MANIFEST),
        ("clsweb", "class web($port) { }", "include cls; $s = 'w'; notice($e, $b)"),
        ("web", "$x = 'cobweb'", "w_e_b"),
        ("web", "include web", "include cobweb"),
        ("web", "include cobweb and web", "include cobweb"),
        ("fp", "File['/x'] -> Package['y']", "of x app"),
        ("abc", "a-b-c", "a...b...c"),
        ("in we", "include web", "include cobwebs"),
    ],
)
def test_the_closer_text(query: str, closer: str, farther: str) -> None:
    words = query.lower().split()
    near, far = distance(closer.lower(), words), distance(farther.lower(), words)
    assert near is not None and far is not None
    assert near < far


@pytest.mark.parametrize(("query", "text"), [("zz", "puzzle z"), ("ab", "xaxb")])
def test_what_is_there_has_a_distance(query: str, text: str) -> None:
    assert distance(text, [query]) is not None


@pytest.mark.parametrize(("query", "text"), [("abc", "acb"), ("aa", "a"), ("x z", "only x")])
def test_what_is_not_there(query: str, text: str) -> None:
    assert distance(text, query.split()) is None


@pytest.mark.parametrize(
    ("query", "text", "marked"),
    [
        ("web", "a web", "..www"),
        ("web", "cobweb web", ".......www"),
        ("clsweb", "class web", "ww..w.www"),
        ("ab", "a a b", "..w.w"),
        ("in we", "in we", "ww.ww"),
        ("", "text", "...."),
    ],
)
def test_what_is_marked(query: str, text: str, marked: str) -> None:
    found = positions(text, query.split())
    expected = {at for at, character in enumerate(marked) if character == "w"}
    assert found == expected


def test_many_letters_in_a_long_text_take_no_long_time() -> None:
    assert distance("a" * 200_000 + "c", ["a" * 50 + "b"]) is None
    assert distance("ab" * 100_000, ["ba" * 20 + "x"]) is None


class Named:
    """A candidate with its text."""

    def __init__(self, text: str, weight: int = 0) -> None:
        self.text = text
        self.weight = weight


def order(texts: list[str], query: str) -> list[str]:
    return [named.text for named in ranked([Named(text) for text in texts], query)]


def test_candidates_are_ranked_by_how_they_match() -> None:
    best_first = ["dig", "digest", "DIGITS", "my_dig", "prodigy", "data_in_gzip"]
    assert order(best_first[::-1], "dig") == best_first


@pytest.mark.parametrize(
    ("query", "text", "is_found"),
    [
        ("skey", "sshkey", True),
        ("key", "ssh_k_e_y", True),
        ("shk", "sshkey", True),
        ("hky", "sshkey", False),  # the first letter is inside of a word
        ("sy", "sshkey", False),  # too few letters
        ("abc", "a xa b c", True),
    ],
)
def test_scattered_letters_of_candidates(query: str, text: str, is_found: bool) -> None:
    assert order([text], query) == ([text] if is_found else [])


def test_equal_matches_are_ranked_by_weight_length_and_name() -> None:
    candidates = [Named("ab3"), Named("ab22"), Named("ab1"), Named("abheavy", -1)]
    assert [named.text for named in ranked(candidates, "ab")] == ["abheavy", "ab1", "ab3", "ab22"]
