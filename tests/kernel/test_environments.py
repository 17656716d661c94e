"""Kernels of an environment: options in the kernelspec, and the offer of a notebook's directory."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from puppet_kernel.session_arguments import host_of_arguments, split_arguments
from puppet_repl.base.reach import REASON
from puppet_repl.frontends.cli import main
from tests.conformance.judge import write_files
from tests.kernel.messages import Message, run

FILES = {
    "environment.conf": "modulepath = site-modules\n",
    "hiera.yaml": "version: 5\nhierarchy:\n  - {name: common, path: common.yaml}\n",
    "data/common.yaml": "role::port: 8080\n",
    "manifests/site.pp": "notice('site runs')\n",
    "site-modules/role/manifests/init.pp": 'class role(Integer $port) { notice("port ${port}") }\n',
    "site-modules/role/functions/shout.pp": "function role::shout($x) { upcase($x) }\n",
}
OFFER = "this directory has the module role: ':environment .' takes it"
Start = Callable[..., BlockingKernelClient]


@pytest.fixture
def control(tmp_path: Path) -> Path:
    root = tmp_path / "production"
    write_files(root, FILES)
    return root


@pytest.fixture
def start() -> Iterator[Start]:
    """Start kernels from the kernelspec of a name, in a directory."""
    stops = []

    def begin(directory: Path, name: str = "puppet", **environment: str) -> BlockingKernelClient:
        manager = KernelManager(kernel_name=name)
        manager.start_kernel(cwd=str(directory), env={**os.environ, **environment})
        client = manager.blocking_client()
        client.start_channels()
        client.wait_for_ready(timeout=60)
        stops.append(client.stop_channels)
        stops.append(lambda: manager.shutdown_kernel(now=True))
        return client

    yield begin
    for stop in stops:
        stop()


def text_of(published: list[Message], stream: str = "stdout") -> str:
    contents = [message["content"] for message in published if message["msg_type"] == "stream"]
    return "".join(each["text"] for each in contents if each["name"] == stream)


def test_the_environment_of_the_notebook_is_there_and_nothing_of_it_runs(
    start: Start, control: Path
) -> None:
    notebooks = control / "notebooks"
    notebooks.mkdir()
    client = start(notebooks)
    assert text_of(run(client, "'first'")[1]) == ""
    assert text_of(run(client, "include role")[1]) == "Notice: port 8080\n"
    ran = text_of(run(client, ":node web01")[1])
    assert "site runs" in ran
    reply = client.kernel_info(reply=True, timeout=60)
    assert reply["content"]["banner"].endswith("\nenvironment production")


def test_a_directory_is_offered_where_it_helps_and_nothing_of_it_runs(
    start: Start, control: Path
) -> None:
    client = start(control)
    run(client, ":environment off")
    first = run(client, "'first'", allow_stdin=True)[1]
    assert text_of(first) == ""
    assert first[-1]["content"]["data"]["text/plain"] == "'first'"
    for code in ("include role", "role::shout('x')"):
        reply, published = run(client, code, allow_stdin=True)
        assert reply["status"] == "error"
        assert OFFER in reply["traceback"][-1]
        assert text_of(published) == ""
    taken = run(client, ":environment .", allow_stdin=True)[1]
    assert "site runs" in text_of(taken)
    assert "production: 1 module, hiera.yaml with 1 level, 1 manifest" in text_of(taken)
    assert "port 8080" in text_of(run(client, "include role")[1])
    assert OFFER not in "".join(run(client, "include roles")[0]["traceback"])


def test_a_site_that_fails_is_told_below_what_was_taken(start: Start, control: Path) -> None:
    (control / "manifests" / "site.pp").write_text("nix()\n")
    reply, published = run(start(control), ":environment .")
    assert "production: 1 module" in text_of(published)
    assert "Unknown function: 'nix'" in reply["evalue"]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Install a kernelspec with options; return what is behind the connection file in its argv."""
    prefix = tmp_path / "prefix"
    monkeypatch.setenv("JUPYTER_PATH", str(prefix / "share" / "jupyter"))

    def install(*options: str, name: str = "named", status: int = 0) -> list[str]:
        call = ["kernel", "install", "--prefix", str(prefix), "--name", name, "--", *options]
        assert main(call) == status
        if status:
            return []
        spec = prefix / "share" / "jupyter" / "kernels" / name / "kernel.json"
        argv: list[str] = json.loads(spec.read_text())["argv"]
        assert argv[:6] == [sys.executable, "-P", "-m", "puppet_kernel", "-f", "{connection_file}"]
        return argv[6:]

    return install


