"""Links that lead to themselves or to nothing.

Puppet 8.11 ignores most of them without a word (``puppet apply MANIFESTS --environmentpath DIR``):
the answer is that without the link. Here one warning names those among the modules and site
manifests. A pattern of data that matches one is an error, there and here.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import puppet_repl
from puppet_repl.environment.modules.modules import Module
from puppet_repl.frontends.cli import main
from puppet_repl.session import Options, Session
from puppet_repl.tools.completion.files import complete_file

ROUND = "Too many levels of symbolic links"
CODE = "include m\n[m::f(), 1 =~ M::T, lookup('key'), epp('m/t.epp'), file('m/f.txt')]"
FILES = {
    "manifests/site.pp": "notice('site')",
    "modules/m/manifests/init.pp": "class m { notice('m') }",
    "modules/m/functions/f.pp": "function m::f() { 1 }",
    "modules/m/types/t.pp": "type M::T = Integer",
    "modules/m/templates/t.epp": "text",
    "modules/m/files/f.txt": "a file",
    "hiera.yaml": "version: 5\nhierarchy: [{name: a, globs: ['*.yaml']}]",
    "data/a.yaml": "key: value",
}


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    directory = tmp_path / "production"
    for name, text in FILES.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return directory


@pytest.mark.parametrize("hermetic", [False, True])
@pytest.mark.parametrize(
    ("link", "target", "reason"),
    [
        ("modules/loop", "loop", ROUND),
        ("modules/loop", "nowhere", None),
        ("manifests/z.pp", "z.pp", ROUND),
        ("manifests/z.pp", "nowhere", "No such file or directory"),
        ("manifests/sub", "sub", None),
        ("manifests/sub", ".", None),
        ("modules/m/loop", "loop", None),
        ("modules/m/manifests/loop.pp", "loop.pp", None),
        ("modules/m/functions/loop.pp", "loop.pp", None),
        ("modules/m/functions/loop", "..", None),
        ("modules/m/types/loop.pp", "loop.pp", None),
        ("modules/m/templates/loop.epp", "loop.epp", None),
        ("modules/m/files/loop", "loop", None),
        ("modules/m/lib", "lib", None),
        ("modules/m/facts.d", "facts.d", None),
        ("lib", "lib", None),
        ("functions", "functions", None),
    ],
)
def test_one_link_hinders_nothing(
    environment: Path, link: str, target: str, reason: str | None, hermetic: bool
) -> None:
    (environment / link).symlink_to(target)
    session = Session(Options(environment=str(environment), hermetic=hermetic), facts={})
    outcomes = [session.compile_site(""), session.execute(CODE), session.execute(CODE)]
    assert [outcome.error for outcome in outcomes] == [None] * 3
    assert outcomes[2].value == (1, True, "value", "text", "a file")
    logs = [log for outcome in outcomes for log in outcome.logs]
    assert ("notice", "site") in logs
    told = [f"{environment / link} is ignored: {reason}"] if reason else []
    assert [text for level, text in logs if level == "warning"] == told


@pytest.mark.parametrize(
    ("target", "reason"), [("manifests", ROUND), ("nowhere", "No such file or directory")]
)
def test_manifests_behind_such_a_link_are_named(
    environment: Path, target: str, reason: str
) -> None:
    shutil.rmtree(environment / "manifests")
    (environment / "manifests").symlink_to(target)
    outcome = Session(Options(environment=str(environment)), facts={}).compile_site()
    assert outcome.error is None
    assert outcome.logs == [("warning", f"{environment}/manifests is ignored: {reason}")]


# What Puppet 8.11 says of lookup('key') with a level, and a link among the data: the name of the
# file after AT is that of the link.
IN_DATA = (
    ("path: loop.yaml", "loop.yaml", "loop.yaml", None),
    ("paths: [loop.yaml, a.yaml]", "loop.yaml", "loop.yaml", "value"),
    ("globs: ['*.yaml']", "loop.yaml", "loop.yaml", f"{ROUND} @ rb_file_s_stat - AT"),
    ("globs: ['a.yaml', '*.yaml']", "loop.yaml", "loop.yaml", f"{ROUND} @ rb_file_s_stat - AT"),
    ("globs: ['loop.yaml']", "loop.yaml", "loop.yaml", f"{ROUND} @ rb_file_s_stat - AT"),
    ("globs: ['loop.yaml/x', 'a.yaml']", "loop.yaml", "loop.yaml", "value"),
    (
        "globs: ['*.yaml']",
        "A.yaml",
        "nowhere",
        "No such file or directory @ rb_file_s_stat - AT",
    ),
    (
        "data_hash: json_data, glob: 'l*'",
        "loop.json",
        "loop.json",
        f"{ROUND} @ rb_file_s_stat - AT",
    ),
    (
        "data_hash: hocon_data, glob: 'l*'",
        "loop.conf",
        "loop.conf",
        f"{ROUND} @ rb_file_s_stat - AT",
    ),
    ("data_hash: 'm::data', glob: 'l*'", "loop.txt", "loop.txt", "value"),
    ("globs: ['**/*.yaml']", "loop", "loop", "value"),
    ("globs: ['*/*.yaml']", "loop", "loop", f"{ROUND} - AT"),
)


@pytest.mark.parametrize(("level", "link", "target", "answer"), IN_DATA)
def test_links_among_the_data(
    environment: Path, level: str, link: str, target: str, answer: str | None
) -> None:
    (environment / "hiera.yaml").write_text(f"version: 5\nhierarchy: [{{name: a, {level}}}]")
    function = environment / "modules/m/functions/data.pp"
    function.write_text("function m::data($options, $context) { {key => value} }")
    path = environment / "data" / link
    path.symlink_to(target)
    outcome = Session(Options(environment=str(environment)), facts={}).execute("lookup('key')")
    if answer == "value":
        assert outcome.value == answer, outcome.error
    elif answer is None:
        assert "did not find a value for the name 'key'" in str(outcome.error)
    else:
        assert outcome.error is not None
        found = outcome.error.message.partition("a Function Call, ")[2]
        assert found == answer.replace("AT", str(path))


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/nope", "No such file or directory @ rb_file_s_stat - /nope"),
        ("DIR/data", "Is a directory @ io_fread - DIR/data"),
        ("DIR/data/loop", f"{ROUND} @ rb_file_s_stat - DIR/data/loop"),
    ],
)
def test_files_that_a_function_of_data_reads(environment: Path, path: str, answer: str) -> None:
    """The answers are Puppet's."""
    (environment / "data/loop").symlink_to("loop")
    (environment / "hiera.yaml").write_text(
        "version: 5\nhierarchy: [{name: a, data_hash: 'm::data'}]"
    )
    path, answer = (text.replace("DIR", str(environment)) for text in (path, answer))
    function = environment / "modules/m/functions/data.pp"
    function.write_text(f"function m::data($o, $c) {{ $c.cached_file_data('{path}') }}")
    outcome = Session(Options(environment=str(environment)), facts={}).execute("lookup('key')")
    assert f"Error while evaluating a Method call, {answer}" in str(outcome.error)


