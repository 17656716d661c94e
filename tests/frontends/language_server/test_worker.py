"""The process that evaluates: what commands answer, and that it can be killed at any time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from time import monotonic, sleep
from typing import Any

import pytest

from puppet_repl.base.reach import Reach
from puppet_repl.frontends.language_server.jobs import Job, Jobs
from puppet_repl.frontends.language_server.shadow import shadow_of
from puppet_repl.frontends.language_server.worker_requests import RESTRICTED
from tests.conformance.judge import write_files
from tests.environment.ruby.engine import needs_sandbox
from tests.frontends.language_server.client import CAPABILITIES, Message, Process

WEB = """\
class web (Integer $port = 80, Array[String] $names) {
  $all = $names + ["port ${port}"]
  file { '/etc/web.conf': content => $all.join(',') }
}
"""
SITE = """\
node 'a.example.com' { include web }
node /^b/ { notify { 'b': } }
define here(String $text = 'x') { notify { "here ${title} ${text}": } }
"""
CONTROL = {
    "environment.conf": "modulepath = modules\n",
    "hiera.yaml": "version: 5\nhierarchy: [{name: node, path: 'nodes/%{trusted.certname}.yaml'},"
    " {name: common, path: common.yaml}]\n",
    "data/common.yaml": "web::names: [a, b]\n",
    "data/nodes/a.example.com.yaml": "web::port: 8080\n",
    "manifests/site.pp": SITE,
    "modules/web/manifests/init.pp": WEB,
    "modules/web/templates/a.epp": "<% $x = 2 %>two: <%= $x %>\n",
}
ENDLESS = """\
function loop::on(Integer $n) >> Any { Integer[1, 9223372036854775807].each |$i| { $i } }
loop::on(1)
"""
CANCELLED, FAILED = -32800, -32803
HAS_PROC = Path("/proc/self/task").exists()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a control repository of git, with a commit."""
    directory = tmp_path / "control"
    write_files(directory, CONTROL)
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "first")):
        name = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        subprocess.run(["git", *name, *words], cwd=directory, check=True)
    return directory


@pytest.fixture
def client(root: Path) -> Iterator[Process]:
    with Process() as made:
        made.start(root, initializationOptions={"maxSeconds": 30})
        yield made


def opened(client: Process, path: Path, text: str | None = None) -> Message:
    """Open a file, perhaps with another text; return what requests name it by."""
    return client.open(path.as_uri(), path.read_text() if text is None else text)


def asked(client: Process, command: str, document: Message, **more: Any) -> Message:
    """Return the response to a command."""
    return client.request("workspace/executeCommand", parameters(command, document, **more))


def parameters(command: str, document: Message, **more: Any) -> Message:
    return {"command": f"puppet-repl.{command}", "arguments": [{**document, **more}]}


def text_of(client: Process, command: str, document: Message, **more: Any) -> str:
    """Return the text of the result of a command."""
    answered = asked(client, command, document, **more)
    assert "error" not in answered, answered
    text: str = answered["result"]["text"]
    return text


def begin(client: Process, command: str, document: Message, **more: Any) -> int:
    """Send a command without waiting for its response; return its number."""
    client.number += 1
    client.methods[client.number] = "workspace/executeCommand"
    given = parameters(command, document, **more)
    client.send({"id": client.number, "method": "workspace/executeCommand", "params": given})
    return client.number


def response(client: Process, number: int) -> Message:
    """Return the response to a request that was sent before."""
    while True:
        for message in client.heard:
            if message.get("id") == number and "method" not in message:
                return message
        client.heard.append(client.receive())


def at(line: int, character: int) -> Message:
    return {"position": {"line": line, "character": character}}


def span(line: int, character: int, end_line: int, end: int) -> Message:
    start = {"line": line, "character": character}
    return {"range": {"start": start, "end": {"line": end_line, "character": end}}}


def children(number: int) -> list[int]:
    """Return the numbers of the processes that a process has started."""
    text = Path(f"/proc/{number}/task/{number}/children").read_text()
    return [int(word) for word in text.split()]


def gone(number: int) -> bool:
    """Wait until a process has ended; tell whether it has."""
    end = monotonic() + 60
    while monotonic() < end:
        try:
            if Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        sleep(0.05)
    return False


