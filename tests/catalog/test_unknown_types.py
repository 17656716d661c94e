"""Unknown resource types with the option unknown_types=warn."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.catalog.conftest import Catalogs


def test_resources_of_unknown_types(make: Callable[..., Catalogs]) -> None:
    catalogs = make(unknown_types="warn", stdlib="off")
    outcome = catalogs.run(
        "thing { 'a': size => 1, require => Other['b'] }\n"
        "@other { 'b': }\n"
        "Other <| |> { colour => red }\n"
        "some::thing { 'c': x => Thing['a']['size'] }\n"
        "notice(defined('thing'), defined(Thing['a']), Some::Thing['c']['x'])\n"
    )
    assert catalogs.shown() == {
        "Thing[a]": {"size": 1, "require": "Other[b]"},
        "Other[b]": {"colour": "red"},
        "Some::Thing[c]": {"x": 1},
    }
    unknown = "Unknown resource type: '{}' (its attributes are not checked)"
    assert sorted(message for level, message in outcome.logs if level == "warning") == [
        unknown.format("other"),
        unknown.format("some::thing"),
        unknown.format("thing"),
    ]
    assert ("notice", "false true 1") in outcome.logs


@pytest.mark.parametrize("code", ["$x = Some::Type", "include nope", "$x = 1 =~ Some::Type"])
def test_what_stays_unknown(make: Callable[..., Catalogs], code: str) -> None:
    make(unknown_types="warn", stdlib="off").refused(code)


def test_a_definition_takes_the_place(make: Callable[..., Catalogs]) -> None:
    catalogs = make(unknown_types="warn", stdlib="off")
    catalogs.run("thing { 'a': size => 1 }")
    catalogs.run("define thing($x) { }")
    assert "has no parameter named 'size'" in catalogs.refused("thing { 'b': size => 1, x => 1 }")
