"""Values of keys in data, and their explanations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import puppet_repl as puppet

ON_TOP = {"port": 80, "users": ["root"], "lookup_options": {"users": {"merge": "unique"}}}


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    (tmp_path / "hiera.yaml").write_text(
        "version: 5\nhierarchy:\n"
        "  - {name: role, path: '%{role}.yaml'}\n"
        "  - {name: common, path: common.yaml}\n"
    )
    data = tmp_path / "data"
    data.mkdir()
    (data / "web.yaml").write_text("port: 8080\nusers: [web]\n")
    (data / "common.yaml").write_text("port: 22\nusers: [ops]\n")
    return tmp_path


@pytest.mark.parametrize(
    ("key", "arguments", "wanted"),
    [
        ("port", {}, 22),
        ("port", {"facts": {"role": "web"}}, 8080),
        ("port", {"variables": {"role": "web"}}, 8080),
        (["none", "port"], {}, 22),
        ("users", {"facts": {"role": "web"}, "merge": "unique"}, ["web", "ops"]),
        ("users", {"merge": {"strategy": "deep"}, "hiera": ON_TOP}, ["ops", "root"]),
        ("users", {"hiera": ON_TOP}, ["root", "ops"]),
        ("none", {"default": [1]}, [1]),
        ("none", {"default": None}, None),
    ],
)
def test_values(environment: Path, key: Any, arguments: Any, wanted: object) -> None:
    found = puppet.lookup(key, environment=environment, **{"facts": {}, **arguments})
    assert found == wanted
    if "default" not in arguments:
        rest = {name: each for name, each in arguments.items() if name != "merge"}
        code = "lookup({ 'name' => $key, 'merge' => $how })"
        named = {**rest.pop("variables", {}), "key": key, "how": arguments.get("merge")}
        assert wanted == puppet.evaluate(
            code, environment=environment, variables=named, **{"facts": {}, **rest}
        )


def test_a_key_without_a_value() -> None:
    with pytest.raises(puppet.EvaluationError, match="did not find a value for the name 'none'"):
        puppet.lookup("none", facts={})
    explanation = puppet.explain("none", facts={})
    assert not explanation.is_found
    assert str(explanation).endswith("Function lookup() did not find a value for the name 'none'\n")


def test_a_value_of_another_type() -> None:
    with pytest.raises(puppet.EvaluationError, match="has wrong type, expects an Integer value"):
        puppet.lookup("port", facts={}, hiera={"port": "x"}, type="Integer")


@pytest.mark.parametrize("key", [3, [], [1], None, {"a"}])
def test_what_is_no_key(key: Any) -> None:
    for function in (puppet.lookup, puppet.explain):
        with pytest.raises(TypeError, match="a key is a string, or a list of them"):
            function(key, facts={})


def test_an_unknown_argument() -> None:
    with pytest.raises(TypeError, match=r"lookup\(\) has no argument 'enviroment'; did you mean"):
        puppet.lookup("a", enviroment="x")  # type: ignore[call-arg]


def test_explanations(environment: Path) -> None:
    explanation = puppet.explain("users", environment=environment, facts={"role": "web"})
    (first,) = explanation.places()
    assert (first.status, first.value, first.line, first.taken) == ("found", ("web",), 2, True)
    assert repr(first) == f"<Place {environment}/data/web.yaml: found>"
    assert repr(explanation) == f"<Explanation of users: [{first!r}]>"
    assert f'Path "{environment}/data/web.yaml"' in str(explanation)
    assert explanation.to_dict()["branches"][-1]["key"] == "users"
    merged = puppet.explain("users", environment=environment, facts={}, merge="unique")
    assert merged.merge == "unique"
    assert [each.status for each in merged.places()] == ["missing", "found"]


def test_errors_of_explanations() -> None:
    explanation = puppet.explain("a", facts={}, hiera={"a": "%{nofunc('z')}"})
    assert str(explanation).endswith("Unknown interpolation method 'nofunc'\n")
    with pytest.raises(puppet.EvaluationError, match="Unknown merge strategy: 'zzz'"):
        puppet.explain("a", facts={}, merge="zzz")


def test_secrets_stay_hidden() -> None:
    options = {"token": "hunter2", "lookup_options": {"token": {"convert_to": "Sensitive"}}}
    found = puppet.lookup("token", facts={}, hiera=options)
    assert isinstance(found, puppet.Sensitive)
    assert "hunter2" not in repr(found)