# What commands answer


def test_code_that_needs_another_class_comes_after_the_node(client: Process, root: Path) -> None:
    inner = 'class web::inner {\n  $all = "on ${web::port}"\n  notify { $all: }\n}\n'
    used = 'define web::used(Integer $port = $web::port) { notify { "used ${port}": } }\n'
    files = {"inner": inner, "used": used}
    write_files(root, {f"modules/web/manifests/{name}.pp": files[name] for name in files})
    node = {"node": "a.example.com"}
    document = opened(client, root / "modules/web/manifests/inner.pp")
    place = at(0, 8)
    assert "Notify['on 8080']" in text_of(client, "catalog", document, **place, **node)
    shown = text_of(client, "catalog", document, **place)
    assert "Unknown variable" in shown
    assert "hint: choose a node whose catalog has class web\n" in shown
    assert "on 8080" in text_of(client, "evaluate", document, **span(1, 9, 1, 26), **node)
    assert "on 8080" in text_of(client, "evaluate", document, **span(2, 11, 2, 15), **node)
    document = opened(client, root / "modules/web/manifests/used.pp")
    assert "Notify['used 8080']" in text_of(client, "catalog", document, **place, **node)


RUBY = """\
Puppet::Functions.create_function(:'web::read') do
  dispatch(:read) { param 'String', :path }
  def read(path)
    File.read(path)
  end
end
"""


@needs_sandbox
def test_ruby_reads_modules_while_a_document_is_not_saved(client: Process, root: Path) -> None:
    (root / "outside").write_text("hidden")
    function = root / "modules/web/lib/puppet/functions/web/read.rb"
    write_files(root, {str(function.relative_to(root)): RUBY, "modules/web/files/a": "from a"})
    (root / "modules/web/files/link").symlink_to(root / "outside")
    opened(client, root / "modules/web/manifests/init.pp", f"{WEB}# not saved\n")
    # Of a link in a module, the file that it leads to counts.
    reading = {"modules/web/files/a": "from a"}
    reading |= dict.fromkeys(("outside", "modules/web/files/link"), "Permission denied")
    for number, (name, shown) in enumerate(reading.items()):
        path = root / f"manifests/read{number}.pp"
        document = opened(client, path, f"web::read('{root}/{name}')\n")
        assert shown in text_of(client, "evaluate", document)


def test_the_catalog_of_a_class(client: Process, root: Path) -> None:
    document = opened(client, root / "modules/web/manifests/init.pp")
    text = text_of(client, "catalog", document, **at(1, 3), node="a.example.com")
    assert text.startswith("# Catalog: class web on a.example.com\n")
    assert "File['/etc/web.conf']    {'content' => 'a,b,port 8080'}" in text
    assert "2 resources: 1 Class, 1 File" in text


def test_missing_values_of_parameters_are_explained(client: Process, root: Path) -> None:
    files = {
        "needs": "define web::needs($a, $b) { }\n",
        "wants": "class web::wants($a) { }\n",
        "other": "define web::other($x = 1) {\n  web::needs { 'x': a => 1 }\n}\n",
    }
    write_files(root, {f"modules/web/manifests/{name}.pp": files[name] for name in files})
    document = opened(client, root / "modules/web/manifests/needs.pp")
    text = text_of(client, "catalog", document, **at(0, 8))
    told = "hint: web::needs is compiled as web::needs { 'example': }, and needs values for a, b: "
    assert f"{told}ask for the catalog of a class or node that declares it\n" in text
    document = opened(client, root / "modules/web/manifests/wants.pp")
    text = text_of(client, "catalog", document, **at(0, 8))
    told = "hint: the data have no value of web::wants::a for"
    assert f"{told} no node: choose one\n" in text
    text = text_of(client, "catalog", document, **at(0, 8), node="a.example.com")
    assert f"{told} this node\n" in text
    document = opened(client, root / "modules/web/manifests/other.pp")
    text = text_of(client, "catalog", document, **at(0, 8))
    assert "expects a value for parameter" in text
    assert "hint:" not in text