def test_options_are_written_with_absolute_paths(
    installed: Callable[..., list[str]], control: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(control)
    (control / "facts.json").write_text("{}")
    assert installed(
        *("--environment=.", "--node", "web01", "--facts", "rocky-9", "--facts", "facts.json"),
        *("--modulepath", "site-modules:/", "--hiera-config", "hiera.yaml", "--fact", "a=b"),
        *("--stubs", "manifests/site.pp", "--trusted", "pp_role=web", "--max-memory", "512M"),
        *("--allow-generate", "--ruby", "off", "--strict", "warning", "--no-strict-variables"),
    ) == [
        *("--node", "web01", "--facts", "rocky-9", "--facts", f"{control}/facts.json"),
        *("--fact", "a=b", "--environment", str(control)),
        *("--modulepath", f"{control}/site-modules:/", "--trusted", "pp_role=web"),
        *("--hiera-config", f"{control}/hiera.yaml", "--stubs", f"{control}/manifests/site.pp"),
        *("--strict", "warning", "--no-strict-variables", "--ruby", "off"),
        *("--max-memory", str(512 << 20), "--allow-generate"),
    ]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--environment", "nix"), "--environment: nix is not a directory"),
        (("--facts", "nix.json"), "nix.json: No such file"),
        (("--nix",), "unrecognized arguments: --nix"),
        (("--strict", "very"), "invalid choice: 'very'"),
        (("-f", "x"), "unrecognized arguments: -f"),
    ],
)
def test_wrong_options_are_refused_at_installation(
    installed: Callable[..., list[str]],
    options: tuple[str, ...],
    complaint: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    installed(*options, status=2)
    assert complaint in capsys.readouterr().err


def test_a_kernel_of_an_environment_and_a_node(
    installed: Callable[..., list[str]], start: Start, control: Path, tmp_path: Path
) -> None:
    installed("--environment", str(control), "--node", "web01.example.com", "--facts", "rocky-9")
    client = start(tmp_path, "named")
    reply, published = run(client, "include role [$environment, $trusted['certname']]")
    assert reply["status"] == "ok"
    assert "site runs" in text_of(published)
    assert "port 8080" in text_of(published)
    shown = published[-1]["content"]["data"]["text/plain"]
    assert "'production'" in shown and "'web01.example.com'" in shown
    assert "port 8080" not in text_of(run(client, "1", allow_stdin=True)[1])


def test_a_hermetic_kernel(
    installed: Callable[..., list[str]], start: Start, control: Path, tmp_path: Path
) -> None:
    options = ("--hermetic", "--environment", str(control))
    assert sorted(installed(*options)) == sorted(options)
    client = start(tmp_path, "named")
    for cell in (
        "file('/etc/hostname')",
        f"%%file {tmp_path}/new.pp\nclass a {{ }}",
        "%%facts /etc/facts.yaml",
        ":load /etc/hostname",
    ):
        reply, _ = run(client, cell)
        assert reply["status"] == "error"
        assert REASON in reply["evalue"]
    assert not (tmp_path / "new.pp").exists()
    reply, _ = run(client, f"%%file {control}/modules/m/files/new\nhello\n")
    assert reply["status"] == "ok"


def test_a_kernel_whose_options_are_wrong_stays_hermetic(tmp_path: Path) -> None:
    wrong = ["--environment", str(tmp_path / "gone")]
    host, problems = host_of_arguments(["--hermetic", *wrong])
    assert host.session.options.hermetic
    assert host.session.reach is not None
    assert problems[0].endswith("the kernel has started without its options")
    host, _ = host_of_arguments(wrong)
    assert not host.session.options.hermetic


def test_exported_resources_outlive_a_kernel(
    installed: Callable[..., list[str]],
    start: Start,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    installed("--puppetdb", "exports.json", "--node", "a")
    client = start(tmp_path, "named")
    run(client, "@@notify { 'of a': }")
    run(client, ":node b")
    assert "of a" in str(run(client, "Notify <<| |>>\nNotify['of a']")[1][-1]["content"])
    assert json.loads((tmp_path / "exports.json").read_text())[0]["certname"] == "a"
    again = start(tmp_path, "named")
    assert "Notify['of a']" in str(run(again, ":resources --exported")[1])


def test_a_kernel_whose_environment_is_gone_starts_and_tells_so(
    installed: Callable[..., list[str]], start: Start, control: Path, tmp_path: Path
) -> None:
    installed("--environment", str(control))
    control.rename(tmp_path / "elsewhere")
    reply, published = run(start(tmp_path, "named"), "1 + 1")
    assert reply["status"] == "ok"
    told = text_of(published, "stderr")
    assert f"--environment: {control} is not a directory" in told
    assert "without its options" in told


def test_options_of_jupyter_are_left_to_it() -> None:
    arguments = ["-f", "web01", "--node", "web01", "--debug", "--strict=off", "--Session.key=x"]
    assert split_arguments(arguments) == (
        ["--node", "web01", "--strict=off"],
        ["-f", "web01", "--debug", "--Session.key=x"],
    )
    assert split_arguments(["--node"]) == (["--node"], [])


def test_a_changed_function_is_loaded_again_with_a_line(control: Path, start: Start) -> None:
    client = start(control)
    run(client, ":environment .\n$mine = role::shout('a')")
    shout = control / "site-modules/role/functions/shout.pp"
    shout.write_text("function role::shout($x) { capitalize($x) }\n")
    reply, published = run(client, "[role::shout('word'), $mine]")
    assert reply["status"] == "ok"
    assert (
        text_of(published)
        == "module role: functions/shout.pp has changed, loaded again at its next use\n"
    )
    values = [each["content"]["data"] for each in published if each["msg_type"] == "execute_result"]
    assert [each["text/plain"] for each in values] == ["['Word', 'A']"]


def test_a_class_is_evaluated_again_after_a_change_of_a_function(
    control: Path, start: Start
) -> None:
    client = start(control)
    loud = control / "site-modules/role/manifests/loud.pp"
    loud.write_text("class role::loud { notify { 'loud': message => role::shout('a') } }\n")
    run(client, ":environment .\ninclude role::loud")
    shout = control / "site-modules/role/functions/shout.pp"
    shout.write_text('function role::shout($x) { "new ${x}" }\n')
    _, published = run(client, "include role::loud\nNotify['loud']['message']")
    assert "class role::loud has used it: include it again, or :reset" in text_of(published)
    values = [each["content"]["data"] for each in published if each["msg_type"] == "execute_result"]
    assert [each["text/plain"] for each in values] == ["'new a'"]
