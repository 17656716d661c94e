"""Catalogs as trees."""

from __future__ import annotations

from puppet_repl.catalog.tree import tree_text
from tests.catalog.conftest import Catalogs

SITE = """
class outer { contain inner notify { 'o': } }
class inner { notify { 'i': } @notify { 'virtual': } }
define thing { notify { "in ${title}": } }
include inner, outer
thing { 'a': }
@@notify { 'e': }
realize(Notify['e'])
"""


def test_what_contains_what(catalogs: Catalogs) -> None:
    catalogs.run(SITE)
    assert tree_text(catalogs.session.catalog).split("\n") == [
        "Stage['main']",
        "├─ Class['settings']",
        "├─ Class['main']",
        "│  ├─ Thing['a']",
        "│  │  └─ Notify['in a']",
        "│  └─ Notify['e'] (exported)",
        "├─ Class['inner']",
        "│  └─ Notify['i']",
        "└─ Class['outer']",
        "   ├─ Class['inner'] ...",
        "   └─ Notify['o']",
    ]


def test_deep_containment(catalogs: Catalogs) -> None:
    catalogs.run(
        "define d(Integer $n) { if $n > 0 { d { \"${n}\": n => $n - 1 } } } d { 'x': n => 300 }"
    )
    assert len(tree_text(catalogs.session.catalog).split("\n")) == 304


def test_a_stage_is_a_tree_of_its_own(catalogs: Catalogs) -> None:
    catalogs.run("stage { 'first': } class c { notify { 'n': } } class { 'c': stage => 'first' }")
    assert tree_text(catalogs.session.catalog).split("\n") == [
        "Stage['main']",
        "├─ Class['settings']",
        "└─ Class['main']",
        "Stage['first']",
        "└─ Class['c']",
        "   └─ Notify['n']",
    ]