def test_the_catalog_of_a_node_block(client: Process, root: Path) -> None:
    document = opened(client, root / "manifests/site.pp")
    assert "port 8080" in text_of(client, "catalog", document, **at(0, 8))
    answered = asked(client, "catalog", document, **at(1, 8))
    assert answered["error"]["message"].startswith("the block is for several nodes")
    assert "Notify['b']" in text_of(client, "catalog", document, **at(1, 8), node="b.c")
    default = "node default { notify { 'd': } }\n"
    document = client.open((root / "manifests/site.pp").as_uri(), SITE + default)
    assert "Notify['d']" in text_of(client, "catalog", document, **at(3, 8))
    assert "here example x" in text_of(client, "catalog", document, **at(2, 8), node="b.c")


def test_texts_that_are_not_saved_count(client: Process, root: Path) -> None:
    opened(client, root / "data/common.yaml", "web::names: [new]\n")
    path = root / "modules/web/manifests/init.pp"
    document = opened(client, path, WEB.replace("/etc/web.conf", "/etc/new.conf"))
    text = text_of(client, "catalog", document)
    assert "File['/etc/new.conf']    {'content' => 'new,port 80'}" in text
    error = WEB.replace("join(',')", "joi(',')")
    client.tell(
        "textDocument/didChange",
        {
            "textDocument": {**document["textDocument"], "version": 2},
            "contentChanges": [{"text": error}],
        },
    )
    text = text_of(client, "catalog", document)
    assert "Unknown function: 'joi'" in text
    assert f"(file: {path}, line: 3, column: 46)" in text


def test_the_graph(client: Process, root: Path) -> None:
    document = opened(client, root / "modules/web/manifests/init.pp")
    assert "```mermaid\nflowchart TD" in text_of(client, "graph", document)
    for format_, start in (("dot", "digraph"), ("svg", "<svg"), ("text", "Class['web']")):
        graph = asked(client, "graph", document, format=format_)["result"]["graph"]
        assert graph.startswith(start)
    answered = asked(client, "graph", document, format="pdf")
    assert answered["error"] == {
        "code": FAILED,
        "message": "there is no format 'pdf': text, mermaid, dot, svg",
    }


def test_the_difference_from_the_last_commit(client: Process, root: Path) -> None:
    path = root / "modules/web/manifests/init.pp"
    document = opened(client, path, WEB.replace("web.conf", "new.conf"))
    text = text_of(client, "difference", document)
    assert "- File['/etc/web.conf']" in text
    assert "+ File['/etc/new.conf']" in text
    assert "resources: 1 added, 1 removed" in text
    same = opened(client, root / "manifests/site.pp")
    assert asked(client, "difference", same, **at(2, 8), node="b.c")["result"]["same"]


def test_a_class_that_the_last_commit_lacks(client: Process, root: Path) -> None:
    path = root / "modules/web/manifests/more.pp"
    document = client.open(path.as_uri(), "class web::more { }\n")
    text = text_of(client, "difference", document)
    assert "no catalog for HEAD:" in text
    assert "Could not find class ::web::more" in text


def test_the_value_of_a_parameter(client: Process, root: Path) -> None:
    document = opened(client, root / "modules/web/manifests/init.pp")
    text = text_of(client, "explain", document, **at(0, 20), node="a.example.com")
    assert "a.example.com.yaml:1  8080\n" in text
    text = text_of(client, "explain", document, **at(1, 28), node="c.example.com")
    path = root / "modules/web/manifests/init.pp"
    assert f"The default counts: 80 ({path}:1)" in text
    data = opened(client, root / "data/common.yaml")
    assert "common.yaml:1" in text_of(client, "explain", data, **at(0, 14))
    assert asked(client, "explain", document, **at(2, 4))["error"]["message"] == (
        "there is no parameter and no key at the cursor"
    )


@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("![x](https://e.example/p.png)", r"!\[x\](https://e.example/p.png)"),
        ("two\n\n# lines <img src=x>", r"two \# lines \<img src=x\>"),
        ("it's", "it's"),
        ('a"${1}', r'a"\${1}'),
        ("back\\slash", r"back\\slash"),
        ("a_b *c* `d` _e_", r"a_b \*c\* \`d\` \_e\_"),
    ],
)
def test_keys_of_any_characters(client: Process, root: Path, key: str, title: str) -> None:
    path = root / "data" / "common.yaml"
    path.write_text(json.dumps({key: "the value", "other": 1}))
    answered = asked(client, "explain", opened(client, path), key=key)["result"]
    first, _, rest = answered["text"].partition("\n")
    assert first.startswith(f"# {title} on ")
    assert "the value" in rest
    assert "\n" not in answered["title"]


