"""Sessions of the machine interface: which requests run in one, and which begin it anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.cli.test_batch import ask


@pytest.fixture
def site(tmp_path: Path) -> str:
    """The directory of an environment with node blocks."""
    manifest = tmp_path / "production" / "manifests" / "site.pp"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(
        "node /^web\\d+\\./ {\n"
        "  @@notify { \"from ${trusted['certname']}\": }\n"
        "  notify { \"web ${facts['role']} ${trusted['extensions']['pp_role']}\": }\n"
        "}\n"
        "node 'db01.example.com' { notify { 'db': } Notify <<| |>> }\n"
        "node 'bad.example.com' { fail('bad') }\n"
    )
    return str(tmp_path / "production")


def notified(told: dict[str, Any]) -> list[str]:
    """The messages of the catalog in an answer."""
    return [each["title"] for each in told["resources"] if each["type"] == "Notify"]


def test_a_catalog_of_a_session_is_that_of_the_node_asked_for(site: str) -> None:
    request = {"session": "s", "mode": "catalog", "environment": site}
    web = {**request, "node": "web01.x", "facts": {"role": "r"}, "trusted": {"pp_role": "p"}}
    first, other, third, again = ask(
        web,
        {**request, "node": "db01.example.com"},
        {**web, "facts": {"role": "q"}, "trusted": {"pp_role": "t"}},
        {**web, "environment": None, "code": "notify { $trusted['certname']: }"},
    )
    assert notified(first) == ["web r p"]
    assert notified(other) == ["db"]
    assert notified(third) == ["web q t"]
    assert notified(again) == ["web01.x"]


def test_the_facts_of_a_node_are_not_those_of_the_next_one(site: str) -> None:
    request = {"session": "s", "mode": "catalog", "environment": site}
    code = "notify { \"${facts['role']} ${trusted['extensions']}\": }"
    ask_for = {**request, "code": code, "node": "a"}
    first, other = ask(
        {**ask_for, "facts": {"role": "r"}, "trusted": {"pp_role": "p"}}, {**ask_for, "node": "b"}
    )
    assert notified(first) == ["r {pp_role => p}"]
    assert notified(other) == [" {}"]


def test_what_is_wrong_with_an_environment_is_logged(tmp_path: Path) -> None:
    """As Puppet 8.11 logs it: the error of the metadata before that of the class."""
    module = tmp_path / "modules" / "m"
    (module / "manifests").mkdir(parents=True)
    (module / "manifests" / "init.pp").write_text("class m {}")
    (module / "metadata.json").write_text('{"name": "a-m", "version": "1.0.0"}')
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text("include m")
    (tmp_path / "environment.conf").write_text("foo = bar\n")
    request = {"mode": "catalog", "environment": str(tmp_path), "node": "n"}
    for told in ask(request, {**request, "code": "include m"}, {**request, "code": "notice(1)"}):
        assert told["logs"][0] == ["err", "No source module metadata provided for m"]
        level, text = told["logs"][1]
        assert (level, text.endswith("unknown setting(s) are being ignored: foo")) == (
            "warning",
            True,
        )
        assert told["logs"][2:] == ([] if "error" in told else [["notice", "1"]])


def test_a_request_without_a_name_of_its_session_leaves_nothing() -> None:
    refused, told = ask({"code": "1", "session": ""}, {"code": "1", "node": "a", "facts": {}})
    assert (refused["error"]["code"], told["value"]) == ("REQUEST", "1")


def test_nodes_of_a_session_collect_what_others_export(site: str) -> None:
    request = {"session": "s", "mode": "catalog", "environment": site, "storeconfigs": True}
    known = {"facts": {"role": "r"}, "trusted": {"pp_role": "p"}}
    database = {"session": "s", "mode": "catalog", "environment": site, "node": "db01.example.com"}
    told = ask(
        {**request, "node": "web01.x", **known},
        {**request, "node": "web02.x", **known},
        database,
        {**request, "node": "web02.x", "code": "fail('no')"},
        database,
        {**request, "node": "web01.x", "code": "notify { 'nothing': }"},
        database,
        {**database, "session": "t", "storeconfigs": True},
    )
    assert sorted(notified(told[2])) == ["db", "from web01.x", "from web02.x"]
    assert "no" in told[3]["error"]["message"]
    assert sorted(notified(told[4])) == ["db", "from web01.x", "from web02.x"]
    assert sorted(notified(told[6])) == ["db", "from web02.x"]
    assert notified(told[7]) == ["db"]


def test_a_request_runs_in_the_session_that_it_describes(site: str, tmp_path: Path) -> None:
    first = {"environment": site, "node": "web01.x", "facts": {"role": "r"}, "modulepath": ["/m"]}
    same = {**first, "environment": site + "/", "node": "Web01.X", "strict": "error"}
    others = {
        "the node 'web01.x'": {"node": "db01.example.com"},
        f"the environment '{site}'": {"environment": "other"},
        "other facts": {"facts": {"role": "q"}},
        "no trusted": {"trusted": {"pp_role": "web"}},
        'the modulepath ["/m"]': {"modulepath": ["/n"]},
        "the strict 'error'": {"strict": "off"},
        "the storeconfigs false": {"storeconfigs": True},
        "the strict_variables true": {"strict_variables": False},
        "the ruby_seconds 60": {"ruby_seconds": 5},
    }
    requests = [{**first, "code": "$x = 1"}, {**same, "code": "$x"}]
    requests += [{"code": "$x", **each} for each in others.values()]
    requests += [{"code": "1", "mode": "parse", "node": "b"}, {"code": "$x"}]
    told = ask(*({"session": "s", **each} for each in requests))
    assert [each.get("value") for each in told[:2]] == ["1", "1"]
    refused = [each["error"] for each in told[2:-2]]
    assert [each["message"] for each in refused] == [f"session 's' has {each}" for each in others]
    assert {each["code"] for each in refused} == {"REQUEST"}
    assert told[-2]["pn"] == "1"
    assert told[-1]["value"] == "1"


def test_each_request_of_a_session_has_a_time_limit_of_its_own() -> None:
    told = ask(
        {"session": "s", "code": "$x = 1", "max_seconds": 5},
        {"session": "s", "code": "$x", "max_seconds": 5},
        {"session": "s", "code": "$x"},
        {"session": "s", "code": "$x", "max_seconds": 7},
    )
    assert [each.get("value") for each in told] == ["1", "1", "1", "1"]


def test_a_session_is_that_of_its_last_catalog(site: str) -> None:
    request = {"session": "s", "mode": "catalog", "environment": site}
    told = ask(
        {"session": "s", "environment": site, "code": "$x = 1"},
        {**request, "node": "db01.example.com"},
        {"session": "s", "code": "$trusted['certname']"},
        {"session": "s", "code": "$x"},
        {**request, "node": "bad.example.com"},
        {"session": "s", "code": "$trusted['certname']"},
    )
    assert told[2]["value"] == "'db01.example.com'"
    assert told[3]["error"]["code"] == "UNKNOWN_VARIABLE"
    assert told[4]["error"]["message"].endswith("bad")
    assert told[5]["value"] == "'bad.example.com'"


@pytest.mark.parametrize("kind", ["a directory", "a mere name", "none"])
def test_code_for_a_directory_resets_a_session_without_a_node_too(site: str, kind: str) -> None:
    name = {"a directory": site, "a mere name": "production", "none": None}[kind]
    request = {"session": "s", "environment": name}
    _, catalog, after = ask(
        {**request, "code": "$x = 1"},
        {**request, "mode": "catalog", "code": "notify { 'a': }"},
        {"session": "s", "code": "$x"},
    )
    assert notified(catalog) == ["a"]
    if kind == "a directory":
        assert after["error"]["code"] == "UNKNOWN_VARIABLE"
    else:
        assert after["value"] == "1"


def test_a_failed_input_keeps_its_number() -> None:
    told = ask(
        {"session": "s", "code": "'one'"},
        {"session": "s", "code": "nope()"},
        {"session": "s", "code": "1", "mode": "parse"},
        {"session": "s", "code": "<%= 1 %>", "mode": "epp"},
        {"session": "s", "code": "<%= nope() %>", "mode": "epp"},
        {"session": "s", "code": "1", "strict": "off"},
        {"session": "s", "code": "'three'"},
        {"session": "s", "code": "notify { 'x': } -> Notify['y']", "mode": "catalog"},
        {"session": "s", "code": "'five'"},
        {"session": "s", "code": "[$_1, $_3, $_5, $_]"},
        {"session": "s", "code": "$_2"},
    )
    assert [("error" in each) for each in told].count(True) == 5
    assert told[5]["error"]["code"] == "REQUEST"
    assert told[9]["value"] == "['one', 'three', 'five', 'five']"
    assert told[10]["error"]["message"] == "Evaluation Error: Unknown variable: '_2'."


def test_a_catalog_that_resets_a_session_begins_to_count_again() -> None:
    told = ask(
        {"session": "s", "code": "nope()"},
        {"session": "s", "code": "notify { 'x': }", "mode": "catalog", "node": "web01"},
        {"session": "s", "code": "'one'"},
        {"session": "s", "code": "$_1"},
    )
    assert told[3]["value"] == "'one'"


def test_a_replaced_resource_of_another_class_is_a_note() -> None:
    told = ask(
        {"session": "s", "code": "class a { notify { 'x': } } class b { notify { 'x': } }"},
        {"session": "s", "code": "include a"},
        {"session": "s", "code": "include b"},
        {"session": "s", "code": "1"},
    )
    notes = [each.get("notes") for each in told]
    assert notes == [None, None, ["Notify['x'] of class a is replaced by that of class b"], None]


def of_session(name: str, code: str, **keys: Any) -> dict[str, Any]:
    return {"session": name, "code": code, **keys}


def test_the_least_recently_used_session_ends() -> None:
    told = ask(
        of_session("a", "$x = 1"),
        of_session("b", "$x = 2"),
        of_session("a", "$x"),
        of_session("b", "$x", mode="parse"),  # uses no session
        of_session("b", "$x", node="other"),  # is refused
        of_session("c", "nope()"),  # a failure begins one as well
        of_session("a", "$x"),
        of_session("b", "$x"),
        of_session("c", "$_"),
        {"code": "1"},
        max_sessions=2,
    )
    begun = [number for number, each in enumerate(told) if each.get("new_session")]
    assert begun == [0, 1, 5, 7, 8]
    assert [each.get("value") for each in told[:3]] == ["1", "2", "1"]
    assert told[4]["error"]["message"] == "session 'b' has no node"
    assert told[6]["value"] == "1"
    assert told[7]["error"]["message"].endswith("Unknown variable: 'x'.")


def test_a_session_that_has_ended_may_be_described_anew() -> None:
    first, other, again = ask(
        of_session("a", "1", node="web01"),
        of_session("b", "2", node="web02"),
        of_session("a", "$trusted['certname']", node="web03"),
        max_sessions=1,
    )
    assert first["new_session"] and other["new_session"] and again["new_session"]
    assert again["value"] == "'web03'"


def test_without_a_limit_no_session_ends() -> None:
    names = [f"s{number}" for number in range(50)]
    told = ask(*(of_session(each, "$x = 1") for each in names), of_session("s0", "$x"))
    assert all(each["new_session"] for each in told[:-1])
    assert told[-1] == {"id": None, "value": "1", "str": "1", "type": "Integer[1, 1]"}


def test_exports_end_with_their_session(site: str) -> None:
    web = {"mode": "catalog", "environment": site, "storeconfigs": True, "facts": {"role": "r"}}
    web |= {"node": "web01.x", "trusted": {"pp_role": "p"}}
    database = {**web, "node": "db01.example.com"}
    told = ask(
        {"session": "s", **web},
        {"session": "s", **database},
        {"session": "t", "code": "1"},
        {"session": "s", **database},
        max_sessions=1,
    )
    assert [each.get("new_session") for each in told] == [True, None, True, True]
    assert notified(told[1]) == ["db", "from web01.x"]
    assert notified(told[3]) == ["db"]


def test_a_session_whose_first_input_takes_too_long_is_new() -> None:
    long = "Integer[1, 1000000000].each |$x| { $x }"
    told = ask(of_session("a", long, max_seconds=0.2), of_session("a", "1"))
    assert told[0]["error"]["code"] == "NO_TIME"
    assert [each.get("new_session") for each in told] == [True, None]