def test_patterns_of_files(environment: Path) -> None:
    """As ``Dir.glob`` of Ruby 3.1."""
    (environment / "loop").symlink_to("loop")
    session = Session(Options(environment=str(environment), stdlib="9"), facts={})
    for pattern, at in (("loop/*", "loop"), ("loop/x/*", "loop/x"), ("lo*/x*", "loop")):
        outcome = session.execute(f"glob('{environment}/{pattern}')")
        assert f"a Function Call, {ROUND} - {environment}/{at} " in str(outcome.error)
    for pattern in ("loop/", "lo*/x", "none/*", "hiera.yaml/*"):
        assert session.execute(f"glob('{environment}/{pattern}')").value == ()


def test_validate_names_them(environment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, target in (("z.pp", "z.pp"), ("a.epp", "nowhere"), ("d.pp", ".")):
        (environment / "manifests" / name).symlink_to(target)
    assert main(["validate", str(environment)]) == 2
    assert capsys.readouterr().err.splitlines()[:3] == [
        f"Error: cannot read {environment}/manifests/a.epp: No such file or directory",
        f"Error: cannot read {environment}/manifests/z.pp: {ROUND}",
        "2 errors",
    ]
    found = puppet_repl.validate(environment)
    assert [diagnostic.message for diagnostic in found] == [
        "cannot read it: No such file or directory",
        f"cannot read it: {ROUND}",
    ]


def test_a_link_that_leads_somewhere_by_now(environment: Path) -> None:
    link = environment / "modules/n"
    link.symlink_to("../other")
    (environment / "other").symlink_to("other")
    session = Session(Options(environment=str(environment)), facts={})
    assert session.execute("1").error is None
    (environment / "other").unlink()
    (environment / "other/manifests").mkdir(parents=True)
    (environment / "other/manifests/init.pp").write_text("class n { notice('n') }")
    assert session.execute("include n").error is None


def test_links_that_lead_up_end(environment: Path) -> None:
    """Each of two such links in a directory would double the paths with every level."""
    manifests = environment / "modules/m/manifests"
    for name, target in (("a", "."), ("b", "."), ("c", ".."), ("d", str(environment))):
        (manifests / name).symlink_to(target)
    (environment / "shared").mkdir()
    (environment / "shared/x.pp").write_text("class m::e::x { }")
    (manifests / "e").symlink_to(environment / "shared")
    found = list(Module("m", str(environment / "modules/m")).files("manifests", ".pp"))
    assert found == ["init", "e/x"]


def test_links_between_siblings_end(environment: Path) -> None:
    """Three such links in each of two directories would triple the paths with every level."""
    types = environment / "modules/m/types"
    for name, other in (("a", "b"), ("b", "a")):
        (types / name).mkdir(parents=True)
        (types / name / "own.pp").write_text("")
        for link in "xyz":
            (types / name / link).symlink_to(f"../{other}")
    found = set(Module("m", str(environment / "modules/m")).files("types", ".pp"))
    links = {f"{name}/{link}" for name in "ab" for link in "xyz"}
    assert found == {"t", *(f"{where}/own" for where in ("a", "b", *links))}


def test_names_beside_a_link_to_itself_are_completed(environment: Path) -> None:
    (environment / "modules/loop").symlink_to("loop")
    text = f"{environment}/modules/"
    found = complete_file(text, 0, None)
    assert sorted(item.text for item in found.items) == ["loop", "m/"]