def test_a_key_that_no_lookup_can_have(client: Process, root: Path) -> None:
    document = opened(client, root / "data" / "common.yaml")
    answered = asked(client, "explain", document, key="web::names'\"")
    assert answered["error"] == {
        "code": FAILED,
        "message": "no lookup can ask for the key web::names'\": the key has quotes of both kinds",
    }


def test_paths_are_code_in_lists_of_uses(client: Process, root: Path) -> None:
    for name in ("[x](y)", "a`b", "<img src=x>"):
        (root / "manifests" / f"{name}.pp").write_text("include web\n")
    document = opened(client, root / "modules/web/manifests/init.pp")
    text = text_of(client, "references", document, **at(0, 7))
    manifests = root / "manifests"
    for line in (f"`{manifests}/[x](y).pp:1`", f"``{manifests}/a`b.pp:1``"):
        assert f"\n- {line}\n" in text
    assert f"\n- `{manifests}/<img src=x>.pp:1`\n" in text


def test_a_selection(client: Process, root: Path) -> None:
    document = opened(
        client, root / "manifests/site.pp", SITE + "\n\n$x = 20\nnotice($x)\n$x + 1\n"
    )
    text = text_of(client, "evaluate", document, **span(5, 0, 7, 6))
    assert "Notice: 20\n21  Integer\n" in text
    text = text_of(client, "evaluate", document, **span(7, 0, 7, 6))
    assert "Unknown variable: 'x'." in text
    assert f"(file: {root / 'manifests/site.pp'}, line: 8, column: 1)" in text


def test_a_selection_in_a_class_has_its_variables(client: Process, root: Path) -> None:
    document = opened(client, root / "modules/web/manifests/init.pp")
    result = asked(client, "evaluate", document, **span(1, 9, 1, 34), node="a.example.com")[
        "result"
    ]
    assert result["value"].splitlines()[0] == "['a', 'b', 'port 8080']  Array[String]"
    failing = opened(client, root / "data/common.yaml", "web::names: 1\n")
    assert failing
    text = text_of(client, "evaluate", document, **span(1, 9, 1, 34))
    assert "# The variables of class web are not known: Evaluation Error" in text


def test_a_text_without_a_file(client: Process) -> None:
    text = "function f(Integer $n) { $n * 2 }\nclass c { notify { String(f(4)): } }\nf(21)\n"
    document = client.open("untitled:1", text)
    assert "42  Integer" in text_of(client, "evaluate", document, **span(2, 0, 2, 5))
    assert "Notify['8']" in text_of(client, "catalog", document, **at(1, 8))


def test_a_template(client: Process, root: Path) -> None:
    document = client.open(
        (root / "modules/web/templates/a.epp").as_uri(), "<% $x = 3 %>x: <%= $x %>\n", "epuppet"
    )
    assert "x: 3" in text_of(client, "evaluate", document)


