"""Classes are evaluated again at their next include after any file that they have used changed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import CodeType, FrameType

import pytest

from puppet_repl.catalog import used_files
from puppet_repl.session import Options, Session
from tests.conformance.judge import write_files
from tests.environment.ruby.engine import ENGINE, needs_ruby

INIT = """
class web(Web::Port $port = 80) inherits web::params {
  include web::part
  notify { 'kind': message => web::kind() }
  web::site { 'a': }
  notify { 'web':
    message => [web::outer(), epp('web/a.epp'), file('web/f'), $port, lookup('web::key')].join(' '),
  }
}
"""
FILES = {
    "web/hiera.yaml": "version: 5\nhierarchy:\n"
    "  - {name: os, path: os.yaml}\n  - {name: common, path: common.yaml}\n",
    "web/data/common.yaml": "web::key: common\n",
    "web/manifests/init.pp": INIT,
    "web/manifests/params.pp": "class web::params { notify { 'params': message => 'old' } }",
    "web/manifests/part.pp": "class web::part { notify { 'part': message => web::leaf() } }",
    "web/manifests/site.pp": "define web::site { notify { 'site': message => web::of_site() } }",
    "web/manifests/idle.pp": "class web::idle { notice('idle runs') }",
    "web/functions/outer.pp": 'function web::outer() >> Web::Text { "<${web::inner()}>" }',
    "web/functions/inner.pp": "function web::inner() { 'inner' }",
    "web/functions/leaf.pp": "function web::leaf() { 'leaf' }",
    "web/functions/of_site.pp": "function web::of_site() { 'site' }",
    "web/functions/of_template.pp": "function web::of_template() { 'template' }",
    "web/functions/kind.pp": "function web::kind() { 80 =~ Web::Kind }",
    "web/types/port.pp": "type Web::Port = Integer",
    "web/types/text.pp": "type Web::Text = String",
    "web/types/kind.pp": "type Web::Kind = Integer",
    "web/templates/a.epp": "<%= web::of_template() -%>",
    "web/files/f": "file",
}
BEFORE: dict[str, object] = {
    "kind": True,
    "params": "old",
    "part": "leaf",
    "site": "site",
    "web": "<inner> template file 80 common",
}


class Author:
    """A session in which the module web is declared, and whose user edits it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        write_files(directory, FILES)
        self.messages: list[str] = []
        self.session = Session(
            Options(modulepath=(str(directory),)),
            facts={},
            log=lambda level, text: self.messages.append(text),
        )
        self.run("include web, web::idle")
        assert self.messages == ["idle runs"]
        assert self.notifies() == BEFORE

    def run(self, text: str) -> None:
        self.messages.clear()
        outcome = self.session.execute(text)
        assert outcome.error is None

    def notifies(self) -> dict[str, object]:
        members = self.session.catalog.tables.members
        found = {each.title: each.value("message") for each in members if each.type == "Notify"}
        return dict(sorted(found.items()))


@pytest.fixture
def author(tmp_path: Path) -> Author:
    return Author(tmp_path)


