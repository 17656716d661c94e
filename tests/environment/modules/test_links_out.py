"""Links out of a hermetic session: every answer is the same, whatever their targets are.

For each place of an environment that something reads, a link there leads to a target outside. What
sessions, requests and commands then print must not depend on what the target is.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from puppet_repl.frontends.cli import main
from puppet_repl.frontends.cli.batch import answer_lines
from puppet_repl.frontends.commands import run
from puppet_repl.host.host import Host
from puppet_repl.session import Options, Session
from puppet_repl.tools.rendering.fragments import plain
from puppet_repl.tools.reports.report import render_report
from tests.environment.ruby.engine import needs_sandbox

SECRET = "SECRET"
FILES = {
    "environment.conf": "modulepath = modules\n",
    "hiera.yaml": """version: 5
hierarchy:
  - {name: eyaml, lookup_key: eyaml_lookup_key, path: c.eyaml,
     options: {pkcs7_private_key: keys/private.pem, pkcs7_public_key: keys/public.pem}}
  - {name: json, data_hash: json_data, path: j.json}
  - {name: pattern, globs: ['*.yaml']}
  - {name: hocon, data_hash: hocon_data, path: h.conf}
  - {name: function, data_hash: 'm::data', path: own.txt}
""",
    "data/common.yaml": "k: inside\n",
    "data/c.eyaml": "e: ENC[PKCS7,AAAA]\n",
    "manifests/site.pp": "notice('site')\ninclude m\n",
    "modules/m/manifests/init.pp": "class m { notice('m') }",
    "modules/m/functions/data.pp": (
        "function m::data($o, $c) { $c.cached_file_data($o['path']); {z => 1} }"
    ),
    "modules/m/types/t.pp": "type M::T = Integer",
    "modules/m/templates/t.epp": "text",
    "modules/m/files/f.txt": "a file",
    "modules/m/hiera.yaml": "version: 5\nhierarchy: [{name: a, path: common.yaml}]",
    "modules/m/data/common.yaml": "m::p: 1",
}
# A row for each test: links that do not hide each other.
PLACES = """
environment.conf
hiera.yaml
data
data/common.yaml data/x.yaml
data/j.json
data/c.eyaml
data/h.conf data/own.txt
keys modules/m/data/common.yaml manifests/z.pp
keys/private.pem modules/m/data manifests/sub
manifests modules/m/hiera.yaml
modules
modules/m
modules/m/manifests modules/m/lib
modules/m/metadata.json modules/n manifests/site.pp readme.txt Puppetfile metadata.json .git lib
modules/m/manifests/away.pp modules/m/functions/away.pp modules/m/types/away.pp types/away.pp
modules/m/lib/puppet/functions/m modules/m/lib/puppet/datatypes/m/away.rb functions/away.pp
modules/m/lib/puppet/functions/m/away.rb modules/m/lib/puppet/type/away.rb modules/m/plans/away.pp
modules/m/lib/puppet/parser/functions/away.rb modules/m/lib/away.rb lib/puppet/functions/away.rb
modules/m/templates/away.epp modules/m/files/away modules/m/functions/sub
modules/m/templates/sub modules/m/files/sub modules/m/manifests/sub
""".strip().split("\n")
CODES = """
lookup('k')
lookup('e')
lookup('z', {default_value => 7})
lookup('m::p', {default_value => 0})
include m
include m::away
include n
m::away()
away()
1 =~ M::T
1 =~ M::Away
1 =~ Away
away { x: }
file('m/away')
find_file('m/sub')
find_file('m/sub/away')
epp('m/away')
template('m/away.epp')
load_module_metadata('m', true)
file('DIR/readme.txt')
find_file('DIR/readme.txt/x')
loadyaml('DIR/readme.txt', 5)
loadjson('DIR/data/j.json')
glob('DIR/data/*')
glob('DIR/*')
glob('DIR/*/*.pp')
glob('DIR/mod*/*/')
fileexists('DIR/readme.txt')
""".strip().split("\n")
COMMANDS = (
    ":environment DIR",
    ":modulepath DIR/modules",
    ":lookup k --explain",
    ":help m::away",
    ":load DIR/manifests/z.pp",
    ":on DIR/data/* 1",
    ":facts use DIR/data/x.yaml",
    ":diff DIR/data/j.json",
)
TYPED = (":load DIR/", ":environment DIR/", ":on DIR/data/", "include ", "m::", "M::", "epp('m/")
CONTENTS = {
    ".pp": f"class m::away {{ notice('{SECRET}') }}",
    ".yaml": f"version: 5\nk: {SECRET}",
    ".json": json.dumps({"name": "a-m", "version": "1.0.0", "k": SECRET}),
    ".rb": f"Puppet::Functions.create_function(:away) {{ def away; '{SECRET}'; end }}",
}


def _absent(target: Path, text: str) -> None:
    pass


def _file(target: Path, text: str) -> None:
    target.write_text(text)


def _directory(target: Path, text: str) -> None:
    for name in ("init.pp", "away.pp", "common.yaml", "manifests/init.pp", "away/away.rb"):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(CONTENTS[Path(name).suffix])


def _round(target: Path, text: str) -> None:
    target.symlink_to(target.name)


def _back(target: Path, text: str) -> None:
    target.symlink_to(target.parents[1] / "inside/production/data")


TARGETS = (_absent, _file, _directory, _round, _back)


def _environment(base: Path, places: str, make: Callable[[Path, str], None]) -> Path:
    """Return an environment with links out of it, to a target that is made."""
    shutil.rmtree(base, ignore_errors=True)
    directory = base / "inside/production"
    for name, text in FILES.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)
    target = base / "outside/target"
    target.parent.mkdir()
    make(target, CONTENTS.get(Path(places).suffix, SECRET))
    for place in places.split():
        link = directory / place
        if link.is_dir():
            shutil.rmtree(link)
        link.unlink(missing_ok=True)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target)
    return directory


def _answers(directory: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """Return what sessions, requests and commands say of an environment."""
    found = {}

    def session() -> Session:
        return Session(
            Options(environment=str(directory), hermetic=True, stdlib="9", ruby="off"), facts={}
        )

    one = session()
    for code in CODES:
        outcome = one.execute(code.replace("DIR", str(directory)))
        notes = getattr(outcome.error, "notes", None)
        found[code] = f"{outcome.value!r} {outcome.error} {notes} {outcome.logs}"
    outcome = session().compile_site()
    found["the site"] = f"{outcome.error} {outcome.logs}"
    commands = session()
    commands.execute("1")
    for typed in TYPED:
        text = typed.replace("DIR", str(directory))
        found[typed] = str([item.text for item in commands.complete(text, len(text)).items])
    host = Host(session=commands)
    for command in COMMANDS:
        report = run(commands, command.replace("DIR", str(directory)), host)
        found[command] = plain(render_report(report, 200))
    for command in ("validate", "parse"):
        status = main([command, "--hermetic", str(directory)])
        found[command] = f"{status} {capsys.readouterr()}"
    request = {"code": "lookup('k')", "environment": str(directory), "ruby": "off"}
    found["batch"] = "".join(answer_lines([json.dumps(request)], hermetic=True))
    return found


@pytest.mark.parametrize("places", PLACES)
def test_nobody_tells_what_a_link_leads_to(
    tmp_path: Path, places: str, capsys: pytest.CaptureFixture[str]
) -> None:
    base = tmp_path / "base"
    first, *others = [_answers(_environment(base, places, make), capsys) for make in TARGETS]
    assert SECRET not in str(first)
    for make, other in zip(TARGETS[1:], others, strict=True):
        assert other == first, make.__name__


# What Ruby code sees of a path.
RUBY = """<% seen = ["modules", "modules/m", "modules/m/files", "modules/n", "modules/n/files",
  "modules/m/files/away", "modules/m/files/away/common.yaml", "modules/m/lib"].map do |name|
    path = "DIR/" + name
    questions = [-> { Dir.entries(path).sort }, -> { File.exist?(path) }, -> { File.read(path) },
      -> { File.lstat(path).ftype }, -> { Dir.glob(path + "/**/*") }, -> { File.realpath(path) }]
    questions.map { |question| question.call rescue [$!.class, $!.message] }
  end %><%= seen.inspect %>"""


@needs_sandbox
def test_ruby_does_not_tell_either(tmp_path: Path) -> None:
    places = "modules/n modules/m/files/away modules/m/lib"
    found = {}
    for make in TARGETS:
        directory = _environment(tmp_path / "base", places, make)
        options = Options(environment=str(directory), hermetic=True, ruby="sandbox")
        session = Session(options, facts={})
        try:
            code = RUBY.replace("DIR", str(directory))
            outcome = session.execute(f"inline_template('{code}')")
        finally:
            session.close()
        assert outcome.error is None, outcome.error
        found[make.__name__] = outcome.value
    assert "modules/m/files/f.txt" in str(found)
    assert set(found.values()) == {found["_absent"]}