def test_two_roots(client: Process, root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    write_files(
        other, {"metadata.json": '{"name": "a-web"}', "manifests/init.pp": "class web { }\n"}
    )
    folder = {"uri": other.as_uri(), "name": "other"}
    client.tell(
        "workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}}
    )
    first = opened(client, root / "modules/web/manifests/init.pp")
    second = opened(client, other / "manifests/init.pp", "class web { notify { 'other': } }\n")
    assert "Notify['other']" in text_of(client, "catalog", second)
    assert "/etc/web.conf" in text_of(client, "catalog", first)
    secret = other / "secret"
    secret.write_text("words")
    document = client.open("untitled:a", f"file('{secret}')\n")
    assert "the session is hermetic" in text_of(client, "evaluate", document)
    assert "/etc/web.conf" not in text_of(
        client, "evaluate", client.open("untitled:b", "class web { }\n")
    )


def test_texts_and_names_that_are_not_utf_8(client: Process, root: Path) -> None:
    (root / "modules/web/manifests/old.pp").write_bytes(
        b"class web::old { notify { 'gr\xfc\xdfe': } }\n"
    )
    path = root / "modules/web/manifests/init.pp"
    document = opened(client, path, "class web { include web::old }\n")
    assert "Invalid UTF-8: the byte FC" in text_of(client, "catalog", document)
    odd = client.open(f"{root.as_uri()}/manifests/%FC.pp", "notify { '\ud800': }\n")
    assert asked(client, "evaluate", odd)["result"]["text"]
    assert "notify" in text_of(client, "evaluate", client.open("untitled:1", "notify { 'ü🎉': }\n"))


# A process that can be killed


def test_the_server_answers_while_the_worker_runs(client: Process) -> None:
    document = client.open("untitled:1", ENDLESS)
    number = begin(client, "evaluate", document)
    for _ in range(3):
        items = client.at("completion", document, 1, 5)["items"]
        assert items
    assert not any(each.get("id") == number for each in client.heard)
    client.tell("$/cancelRequest", {"id": number})
    assert response(client, number)["error"] == {"code": CANCELLED, "message": "cancelled"}
    assert "2  Integer" in text_of(client, "evaluate", client.open("untitled:2", "1 + 1\n"))


def test_a_job_that_waits_is_cancelled(client: Process) -> None:
    endless = client.open("untitled:1", ENDLESS)
    document = client.open("untitled:2", "1 + 1\n")
    first, second, third = [
        begin(client, "evaluate", each) for each in (endless, document, document)
    ]
    client.tell("$/cancelRequest", {"id": second})
    assert response(client, second)["error"]["code"] == CANCELLED
    client.tell("$/cancelRequest", {"id": first})
    assert response(client, first)["error"]["code"] == CANCELLED
    assert "2  Integer" in response(client, third)["result"]["text"]


@pytest.mark.skipif(not HAS_PROC, reason="the processes of another one are not known here")
def test_a_worker_that_is_killed(client: Process) -> None:
    document = client.open("untitled:1", ENDLESS)
    assert children(client.process.pid) == []
    number = begin(client, "evaluate", document)
    assert client.at("completion", document, 1, 5)["items"]
    (worker,) = children(client.process.pid)
    os.kill(worker, signal.SIGKILL)
    assert response(client, number)["error"] == {
        "code": FAILED,
        "message": "the process that evaluates was ended by signal 9",
    }
    assert "2  Integer" in text_of(client, "evaluate", client.open("untitled:2", "1 + 1\n"))
    (second,) = children(client.process.pid)
    assert second != worker
    assert client.end() == (0, b"")
    assert gone(second)


@pytest.mark.skipif(not HAS_PROC, reason="the processes of another one are not known here")
def test_the_files_of_a_job_are_removed(client: Process, root: Path) -> None:
    document = opened(client, root / "modules/web/manifests/init.pp", WEB + "# not saved\n")
    assert text_of(client, "catalog", document)
    (worker,) = children(client.process.pid)
    scratch = Path(os.readlink(f"/proc/{worker}/cwd"))
    assert text_of(client, "difference", document)
    assert asked(client, "graph", document, format="pdf")["error"]
    assert list(scratch.iterdir()) == []
    endless = client.open("untitled:1", ENDLESS)
    number = begin(client, "evaluate", endless)
    assert client.at("completion", endless, 1, 5)["items"]
    assert [each.name[:4] for each in scratch.iterdir()] == ["job-"]
    client.tell("$/cancelRequest", {"id": number})
    assert response(client, number)["error"]["code"] == CANCELLED
    assert list(scratch.iterdir()) == []


@pytest.mark.skipif(not HAS_PROC, reason="the processes of another one are not known here")
def test_a_worker_ends_with_a_server_that_is_killed(client: Process) -> None:
    document = client.open("untitled:1", ENDLESS)
    begin(client, "evaluate", document)
    assert client.at("completion", document, 1, 5)["items"]
    (worker,) = children(client.process.pid)
    scratch = Path(os.readlink(f"/proc/{worker}/cwd"))
    assert scratch.is_dir()
    client.process.kill()
    assert gone(worker)
    assert not scratch.exists()


def test_a_limit_of_time(root: Path) -> None:
    with Process() as client:
        client.start(root, initializationOptions={"maxSeconds": 1})
        text = text_of(client, "evaluate", client.open("untitled:1", ENDLESS))
        assert "(line: 1, column: " in text
        assert "Time limit exceeded (see maxSeconds)" in text
        assert "2  Integer" in text_of(client, "evaluate", client.open("untitled:2", "1 + 1\n"))


@pytest.mark.skipif(not HAS_PROC, reason="the processes of another one are not known here")
def test_a_process_that_does_not_stop_by_itself(root: Path) -> None:
    before = children(os.getpid())
    inbox: SimpleQueue[Any] = SimpleQueue()
    jobs = Jobs(inbox)
    settings = {"maxSeconds": 3000}
    request = {"command": "evaluate", "settings": settings, "text": ENDLESS, "texts": {}}
    job = Job(request, seconds=-9.0)  # of the ten that a process has to stop
    job.number = 1
    jobs.add(job)
    (process,) = set(children(os.getpid())) - set(before)
    while (left := jobs.seconds_left) is not None:
        sleep(left)
        jobs.check()
    assert jobs.ended == [job]
    assert job.error is not None
    assert str(job.error).endswith("seconds (the setting maxSeconds)")
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    scratch = jobs.scratch
    assert os.listdir(scratch) == []
    jobs.close()
    assert not os.path.exists(scratch)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("function f() { f() }\nf()", "deep"),
        ("$x = Integer[1, 24].reduce('xxxxxxxxxx') |$m, $i| { \"${m}${m}${m}\" }", "memory"),
        ("generate('/bin/echo')", "hermetic"),
        ("file('/etc/passwd')", "hermetic"),
        ("fail('no')", "no"),
        ("class {", "Syntax error"),
    ],
)
def test_code_that_fails(client: Process, code: str, said: str) -> None:
    result = asked(client, "evaluate", client.open("untitled:1", code))["result"]
    assert result["failed"]
    assert said in result["text"]
    assert "2  Integer" in text_of(client, "evaluate", client.open("untitled:2", "1 + 1\n"))


