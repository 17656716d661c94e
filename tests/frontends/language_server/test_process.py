"""The program itself: its streams, its end, and directories that mean harm."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.frontends.language_server.client import COMMAND, Direct, Process


def test_a_session() -> None:
    with Process("--stdio") as client:
        client.start()
        document = client.open("file:///nowhere/a.pp", "notice(\n")
        (found,) = client.diagnostics("file:///nowhere/a.pp")
        assert found["severity"] == 1
        assert client.at("hover", document, 0, 2)["contents"]["value"].startswith("**notice**")
        assert client.end() == (0, b"")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", b""),
        (b"Content-Length: 10\r\n\r\n{}", b"a message is cut off"),
        (b"Content-Length: x\r\n\r\n{}", b"not a number"),
        (b"Content-Length: 9999999999\r\n\r\n{}", b"too large"),
        (b"X: 1\r\n\r\n{}", b"no Content-Length"),
        (b"no header", b"cut off or too long"),
    ],
)
def test_an_input_that_ends_or_is_no_message(data: bytes, problem: bytes) -> None:
    done = subprocess.run(COMMAND, input=data, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, b"")
    assert problem in done.stderr
    assert b"Traceback" not in done.stderr


def test_bodies_that_are_no_json_are_answered() -> None:
    with Process() as client:
        for body, code in ((b"{", -32700), (b"[]", -32600), (b"\xff", -32700)):
            client.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            assert client.receive()["error"]["code"] == code
        client.start()
        assert client.end() == (0, b"")


@pytest.mark.skipif(os.name != "posix", reason="processes of Windows are not asked")
def test_it_ends_after_the_process_of_its_client() -> None:
    """The input stays open, as when another program has a copy of it."""
    sleep = [sys.executable, "-c", "input()"]
    with Process() as client, subprocess.Popen(sleep, stdin=subprocess.PIPE) as editor:
        client.ask("initialize", {"processId": editor.pid, "capabilities": {}, "rootUri": None})
        client.tell("initialized")
        editor.communicate(b"\n")
        assert client.process.wait(timeout=60) == 1


@pytest.mark.skipif(os.name != "posix", reason="processes of Windows are not asked")
def test_a_process_that_never_was_is_not_missed() -> None:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    for number in (done.pid, 1 << 80, -1, True, "x"):
        client = Direct()
        client.server.answer({"id": 1, "method": "initialize", "params": {"processId": number}})
        assert not client.server.is_abandoned


def test_wrong_usage_is_refused() -> None:
    done = subprocess.run([*COMMAND, "x"], stdin=subprocess.DEVNULL, capture_output=True)
    assert done.returncode == 2
    assert b"unrecognized arguments: x" in done.stderr


def test_what_is_printed_is_no_message(tmp_path: Path) -> None:
    """Run the server with a module that prints when it is imported."""
    code = (
        "import sys, os\n"
        "from puppet_repl.frontends.language_server import loop, server\n"
        "answer = server.Server.answer\n"
        "def loud(self, message):\n"
        "    print('a word')\n"
        "    os.write(1, b'bytes')\n"
        "    return answer(self, message)\n"
        "server.Server.answer = loud\n"
        "loop.serve()\n"
    )
    body = json.dumps({"id": 1, "method": "shutdown"}).encode()
    data = b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    done = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True)
    assert done.stdout.startswith(b"Content-Length: ")
    assert done.stdout.endswith(b"}}")
    assert b"a word" in done.stderr
    assert b"bytes" in done.stderr


# Hooks of Python report what a process opens and starts: the events that matter here.
AUDIT = """
import sys
def hook(event, args):
    if event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork",
                 "socket.connect", "ctypes.dlopen"):
        log.write(f"{event} {args!r}\\n".encode()); log.flush()
    elif event in ("open", "os.listdir", "os.scandir") and isinstance(args[0], str):
        log.write(f"{event} {args[0]}\\n".encode()); log.flush()
log = open(sys.argv.pop(1), "wb")
sys.addaudithook(hook)
from puppet_repl.frontends.language_server.command import main
main([])
"""


def test_a_hostile_directory_starts_nothing_and_leads_nowhere(tmp_path: Path) -> None:
    """Open a repository that would like code to run, and other files to be read."""
    secret = tmp_path / "secret"
    (secret / "manifests").mkdir(parents=True)
    (secret / "manifests" / "init.pp").write_text("class secret ($token = 'abc') { }\n")
    (secret / "metadata.json").write_text('{"name": "me-secret"}')
    root = tmp_path / "repository"
    texts = {
        "environment.conf": f"modulepath = modules:{tmp_path}\nconfig_version = /bin/touch x\n",
        "modules/m/manifests/init.pp": "class m { include secret\n  $x = generate('/bin/sh') }\n",
        "modules/m/lib/puppet/functions/m/f.rb": "system('touch /tmp/x')\n",
        "modules/m/lib/facter/f.rb": "`touch /tmp/x`\n",
        "modules/m/templates/t.erb": "<% system('touch') %>\n",
        "modules/m/metadata.json": '{"name": "me-m"}',
        "modules/m/.fixtures.yml": "fixtures:\n  symlinks:\n    s: '#{source_dir}/../../..'\n",
        "hiera.yaml": f"version: 5\nhierarchy:\n  - name: x\n    path: {secret}/metadata.json\n",
        "Puppetfile": "system('touch /tmp/x')\n",
        ".git/config": "[core]\n\tfsmonitor = touch x\n",
    }
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "modules" / "secret").symlink_to(secret)
    (root / "modules" / "m" / "manifests" / "s.pp").symlink_to(secret / "manifests" / "init.pp")
    log = tmp_path / "log"
    before = sorted(root.rglob("*"))
    with Process(command=[sys.executable, "-c", AUDIT, str(log)]) as client:
        client.start(root)
        for name, text in texts.items():
            uri = (root / name).as_uri()
            document = client.open(uri, text, "puppet" if name.endswith("pp") else "yaml")
            client.diagnostics(uri)
            client.at("hover", document, 0, 12)
            client.at("completion", document, 0, len(text.split("\n")[0]))
            client.ask("textDocument/documentSymbol", document)
        uri = (root / "modules/m/manifests/new.pp").as_uri()
        document = client.open(uri, "class m::new { class { 'secret': t }\n  include sec\n}\n")
        labels = [each["label"] for each in client.at("completion", document, 0, 32)["items"]]
        assert "token" not in labels
        labels = [each["label"] for each in client.at("completion", document, 1, 13)["items"]]
        assert "secret" not in labels
        assert client.end() == (0, b"")
    events = log.read_text().splitlines()
    assert [
        each for each in events if each.split()[0] not in ("open", "os.listdir", "os.scandir")
    ] == []
    read = [each.split(" ", 1)[1] for each in events]
    assert [each for each in read if each.startswith((str(secret), str(root / ".git")))] == []
    assert [each for each in read if each.startswith(str(root / "modules" / "secret"))] == []
    assert any(each.startswith(str(root / "modules" / "m")) for each in read)
    assert sorted(root.rglob("*")) == before
