"""Breakpoints in the files of modules and of the environment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_client.manager import start_new_kernel

from tests.conformance.judge import write_files
from tests.kernel.debugging import Debugging

MANIFEST = """# @summary a web server
class web(
  Integer $port = 80,
) {
  $doubled = web::twice($port)
  notify { 'served':
    message => "port ${doubled}",
  }
}
"""
FUNCTION = """function web::twice(Integer $n) {
  $r = $n * 2
  $r
}
"""
FILES = {
    "environment.conf": "modulepath = modules\n",
    "manifests/site.pp": "$from_site = 1\n",
    "modules/web/manifests/init.pp": MANIFEST,
    "modules/web/functions/twice.pp": FUNCTION,
    "modules/web/lib/secret.pp": "",
    "data/common.pp": "",
}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    write_files(tmp_path, FILES)
    return tmp_path


@pytest.fixture
def started_there(directory: Path) -> Iterator[Debugging]:
    """A debugger of a kernel in the directory, which has taken it as its environment."""
    manager, client = start_new_kernel(kernel_name="puppet", cwd=str(directory))
    talk = Debugging(manager, client)
    talk.attach()
    assert talk.run(":environment .")[0]["status"] == "ok"
    yield talk
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_breakpoints_in_the_files_of_modules(started_there: Debugging, directory: Path) -> None:
    talk = started_there
    manifest, function = (
        str(directory / "modules" / "web" / each)
        for each in ("manifests/init.pp", "functions/twice.pp")
    )
    listed = {each["name"]: each["path"] for each in talk.body("modules")["modules"]}
    assert listed == {
        "manifests/site.pp": str(directory / "manifests" / "site.pp"),
        "web/manifests/init.pp": manifest,
        "web/functions/twice.pp": function,
    }
    shown = talk.body("source", source={"path": manifest}, sourceReference=0)
    assert shown == {"content": MANIFEST, "mimeType": "text/x-puppet"}
    # The head of the class, and the middle of a resource.
    assert [each["line"] for each in talk.stop_at(manifest, 2, 7)] == [5, 6]
    assert [each["line"] for each in talk.stop_at(function, 2)] == [2]
    talk.start("$before = 1\ninclude web")
    assert talk.next_place() == ("class web", 5)
    assert talk.frames()[0]["source"]["path"] == manifest
    assert talk.local_variables()["port"] == "80"
    assert talk.evaluate("web::twice($port + 1)") == "162"
    talk.ask("continue")
    assert talk.next_place() == ("function web::twice", 2)
    assert talk.places() == [("function web::twice", 2), ("class web", 5), ("main", 2)]
    talk.ask("stepOut")
    assert talk.next_place() == ("class web", 6)
    assert talk.local_variables()["doubled"] == "160"
    # What runs is shown, not what somebody has written since.
    Path(manifest).write_text("# changed\n", encoding="utf-8")
    assert talk.body("source", source={"path": manifest})["content"] == MANIFEST
    talk.body("disconnect")
    assert talk.end()["status"] == "ok"


def test_errors_in_modules_are_stopped_at(started_there: Debugging) -> None:
    talk = started_there
    talk.body("setExceptionBreakpoints", filters=["raised"])
    talk.start("class { 'web': port => 4611686018427387904 }")
    body = talk.wait_for_stop()
    assert "outside of Puppet Integer max range" in body["text"]
    assert talk.places() == [("function web::twice", 2), ("class web", 5), ("main", 1)]
    assert talk.local_variables()["n"] == "4611686018427387904"
    talk.ask("continue")
    assert talk.end()["status"] == "error"


def test_only_code_that_could_be_loaded_is_shown(started_there: Debugging, directory: Path) -> None:
    for path in (
        directory / "modules/web/lib/secret.pp",
        directory / "data/common.pp",
        directory / "modules/web/manifests/../lib/secret.pp",
        directory / "modules/web/manifests/none.pp",
        "/etc/hostname",
        "modules/web/manifests/init.pp",
    ):
        told = started_there.refusal("source", source={"path": str(path)})
        assert told == f"the session does not load {path}"
        placed = started_there.stop_at(str(path), 1)
        assert placed[0]["verified"] is False and placed[0]["message"] == told
