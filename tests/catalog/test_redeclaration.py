"""What other statements have done to a resource, when a later input declares it or them again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.catalog.conftest import Catalogs

NOTIFIES = "notify { ['a', 'b', 'c']: }"
PARENT = "class p { notify { 'a': message => 'p' } }"
OVERRIDES = "class k inherits p { Notify['a'] { message => 'k', loglevel => 'err' } } include k"
RELATES = "class k { Notify['a'] -> Notify['b'] Notify['a'] ~> Notify['c'] } include k"


@pytest.mark.parametrize(
    ("inputs", "program"),
    [
        pytest.param(
            [
                "notify { 'a': message => 'x' }",
                "Notify['a'] { loglevel => 'err' }",
                "notify { 'a': message => 'y' }",
            ],
            "notify { 'a': message => 'y', loglevel => 'err' }",
            id="an override goes on",
        ),
        pytest.param(
            [
                "notify { 'a': tag => 'x' }",
                "Notify['a'] { tag +> 'u' }",
                "notify { 'a': tag => 't' }",
            ],
            "notify { 'a': tag => ['t', 'u'] }",
            id="an override adds to the new value",
        ),
        pytest.param(
            ["notify { 'a': }", "Notify['a'] { tag +> 'u' }", "notify { 'a': }"],
            "notify { 'a': tag => 'u' }",
            id="an override adds to no value",
        ),
        pytest.param(
            ["notify { 'a': } Notify['a'] { loglevel => 'err' }", "notify { 'a': }"],
            "notify { 'a': }",
            id="an override of the input that declared it is gone",
        ),
        pytest.param(
            [f"{PARENT} {OVERRIDES}", "class k inherits p { } include k"],
            f"{PARENT} class k inherits p {{ }} include k",
            id="a class without its overrides",
        ),
        pytest.param(
            [
                f"{PARENT} {OVERRIDES}",
                "class k inherits p { Notify['a'] { loglevel => 'info' } } include k",
            ],
            f"{PARENT} class k inherits p {{ Notify['a'] {{ loglevel => 'info' }} }} include k",
            id="a class with other overrides",
        ),
        pytest.param(
            ["@notify { 'a': }", "realize(Notify['a'])", "@notify { 'a': message => 'new' }"],
            "notify { 'a': message => 'new' }",
            id="what is realized stays so",
        ),
        pytest.param(
            [
                "@notify { 'a': }",
                "class k { realize(Notify['a']) } include k",
                "class k { } include k",
            ],
            "class k { } include k",
            id="a class that no longer realizes it",
        ),
        pytest.param(
            [NOTIFIES, RELATES, "class k { Notify['a'] ~> Notify['c'] } include k"],
            f"{NOTIFIES} class k {{ Notify['a'] ~> Notify['c'] }} include k",
            id="a class with fewer relationships",
        ),
        pytest.param(
            [NOTIFIES, RELATES, "class k { } include k"],
            f"{NOTIFIES} class k {{ }} include k",
            id="a class without its relationships",
        ),
        pytest.param(
            [NOTIFIES, RELATES, "notify { 'a': message => 'new' }"],
            "notify { ['b', 'c']: } notify { 'a': message => 'new' } " + RELATES,
            id="relationships of another input",
        ),
        pytest.param(
            [NOTIFIES, RELATES, "notify { 'a': before => Notify['b'] }"],
            "notify { ['b', 'c']: } notify { 'a': before => Notify['b'], notify => Notify['c'] }"
            " class k { } include k",
            id="a relationship that it has already",
        ),
    ],
)
def test_the_catalog_is_that_of_one_program(
    inputs: list[str], program: str, make: Callable[..., Catalogs]
) -> None:
    one, many = make(), make()
    one.run(program)
    for code in inputs:
        many.run(code)
    assert as_sets(many) == as_sets(one)


def as_sets(catalogs: Catalogs) -> dict[str, dict[str, object]]:
    """Return the attributes of the resources; arrays have an order that depends on the inputs."""
    return {
        name: {
            key: {str(item) for item in (value if isinstance(value, list) else [value])}
            for key, value in attributes.items()
        }
        for name, attributes in catalogs.shown().items()
    }


def test_an_undone_input_leaves_the_statements_of_others(catalogs: Catalogs) -> None:
    catalogs.run("notify { 'a': }")
    catalogs.run("Notify['a'] { loglevel => 'err' }")
    catalogs.run("notify { 'a': message => 'new' }")
    catalogs.session.undo()
    assert catalogs.shown()["Notify[a]"] == {"loglevel": "err"}
    catalogs.session.undo()
    assert catalogs.shown()["Notify[a]"] == {}
    catalogs.run("notify { 'a': message => 'new' }")
    assert catalogs.shown()["Notify[a]"] == {"message": "new"}


def test_who_loses_resources_is_noted(catalogs: Catalogs) -> None:
    notes: list[str] = []
    catalogs.session.log = lambda level, text: notes.append(text)
    catalogs.run("class k { notify { ['a', 'b', 'c', 'd']: } } include k notify { 'own': }")
    catalogs.run("notify { ['a', 'b']: } notify { 'own': message => 'mine again' }")
    catalogs.run("class l { notify { 'a': } notify { 'd': } } include l")
    catalogs.run("define e { notify { ['a', 'b', 'c', 'd']: } } e { 'x': }")
    assert notes == [
        "Notify['a'] and 1 other of class k are replaced by those of this input",
        "Notify['a'] of an earlier input is replaced by that of class l",
        "Notify['d'] of class k is replaced by that of class l",
        "Notify['a'] and 1 other of class l are replaced by those of E['x']",
        "Notify['b'] of an earlier input is replaced by that of E['x']",
        "Notify['c'] of class k is replaced by that of E['x']",
    ]
    notes.clear()
    catalogs.run("class l { notify { 'a': message => 'new' } } class k { } include k")
    assert notes == [], "a class that is declared again has lost nothing"


def test_what_is_forgotten_can_be_defined_and_declared_anew(catalogs: Catalogs) -> None:
    catalogs.run("class k { notify { 'k': } } include k define d { } d { 'x': }")
    assert catalogs.session.forget("k") and catalogs.session.forget("d")
    assert not catalogs.session.forget("k")
    assert "Could not find class ::k" in catalogs.refused("include k")
    assert "Unknown resource type: 'd'" in catalogs.refused("d { 'y': }")
    assert "Class[K]" not in catalogs.shown()
    catalogs.session.undo()
    catalogs.run("d { 'y': }")
    catalogs.session.undo()
    catalogs.session.undo()
    assert "Class[K]" in catalogs.shown()
    catalogs.run("include k")
