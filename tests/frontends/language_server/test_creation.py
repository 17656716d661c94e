"""Files that are missing are created where Puppet looks for them, and then nothing is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.frontends.language_server.client import CAPABILITIES, Direct

CREATES: dict[str, Any] = {
    **CAPABILITIES,
    "workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}},
}


def titles_and_files(client: Direct, path: Path, text: str) -> dict[str, list[dict[str, Any]]]:
    """Return the titles of actions that create files, with what they change."""
    document = client.open(path.as_uri(), text)
    problems = client.diagnostics(path.as_uri())
    span = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    context = {"diagnostics": problems}
    given = {**document, "range": span, "context": context}
    found = client.ask("textDocument/codeAction", given)
    return {
        each["title"]: each["edit"]["documentChanges"]
        for each in found
        if "documentChanges" in each["edit"]
    }


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "metadata.json").write_text('{"name": "me-web", "version": "1.0.0"}')
    (tmp_path / "manifests").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("statement", "created", "text"),
    [
        ("include web::new", "manifests/new.pp", "class web::new {\n}\n"),
        ("include web::a::b", "manifests/a/b.pp", "class web::a::b {\n}\n"),
        ("include web", "manifests/init.pp", "class web {\n}\n"),
        ("web::new { 'a': }", "manifests/new.pp", "define web::new {\n}\n"),
        ("$x = web::new()", "functions/new.pp", "function web::new() {\n}\n"),
        ("notice(1 =~ Web::New)", "types/new.pp", "type Web::New = Any\n"),
        ("Web::New['a'] -> File['/b']", "manifests/new.pp", "define web::new {\n}\n"),
        ("Web::New { a => 1 }", "manifests/new.pp", "define web::new {\n}\n"),
        ("Web::New <| |>", "manifests/new.pp", "define web::new {\n}\n"),
        ("create_resources('web::new', {})", "manifests/new.pp", "define web::new {\n}\n"),
        ("notice(epp('web/new.epp'))", "templates/new.epp", ""),
        ("notice(epp('web/new.ep'))", "templates/new.ep.epp", ""),
        ('notice(template("${module_name}/new"))', "templates/new", ""),
        ("notice(template('web/a/new.erb'))", "templates/a/new.erb", ""),
        ("file { '/x': source => 'puppet:///modules/web/new' }", "files/new", ""),
    ],
)
def test_a_missing_file_is_created(module: Path, statement: str, created: str, text: str) -> None:
    client = Direct()
    client.start(module, CREATES)
    code = f"class web::other {{\n  {statement}\n}}\n"
    path = module / "manifests" / "other.pp"
    found = titles_and_files(client, path, code)
    assert list(found) == [f"Create {created}"]
    creation, edit = found[f"Create {created}"]
    assert creation["kind"] == "create"
    # Neovim 0.7 empties a file that is there, unless it is told not to.
    assert creation["options"] == {"ignoreIfExists": True}
    made = Path(unquote(urlsplit(creation["uri"]).path))
    assert made == module / created
    assert "".join(each["newText"] for each in edit["edits"]) == text
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_text(text)
    again = Direct()
    again.start(module, CREATES)
    assert titles_and_files(again, path, code) == {}


@pytest.mark.parametrize(
    "statement",
    [
        "notice(epp('web/../new.epp'))",
        "include elsewhere::new",
        "file { '/x': ensur => file }",
    ],
)
def test_nothing_is_created_elsewhere(module: Path, statement: str) -> None:
    client = Direct()
    client.start(module, CREATES)
    path = module / "manifests" / "other.pp"
    assert titles_and_files(client, path, f"class web::other {{\n  {statement}\n}}\n") == {}


@pytest.mark.parametrize("text", ["", "define web::new {\n}\n", "class web::elsewhere {\n}\n"])
@pytest.mark.parametrize("is_open", [False, True])
def test_a_file_that_is_there_is_not_created(module: Path, text: str, is_open: bool) -> None:
    client = Direct()
    client.start(module, CREATES)
    new = module / "manifests" / "new.pp"
    if is_open:
        client.open(new.as_uri(), text)
    else:
        new.write_text(text)
    path = module / "manifests" / "other.pp"
    assert titles_and_files(client, path, "class web::other {\n  include web::new\n}\n") == {}


def test_the_file_of_the_code_is_not_created(module: Path) -> None:
    client = Direct()
    client.start(module, CREATES)
    path = module / "manifests" / "other.pp"
    assert titles_and_files(client, path, "class web::wrong {\n  include web::other\n}\n") == {}


def test_a_client_that_creates_no_files_is_not_asked_to(module: Path) -> None:
    client = Direct()
    client.start(module)
    path = module / "manifests" / "other.pp"
    assert titles_and_files(client, path, "class web::other {\n  include web::new\n}\n") == {}
