"""The directory of a stranger in the language server neither stops it nor starts programs.

A file that needs more than linear time needs minutes here: the test does not end.
"""

from __future__ import annotations

from pathlib import Path

from puppet_repl.language.syntax.source import Source
from puppet_repl.tools.editing.data_uses import uses_in_data
from tests.conformance.judge import write_files
from tests.frontends.language_server.client import Direct

CLASS = "class web (Integer $port = 80) { }\n"


def test_a_path_with_many_unknown_variables(tmp_path: Path) -> None:
    unknown = "".join(f"%{{v{number}}}a" for number in range(20))
    levels = f"[{{name: a, path: '{unknown}.yaml'}}, {{name: common, path: common.yaml}}]"
    write_files(
        tmp_path,
        {
            "environment.conf": "",
            "hiera.yaml": f"version: 5\nhierarchy: {levels}\n",
            f"data/{'a' * 120}.yml": "x: 1\n",
            "data/common.yaml": "web::port: 1\n",
            "modules/web/manifests/init.pp": CLASS,
        },
    )
    client = Direct()
    client.start(tmp_path, initializationOptions={"trust": False, "facts": "rocky-9"})
    document = client.open((tmp_path / "modules/web/manifests/init.pp").as_uri(), CLASS)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    hints = client.ask("textDocument/inlayHint", {**document, "range": whole})
    assert "1" in str(hints[0]["label"])
    # The same file, if the path could name it, leaves the value open.
    (tmp_path / "data" / f"{'a' * 120}.yaml").write_text("web::port: 2\n")
    again = Direct()
    again.start(tmp_path, initializationOptions={"facts": "rocky-9"})
    document = again.open((tmp_path / "modules/web/manifests/init.pp").as_uri(), CLASS)
    assert not again.ask("textDocument/inlayHint", {**document, "range": whole})


def test_beginnings_of_expressions_in_data() -> None:
    for begun in (" " * 50_000, "%{" * 50_000, " %{ " * 25_000, "lookup('" * 20_000):
        found = uses_in_data(Source(f'x: "%{{{begun}"\ny: "%{{ z }}"\n', "common.yaml"))
        assert [each.name for each in found] == ["x", "y", "z"]
