"""Record what Puppet says about definitions in files that their names do not belong to.

``PUPPET_LIB=.../lib python -m tests.tools.validation.record_misplaced`` writes ``misplaced.json``.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

CASES = (
    # a file of a module or environment, its text, and code that makes Puppet load it
    ("modules/m/manifests/good.pp", "class m::good { }", "include m::good"),
    ("modules/m/manifests/longer.pp", "class m::longer_name { }", "include m::longer"),
    ("modules/m/manifests/init.pp", "class m { }\nclass m::x { }", "include m"),
    ("modules/m/manifests/init.pp", "class n { }", "include m"),
    ("modules/m/manifests/a.pp", "class m::b { }", "include m::a"),
    ("modules/m/manifests/a.pp", "class m::a { }\ndefine m::other() { }", "include m::a"),
    ("modules/m/manifests/a/b.pp", "class m::a { }", "include m::a::b"),
    ("modules/m/manifests/a/init.pp", "class m::a { }", "include m::a::init"),
    ("modules/m/manifests/Upper.pp", "class m::upper { }", "include m::upper"),
    ("modules/m/manifests/f.pp", "class m::f { }\nfunction m::g() { }", "include m::f"),
    ("modules/m/manifests/t.pp", "type M::U = String\nclass m::t { }", "include m::t"),
    ("modules/m/manifests/top.pp", "notice(1)\nclass m::top { }\n$x = 1", "include m::top"),
    ("modules/m/manifests/node.pp", "node default { }\nclass m::node { }", "include m::node"),
    ("modules/m/manifests/res.pp", "notify { 'a': }", "include m::res"),
    ("modules/m/manifests/none.pp", "# nothing", "include m::none"),
    ("modules/m/functions/good.pp", "function m::good() { 1 }", "m::good()"),
    ("modules/m/functions/f.pp", "function m::g() { }", "m::f()"),
    ("modules/m/functions/f.pp", "function m::ff() { }", "m::f()"),
    ("modules/m/functions/f.pp", "", "m::f()"),
    ("modules/m/functions/f.pp", "class m::f { }", "m::f()"),
    ("modules/m/functions/f.pp", "function m::f() { }\nfunction m::f2() { }", "m::f()"),
    ("modules/m/functions/f.pp", "function m::f() { }\nnotice(1)", "m::f()"),
    ("modules/m/functions/d/f.pp", "function m::f() { }", "m::d::f()"),
    ("modules/m/types/good.pp", "type M::Good = String", "notice(M::Good)"),
    ("modules/m/types/a.pp", "type M::B = String", "notice(M::A)"),
    ("modules/m/types/a.pp", "", "notice(M::A)"),
    ("modules/m/types/a.pp", "class m::a { }", "notice(M::A)"),
    ("modules/m/types/a.pp", "type M::A = String\ntype M::Ab = String", "notice(M::A)"),
    ("modules/m/types/a.pp", "type M::A = String\n$x = 1", "notice(M::A)"),
    ("functions/h.pp", "function h() { }", "h()"),
    ("functions/h.pp", "function hh() { }", "h()"),
    ("functions/environment/h.pp", "function environment::h() { }", "environment::h()"),
    ("functions/environment/h.pp", "function h() { }", "environment::h()"),
    ("types/a.pp", "type B = String", "notice(A)"),
    ("manifests/site.pp", "node default { }\nclass c { }\nfunction f() { }\n$x = 1", ""),
)
_ABOUT_FILE = re.compile("unacceptable|The code loaded from")
_FROM = re.compile("^Evaluation Error: Error while evaluating an? [A-Za-z-]+( Call)?, ")
_CALLER = re.compile(r" \(line: \d+, column: \d+\)$")


def answer(path: str, text: str, code: str) -> list[str]:
    """Return the errors of Puppet about a file, its directory left out of them."""
    with tempfile.TemporaryDirectory() as name:
        environment = Path(name, "environments", "e")
        file = environment / path
        file.parent.mkdir(parents=True)
        file.write_text(text)
        library = Path(os.environ["PUPPET_LIB"])
        command = ["ruby", "-I", str(library), str(library.parent / "bin/puppet"), "apply"]
        command += ["--noop", "--color", "false", "--confdir", f"{name}/c", "--vardir", f"{name}/v"]
        command += ["--environmentpath", str(environment.parent), "--environment", "e"]
        command += ["-e", code] if code else [str(environment / "manifests")]
        environ = {**os.environ, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(command, capture_output=True, text=True, env=environ)
        said = done.stderr.replace(f"{environment}/", "").splitlines()
    return [told(line) for line in said if line.startswith("Error: ") and _ABOUT_FILE.search(line)]


def told(line: str) -> str:
    """Return a message without the place from which the file was loaded."""
    line = line.removeprefix("Error: ").partition(" on node ")[0]
    return _CALLER.sub("", _FROM.sub("", line))


def main() -> None:
    """Ask about each case, and write the file of cases."""
    cases = []
    for path, text, code in CASES:
        errors = answer(path, text, code)
        cases.append({"path": path, "text": text, "code": code, "errors": errors})
        print(path, repr(text), errors)
    target = Path(__file__).with_name("misplaced.json")
    target.write_text(json.dumps(cases, indent=1) + "\n")


if __name__ == "__main__":
    main()