CHANGES = {
    "functions/outer.pp": (
        "function web::outer() { 'new' }",
        {"web": "new template file 80 common"},
    ),
    "functions/inner.pp": (
        "function web::inner() { 'new' }",
        {"web": "<new> template file 80 common"},
    ),
    "functions/leaf.pp": ("function web::leaf() { 'new' }", {"part": "new"}),
    "functions/of_site.pp": ("function web::of_site() { 'new' }", {"site": "new"}),
    "functions/of_template.pp": (
        "function web::of_template() { 'new' }",
        {"web": "<inner> new file 80 common"},
    ),
    "templates/a.epp": ("new", {"web": "<inner> new file 80 common"}),
    "files/f": ("new file", {"web": "<inner> template new file 80 common"}),
    "data/common.yaml": ("web::key: new\n", {"web": "<inner> template file 80 new"}),
    "data/os.yaml": ("web::port: 8080\n", {"web": "<inner> template file 8080 common"}),
    "hiera.yaml": (
        "version: 5\nhierarchy: [{name: other, path: other.yaml}]\n",
        {"web": "<inner> template file 80 other"},
    ),
    "types/kind.pp": ("type Web::Kind = String", {"kind": False}),
    "manifests/params.pp": (
        "class web::params { notify { 'params': message => 'new' } }",
        {"params": "new"},
    ),
    "manifests/part.pp": (
        "class web::part { notify { 'part': message => 'new' } }",
        {"part": "new"},
    ),
    "manifests/site.pp": (
        "define web::site { notify { 'site': message => 'new' } }",
        {"site": "new"},
    ),
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("again", ["include web", "require web", "contain web", "class { 'web': }"])
def test_a_change_evaluates_the_class_again(author: Author, name: str, again: str) -> None:
    write_files(author.directory, {"web/data/other.yaml": "web::key: other\n"})
    text, changed = CHANGES[name]
    write_files(author.directory, {f"web/{name}": text})
    before = author.session.catalog.tables.resources["Class", "Web"]
    author.run(again)
    assert author.notifies() == BEFORE | changed
    assert author.session.catalog.tables.resources["Class", "Web"] is not before
    (note,) = author.messages
    assert note.startswith(f"module web: {name} has changed; ")
    assert note.endswith(": include it again, or :reset")
    author.run("include web")
    assert author.messages == []


REFUSING = {
    "types/port.pp": ("type Web::Port = Integer[81]", "parameter 'port' expects a Web::Port"),
    "types/text.pp": ("type Web::Text = Integer", "value returned from web::outer has wrong type"),
}


@pytest.mark.parametrize("name", REFUSING)
def test_a_changed_type_refuses_the_values(author: Author, name: str) -> None:
    text, message = REFUSING[name]
    write_files(author.directory, {f"web/{name}": text})
    error = author.session.execute("include web").error
    assert error is not None
    assert message in error.message
    assert author.notifies() == BEFORE
    write_files(author.directory, {f"web/{name}": FILES[f"web/{name}"]})
    author.run("include web")
    assert author.notifies() == BEFORE


def test_another_file_at_the_end_of_a_link(author: Author) -> None:
    path = author.directory / "web/functions/leaf.pp"
    for name in ("first", "second"):
        write_files(author.directory, {name: f"function web::leaf() {{ '{name}' }}"})
    path.unlink()
    for name in ("first", "second"):
        path.unlink(missing_ok=True)
        path.symlink_to(author.directory / name)
        author.run("include web")
        assert author.notifies() == BEFORE | {"part": name}
    write_files(author.directory, {"second": "function web::leaf() { 'changed' }"})
    author.run("include web")
    assert author.notifies() == BEFORE | {"part": "changed"}


def test_a_file_that_appears(author: Author) -> None:
    path = author.directory / "web/data/common.yaml"
    path.unlink()
    assert author.session.execute("include web").error is not None
    assert author.notifies() == BEFORE
    write_files(author.directory, {"web/data/common.yaml": "web::key: back\n"})
    author.run("include web")
    assert author.notifies() == BEFORE | {"web": "<inner> template file 80 back"}
    assert author.messages


def test_a_class_that_does_not_use_it_is_not_evaluated_again(author: Author) -> None:
    for name, (text, _) in CHANGES.items():
        if name != "hiera.yaml":
            write_files(author.directory, {f"web/{name}": text})
    author.run("include web::idle")
    assert "idle runs" not in author.messages
    assert author.notifies() == BEFORE


def test_the_note_names_the_classes(author: Author) -> None:
    write_files(author.directory, {"web/functions/leaf.pp": "function web::leaf() { 'x' }"})
    write_files(author.directory, {"web/templates/a.epp": "x"})
    author.run("1")
    assert author.messages == [
        "module web: functions/leaf.pp has changed; class web::part has used it: include it again,"
        " or :reset",
        "module web: templates/a.epp has changed; class web has used it: include it again, or"
        " :reset",
    ]


def test_a_change_counts_until_it_has_been_evaluated(author: Author) -> None:
    write_files(
        author.directory, {"web/functions/inner.pp": "function web::inner() { fail('no') }"}
    )
    assert author.session.execute("include web").error is not None
    assert author.notifies() == BEFORE
    write_files(author.directory, {"web/functions/inner.pp": "function web::inner() { 'yes' }"})
    author.run("1 + 1")
    with author.session.temporarily():
        author.run("include web")
        assert author.notifies() == BEFORE | {"web": "<yes> template file 80 common"}
    assert author.notifies() == BEFORE
    author.run("include web")
    assert author.notifies() == BEFORE | {"web": "<yes> template file 80 common"}
    author.session.undo()
    assert author.notifies() == BEFORE
    author.run("include web")
    assert author.notifies() == BEFORE | {"web": "<yes> template file 80 common"}


def test_an_instance_of_a_define_is_evaluated_again_when_it_is_declared_again(
    author: Author,
) -> None:
    author.run("web::site { 'mine': }")
    write_files(author.directory, {"web/functions/of_site.pp": "function web::of_site() { 'new' }"})
    author.run("web::site { 'mine': }")
    assert author.notifies()["site"] == "new"


# Classes, of which one declares instances of a define if there is one.
CLASSES = 40


def calls_of(work: Callable[[], object]) -> int:
    """Return how many functions in Python some work calls."""
    count = 0

    def called(frame: object, event: str, _: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def many(directory: Path, instances: int) -> Session:
    """Return a session with the classes of a module, and the instances of its define if any."""
    includes = "".join(f"include many::c{number}\n" for number in range(CLASSES))
    files = {
        f"many/manifests/c{number}.pp": f"class many::c{number} {{ notice(c{number}) }}"
        for number in range(CLASSES)
    }
    if instances:
        files["many/manifests/site.pp"] = "define many::site { notify { $title: } }"
        includes += f'Integer[1, {instances}].each |$n| {{ many::site {{ "s${{n}}": }} }}'
    files["many/manifests/init.pp"] = f"class many {{ {includes} }}"
    write_files(directory, files)
    session = Session(Options(modulepath=(str(directory),)), facts={}, log=lambda *_: None)
    assert session.execute("include many").error is None
    return session


def test_an_input_without_changes_calls_nothing_for_each_instance(tmp_path: Path) -> None:
    counts = []
    for instances in (20, 200):
        session = many(tmp_path / str(instances), instances)
        session.execute("1")
        counts.append(calls_of(partial(session.execute, "1")))
    assert counts[1] - counts[0] < 20


@pytest.mark.parametrize("instances", [0, 200])
def test_names_are_looked_for_once(
    tmp_path: Path, instances: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = many(tmp_path, instances)
    scanned: list[str] = []
    names_in = used_files._names_in

    def noted(text: str) -> set[str]:
        scanned.append(text)
        return names_in(text)

    monkeypatch.setattr(used_files, "_names_in", noted)
    write_files(tmp_path, {"many/manifests/c1.pp": "class many::c1 { notice('new') }"})
    for _ in range(3):
        assert session.execute("1").error is None
    assert 0 < len(scanned) <= CLASSES + 2
    assert len(set(scanned)) == len(scanned)


def lines_of(work: Callable[[], object], code: CodeType) -> int:
    """Return how many lines of one function some work executes.

    Calls would not do: since Python 3.12 a comprehension is none.
    """
    count = 0

    def traced(frame: FrameType, event: str, _: object) -> Callable[..., object] | None:
        nonlocal count
        count += event == "line"
        return traced if frame.f_code is code else None

    before = sys.gettrace()
    sys.settrace(traced)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def test_the_index_of_code_without_names_is_built_once(tmp_path: Path) -> None:
    counts = []
    for extra in (0, 1):
        session = many(tmp_path / str(extra), extra)
        text = "class many::c1 { notice('new') }"
        write_files(tmp_path / str(extra), {"many/manifests/c1.pp": text})
        index = used_files.LoadedCode._files_of.__code__
        counts.append(lines_of(partial(session.execute, "1"), index))
    # Each file takes some lines while the index is built. A define gives the index a name.
    assert min(counts) > CLASSES
    assert abs(counts[1] - counts[0]) < 2 * CLASSES


def test_inputs_that_load_nothing_share_the_loaded_files(author: Author) -> None:
    for number in range(3):
        author.run(f"class own{number} {{ notify {{ 'own{number}': }} }} include own{number}")
    used = author.session.catalog.tables.used_files
    codes = [of_input.code for resource, (_, of_input) in used.items() if "Own" in resource.title]
    assert len(codes) == 3
    assert len({id(code) for code in codes}) == 1


def test_with_bind_once_nothing_is_noted(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    session = Session(Options(modulepath=(str(tmp_path),), bind_once=True), facts={})
    assert session.execute("include web").error is None
    assert session.catalog.tables.used_files == {}


RUBY = {
    "m/lib/puppet/functions/m/low.rb": (
        "Puppet::Functions.create_function(:'m::low') { def low(a) 'old' end }"
    ),
    "m/lib/puppet/type/thing.rb": "Puppet::Type.newtype(:thing) { newparam(:name) }",
    "m/templates/a.erb": "<%= 'old' %>",
    "m/manifests/init.pp": "class m { notify { 'n': message => m::low(1) } }",
    "m/manifests/typed.pp": "class m::typed { notice('typed') thing { 'a': } }",
    "m/manifests/erb.pp": "class m::erb { notify { 'e': message => template('m/a.erb') } }",
}


@needs_ruby
def test_files_in_ruby_count(tmp_path: Path) -> None:
    write_files(tmp_path, RUBY)
    session = Session(Options(ruby=ENGINE, modulepath=(str(tmp_path),)), facts={})

    def run(text: str) -> object:
        outcome = session.execute(text)
        assert outcome.error is None, outcome.error
        return outcome.logs or outcome.value

    run("include m, m::typed, m::erb")
    assert run("[Notify['n']['message'], Notify['e']['message']]") == ("old", "old")
    assert run("include m::typed") != [("notice", "typed")]
    write_files(tmp_path, {"m/templates/a.erb": "<%= 'new' %>"})
    run("include m, m::erb")
    assert run("[Notify['n']['message'], Notify['e']['message']]") == ("old", "new")
    function = "m/lib/puppet/functions/m/low.rb"
    write_files(tmp_path, {function: RUBY[function].replace("old", "new")})
    run("include m")
    assert run("Notify['n']['message']") == "new"
    text = "Puppet::Type.newtype(:thing) { newparam(:name); newparam(:more) }"
    write_files(tmp_path, {"m/lib/puppet/type/thing.rb": text})
    assert run("include m::typed") == [("notice", "typed")]
