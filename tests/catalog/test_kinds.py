"""The kinds of resources in the catalog format."""

from __future__ import annotations

from collections.abc import Callable

from puppet_repl.catalog import json
from puppet_repl.catalog.resource import COMPILABLE_TYPE, DECLARED_CLASS, DEFINED_TYPE, UNKNOWN
from tests.catalog.conftest import Catalogs


def test_every_resource_has_one_of_the_kinds(make: Callable[..., Catalogs]) -> None:
    catalogs = make(node="n")
    catalogs.run(
        "class a { } class b { } define d() { } node n { include a }"
        " class { 'b': } d { 'd': } notify { 'n': }"
    )
    # Overrides are no resources, also when they wait for one.
    catalogs.run("Notify['n'] { message => 'x' } Notify['later'] { message => 'y' }")
    catalogs.run("Notify <| |> { tag => 'collected' } notify { 'later': }")
    document = json.document(catalogs.session.catalog)
    assert {f"{one['type']}[{one['title']}]": one["kind"] for one in document["resources"]} == {
        "Stage[main]": COMPILABLE_TYPE,
        "Class[Settings]": UNKNOWN,
        "Class[main]": UNKNOWN,
        "Node[n]": UNKNOWN,
        "Class[A]": UNKNOWN,
        "Class[B]": DECLARED_CLASS,
        "D[d]": DEFINED_TYPE,
        "Notify[n]": COMPILABLE_TYPE,
        "Notify[later]": COMPILABLE_TYPE,
    }