def test_a_huge_output(client: Process) -> None:
    code = "Integer[1, 5000].each |$i| { notice(\"${i} ${'x' * 1}\") }\n"
    code = code.replace("${'x' * 1}", "x" * 900)
    text = text_of(client, "evaluate", client.open("untitled:1", code))
    assert "more characters)" in text
    assert len(text) < 600_000
    text = text_of(client, "evaluate", client.open("untitled:2", code.replace("x" * 900, "x")))
    assert "... (4000 more messages)" in text


# Restricted mode


@pytest.mark.skipif(not HAS_PROC, reason="the processes of another one are not known here")
def test_without_trust_no_process_starts(root: Path) -> None:
    with Process() as client:
        client.start(root, initializationOptions={"trust": False})
        # What comes later may be from a file of the directory.
        given = {"settings": {"puppet-repl": {"trust": True}}}
        client.tell("workspace/didChangeConfiguration", given)
        document = opened(client, root / "modules/web/manifests/init.pp")
        for command in ("catalog", "difference", "evaluate", "graph"):
            answered = asked(client, command, document)
            assert answered["error"] == {"code": FAILED, "message": RESTRICTED}
        assert asked(client, "explain", document, key="a")["error"]["message"] == RESTRICTED
        lenses = client.ask("textDocument/codeLens", document)
        assert [each.get("command") for each in lenses] == [None]
        assert children(client.process.pid) == []


def test_settings_take_the_trust_away(client: Process) -> None:
    document = client.open("untitled:1", "1 + 1\n")
    client.tell("workspace/didChangeConfiguration", {"settings": {"puppet-repl": {"trust": False}}})
    assert asked(client, "evaluate", document)["error"]["message"] == RESTRICTED
    client.tell("workspace/didChangeConfiguration", {"settings": {"puppet-repl": {}}})
    assert "2  Integer" in text_of(client, "evaluate", document)


@pytest.mark.parametrize(
    "arguments",
    [[], [1], [{}], [{"textDocument": {"uri": "untitled:none"}}]],
)
def test_arguments_that_are_wrong(client: Process, arguments: list[Any]) -> None:
    for name in ("catalog", "difference", "evaluate", "explain", "graph", "references"):
        given = {"command": f"puppet-repl.{name}", "arguments": arguments}
        assert client.request("workspace/executeCommand", given)["error"]["code"] == -32602


