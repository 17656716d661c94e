"""A generator of a page about a module."""

import sys
import tempfile
from pathlib import Path

import puppet_repl as puppet


def rows(entry: puppet.Entry) -> list[str]:
    return [f"| `{each.name}` | `{each.type}` | {each.text} |" for each in entry.parameters]


def page(module: puppet.Module) -> str:
    lines = [f"# {module.name}"]
    for entry in (*module.classes, *module.functions):
        lines += [f"## {entry.kind} {entry.name}", entry.summary, *rows(entry)]
        lines += [f"    {each.text}" for each in entry.examples]
    return "\n".join(lines)


with tempfile.TemporaryDirectory() as scratch:
    manifests = Path(scratch, "web", "manifests")
    manifests.mkdir(parents=True)
    manifests.joinpath("init.pp").write_text(
        "# @summary Serves pages\n# @param port Where\n# @example\n#   include web\n"
        "class web(Integer $port = 80) { }\n"
    )
    web = puppet.module(manifests.parent)
    print(page(web))
    for problem in web.problems:
        print(problem, file=sys.stderr)
    found = web.find("web")
    assert isinstance(found, puppet.ClassEntry) and found.inherits is None
