"""The schemas of requests and responses hold for what the program reads and writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from puppet_repl.frontends.cli.batch import MODES, answer_lines
from puppet_repl.frontends.cli.batch_options import ANSWERS, KEYS, REFUSED
from puppet_repl.frontends.cli.batch_schemas import KINDS, schema
from puppet_repl.language.runtime.options import STRICTNESS
from tests.conformance.judge import request_of

CONFORMANCE = Path(__file__).parent / "conformance"
# Those that need Ruby take long.
FILES = sorted(path for path in CONFORMANCE.glob("*.jsonl") if path.stem not in ("erb", "ruby"))
REQUEST, RESPONSE = (json.loads(schema(kind)) for kind in KINDS)
PROPERTIES = REQUEST["properties"]

GOOD = [
    {"code": "1"},
    {"code": "1", "id": {"a": [None]}, "mode": None, "session": "s", "note": "of its own"},
    {"code": "$facts", "facts": "debian-12"},
    {"code": "$facts", "facts": ["debian-12", "rocky-9"], "trusted": {"pp_role": "web"}},
    {"code": "$x", "strict": "warning", "strict_variables": False},
    {"code": "<%= $x %>", "mode": "epp", "params": {"x": 1}},
    {"code": "notice(1) fail('no')"},
    {"code": "1 +", "mode": "parse"},
    {"code": "1 = 2 2 = 3", "mode": "parse"},
    {"code": "a(1)", "mode": "parse_only"},
    {"code": "while_loop()", "max_seconds": 0.5, "ruby_seconds": 1},
    {"code": "class a { user { 'x': password => Sensitive('p') } } include a", "mode": "catalog"},
    {"code": "@@notify { 'x': }", "mode": "catalog", "document": True, "redacted": True},
    {"code": "notify { 'x': before => File['/no'] }", "mode": "catalog", "node": "web01"},
]
BAD = [
    [],
    "code",
    {},
    {"id": 1},
    {"code": 1},
    {"code": None, "mode": "catalog"},
    {"code": "1", "mode": "run"},
    {"code": "1", "mode": 1},
    {"code": "1", "session": ""},
    {"code": "1", "session": 1},
    {"code": "1", "params": []},
    {"code": "1", "facts": 1},
    {"code": "1", "facts": [1]},
    {"code": "1", "trusted": []},
    {"code": "1", "modulepath": "modules"},
    {"code": "1", "stubs": [1]},
    {"code": "1", "node": 1},
    {"code": "1", "hermetic": 1},
    {"code": "1", "strict": "yes"},
    {"code": "1", "stdlib": 9},
    {"code": "1", "language": "puppet-9"},
    {"code": "1", "ruby_seconds": 0},
    {"code": "1", "ruby_seconds": 1.5},
    {"code": "1", "max_seconds": 0},
    {"code": "1", "max_seconds": "1"},
    {"code": "1", "max_seconds": True},
    *({"code": "1", key: True} for key in REFUSED),
]


def ask(request: Any) -> Any:
    (answer,) = answer_lines([json.dumps(request)])
    return json.loads(answer)


def problems(value: Any, described: Any) -> list[str]:
    found = Draft202012Validator(described).iter_errors(value)
    return [f"{each.json_path}: {each.message}" for each in found]


@pytest.mark.parametrize("described", [REQUEST, RESPONSE], ids=KINDS)
def test_it_is_a_schema(described: Any) -> None:
    Draft202012Validator.check_schema(described)
    for example in described.get("examples", ()):
        assert not problems(example, described)


def test_it_has_the_keys_that_the_program_has() -> None:
    assert set(PROPERTIES) == set(KEYS)
    assert set(RESPONSE["properties"]) == {*ANSWERS, "ignored"}
    assert set(REQUEST["propertyNames"]["not"]["enum"]) == set(REFUSED)
    words = ("error", "warn")
    choices = {
        "mode": MODES,
        "stdlib": ("9", "8", "off"),
        "strict": STRICTNESS,
        "unknown_types": words,
    }
    for key, words in choices.items():
        assert PROPERTIES[key]["enum"] == [*words, None], key
    assert PROPERTIES["max_seconds"]["maximum"] == 86_400
    assert PROPERTIES["ruby_seconds"]["maximum"] == 86_400
    assert all(each.get("description") for each in PROPERTIES.values())


@pytest.mark.parametrize("request_", GOOD, ids=json.dumps)
def test_a_request_that_is_answered_is_valid(request_: dict[str, Any]) -> None:
    answer = ask(request_)
    assert answer.get("error", {}).get("code") != "REQUEST"
    assert not problems(request_, REQUEST)
    assert not problems(answer, RESPONSE)


@pytest.mark.parametrize("request_", BAD, ids=json.dumps)
def test_a_request_that_is_refused_is_not_valid(request_: Any) -> None:
    answer = ask(request_)
    assert answer["error"]["code"] == "REQUEST"
    assert problems(request_, REQUEST)
    assert not problems(answer, RESPONSE)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_recorded_programs_and_their_answers_are_valid(path: Path, tmp_path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines[:: max(1, len(lines) // 50)]):
        directory = tmp_path / str(number)
        directory.mkdir()
        request = request_of(json.loads(line), directory)
        assert not problems(request, REQUEST), line
        assert not problems(ask(request), RESPONSE), line


def test_a_response_of_another_kind_is_not_valid() -> None:
    answer = ask({"code": "1"})
    assert problems({**answer, "more": 1}, RESPONSE)
    assert problems({key: answer[key] for key in ("id", "value")}, RESPONSE)
    assert problems({**answer, "error": {"message": "m", "code": None}}, RESPONSE)