# Lenses


def test_lenses(client: Process, root: Path) -> None:
    document = opened(client, root / "manifests/site.pp")
    found = client.ask("textDocument/codeLens", document)
    resolved = [client.ask("codeLens/resolve", each)["command"] for each in found]
    assert [
        (each["range"]["start"]["line"], command["title"])
        for each, command in zip(found, resolved, strict=True)
    ] == [
        (0, "compile"),
        (0, "difference from HEAD"),
        (1, "compile"),
        (1, "difference from HEAD"),
        (2, "compile"),
        (2, "0 references"),
        (2, "difference from HEAD"),
    ]
    assert client.ask("workspace/symbol", {"query": "web"})  # all files are indexed now
    module = opened(client, root / "modules/web/manifests/init.pp")
    uses = client.ask("codeLens/resolve", client.ask("textDocument/codeLens", module)[1])["command"]
    assert uses["title"] == "1 reference, 1 node"
    given = {key: uses[key] for key in ("command", "arguments")}
    result = client.ask("workspace/executeCommand", given)
    place = f"- `{root / 'manifests/site.pp'}:1`"
    nodes = "## 1 node\n\n- `a.example.com`: `web`"
    assert result["text"] == f"# 1 reference\n\n{place}\n\n{nodes}\n"
    assert "Notify" not in result["text"]


def test_a_client_shows_results(root: Path) -> None:
    window = {"showDocument": {"support": True}}
    workspace = {"codeLens": {"refreshSupport": True}}
    with Process() as client:
        client.start(root, {**CAPABILITIES, "window": window, "workspace": workspace})
        document = opened(client, root / "modules/web/manifests/init.pp")
        lens = client.ask("textDocument/codeLens", document)[0]
        given = {key: lens["command"][key] for key in ("command", "arguments")}
        text = client.ask("workspace/executeCommand", given)["text"]
        while not (
            wanted := [each for each in client.heard if each.get("method") == "window/showDocument"]
        ):
            client.heard.append(client.receive())
        path = Path(wanted[0]["params"]["uri"].removeprefix("file://"))
        assert path.read_text() == text
        client.heard.clear()
        client.tell("textDocument/didSave", document)
        while not any(each.get("method") == "workspace/codeLens/refresh" for each in client.heard):
            client.heard.append(client.receive())
        assert client.end() == (0, b"")
        assert not path.exists()


def test_a_client_that_shows_no_documents(client: Process, root: Path) -> None:
    document = opened(client, root / "modules/web/manifests/init.pp")
    text = text_of(client, "catalog", document, show=True)
    while not (
        shown := [each for each in client.heard if each.get("method") == "window/showMessage"]
    ):
        client.heard.append(client.receive())
    assert shown[0]["params"] == {"type": 3, "message": text.rstrip("\n")}


# Texts in place of files


def test_a_shadow(tmp_path: Path) -> None:
    real, scratch = tmp_path / "real", tmp_path / "scratch"
    write_files(real, {"a/b.pp": "b", "a/c.pp": "c", "d": "d", ".git/config": "", "../out": "x"})
    (real / "link").symlink_to(tmp_path / "out")
    scratch.mkdir()
    reach = Reach([str(real)])
    texts = {
        str(real / "a/b.pp"): "new",
        str(real / "new/e.pp"): "e",
        str(real / "d"): "d",
        str(tmp_path / "out"): "not this",
        str(real / "link"): "nor this",
        str(real): "no file",
        str(real / "new"): "nor this one",
        str(real / "new/e.pp/deep.pp"): "f",
    }
    assert shadow_of(str(real), {str(real / "d"): "d"}, reach, str(scratch)) == str(real)
    made = Path(shadow_of(str(real), texts, reach, str(scratch)))
    assert made.name == "real"
    assert (made / "a/b.pp").read_text() == "new"
    assert (made / "new/e.pp/deep.pp").read_text() == "f"
    assert [each.name for each in sorted(made.iterdir())] == ["a", "d", "link", "new"]
    assert (made / "a/c.pp").resolve() == real / "a/c.pp"
    assert not Reach([str(real), str(scratch)]).allows(str(made / "link"))
    assert (real / "a/b.pp").read_text() == "b"
