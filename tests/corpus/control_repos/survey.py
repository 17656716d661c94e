"""Compile all nodes of control repositories as they are, and count the reasons of refusals.

``python -m tests.corpus.control_repos.survey [--facts SET] [--rows FILE] DIR... [-- OPTION...]``:
each DIR is a checkout of a control repository. Its nodes are those of node statements, those whose
name is in a path of hiera.yaml, and one for each class of a role. A process of ``puppet-repl
compile`` with these options compiles the nodes of one repository; ``--rows`` keeps a row for each
node as JSON. Messages are read to count reasons: they are a first sorting, the rows have the text.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.yaml_data import YamlError, read_yaml
from puppet_repl.environment.modules.environment_conf import manifest_files, read_environment_conf
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from tests.corpus.control_repos.names import matches
from tests.recorded import lines

COMMAND = (sys.executable, "-P", "-m", "puppet_repl", "compile")
SETS = ("debian-12", "ubuntu-24.04", "rocky-9", "macos", "windows-2022")
DEFAULT = "any.example.com"
"""A node that only the default node matches."""
_NODE_PART = re.compile(r"%\{(?:[^}]*[^\w}])?(?:certname|clientcert|fqdn|hostname)['\]]*\}")
_OF_SERVER = re.compile(r".*/environments/%\{[^}]*\}/")
_PART = re.compile(r"%\{[^}]*\}")
_ROLE = re.compile(r"^\s*class\s+((?:::)?(?:\w+::)*(?:roles?|node)(?:::\w+)*)\b", re.MULTILINE)
SYSTEM = "another system"
REASONS = (
    ("module of the Puppetfile", r"of the Puppetfile, which is not installed"),
    ("layer of data that cannot be asked", r"Unable to find '\w+' function|hiera\.yaml version 3"),
    ("secret without a key", r"(?i)eyaml|PKCS7|gpg|decrypt"),
    ("PuppetDB", r"(?i)puppetdb_query"),
    ("no data", r"expects a value for parameter|did not find a value for the name"),
    ("fact of earlier versions", r"Unknown variable.*of earlier versions is"),
    ("fact or variable of the site", r"Unknown variable|unknown fact"),
    ("no node statement", r"Could not find node statement"),
    (
        "class, function or type that no file has",
        r"Could not find (?:declared )?class|Unknown (?:function|resource type)"
        r"|Resource type not found|references an unresolved",
    ),
    ("code of earlier versions", r"Syntax error|automatically coerced|cannot redefine"),
    (
        SYSTEM,
        r"(?i)(?:not |un)supported|not compatible|only be called on"
        r"|'\[\]' is not applicable to an Undef",
    ),
)
"""Reasons by the first line of the message and by the hints; the first one counts."""
OTHER = "other"


class Node(NamedTuple):
    """A node: where its name is from (node, data or role), and the class that it gets, if any."""

    origin: str
    name: str
    code: str | None = None


def nodes_of(directory: Path) -> list[Node]:
    """Return the nodes of a control repository, each name once."""
    statements = list(_of_statements(directory)) or [Node("node", DEFAULT)]
    found: dict[str, Node] = {}
    for node in (*statements, *_of_data(directory), *_of_roles(directory)):
        found.setdefault(node.name, node)
    return list(found.values())


def reason_of(error: str) -> str:
    """Return the reason of a refusal, by the message."""
    first, *rest = error.splitlines()
    told = " ".join([first, *(line for line in rest if line.startswith("  hint: "))])
    return next((reason for reason, pattern in REASONS if re.search(pattern, told)), OTHER)


def _of_statements(directory: Path) -> Iterator[Node]:
    try:
        paths = manifest_files(read_environment_conf(os.fspath(directory)).manifest)
    except (OSError, PuppetError):
        return
    before: list[re.Pattern[str]] = []
    for path in paths:
        try:
            program = parse(Source(Path(path).read_text("utf-8", errors="replace")))
        except PuppetError:
            continue
        for each in program.walk():
            for match in each.matches if isinstance(each, ast.NodeDefinition) else ():
                name = _name_for(match, before)
                if name is not None:
                    yield Node("node", name)


def _name_for(match: ast.Node, before: list[re.Pattern[str]]) -> str | None:
    """Return a name for what a node statement matches; None if none comes to mind."""
    if isinstance(match, ast.LiteralDefault):
        return DEFAULT
    if not isinstance(match, ast.LiteralRegularExpression):
        value = getattr(match, "value", None)
        return value if isinstance(value, str) else None
    try:
        pattern = re.compile(match.pattern)
        candidates = [
            f"{start.rstrip('.')}{end}"
            for start in islice(matches(match.pattern), 50)
            for end in ("", ".example.com")
        ]
    except (re.error, IndexError):
        return None
    found = next(
        (
            name
            for name in candidates
            if pattern.search(name) and not any(each.search(name) for each in before)
        ),
        None,
    )
    before.append(pattern)
    return found


def _of_data(directory: Path) -> Iterator[Node]:
    for pattern in data_patterns(directory):
        before, _, after = pattern.partition("\0")
        glob = f"{before}*{after}".replace("\1", "*")
        name = re.compile(
            "".join(
                {"\0": "(.+)", "\1": ".*"}.get(part, re.escape(part))
                for part in re.split("([\0\1])", pattern)
            )
        )
        for path in sorted(directory.glob(glob)):
            match = name.fullmatch(path.relative_to(directory).as_posix())
            if match is not None and "/" not in match[1]:
                yield Node("data", match[1].lower())


def data_patterns(directory: Path) -> Iterator[str]:
    """Yield paths of hiera.yaml that have the name of a node, NUL in its place.

    Other interpolations are \\1.
    """
    try:
        data = read_yaml((directory / "hiera.yaml").read_text("utf-8"))
    except (OSError, UnicodeDecodeError, YamlError):
        return
    if not isinstance(data, dict):
        return
    default = data.get("defaults")
    place = default.get("datadir") if isinstance(default, dict) else None
    for level in data.get("hierarchy") or ():
        if not isinstance(level, dict):
            continue
        paths = [level.get(name) for name in ("path", "glob")]
        for name in ("paths", "globs"):
            given = level.get(name)
            paths += given if isinstance(given, list) else []
        folder = _OF_SERVER.sub("", str(level.get("datadir") or place or "data")).strip("/")
        for path in paths:
            whole = f"{folder}/{path}"
            if isinstance(path, str) and len(_NODE_PART.findall(whole)) == 1:
                yield _PART.sub("\1", _NODE_PART.sub("\0", whole))


def _of_roles(directory: Path) -> Iterator[Node]:
    for path in sorted(directory.glob("**/manifests/**/*.pp")):
        if "spec" in path.parts:
            continue
        for name in _ROLE.findall(path.read_text("utf-8", errors="replace")):
            label = name.strip(":").replace("::", "-").replace("_", "-").lower()
            yield Node("role", f"{label}.example.com", name)


def compiled(
    directory: Path, facts: Iterable[str], options: Iterable[str]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each node: its origin and name, the facts, the error and its reason.

    A node has the first set of facts unless its code is for the system of another one.
    """
    nodes = nodes_of(directory)
    rows: dict[str, dict[str, Any]] = {}
    for name in facts:
        for node, error in _answers(directory, nodes, ("--facts", name, *options)):
            row = {"repository": directory.name, **node._asdict(), "facts": name}
            if error is not None:
                row |= {"reason": reason_of(error), "error": error}
            if node.name not in rows or error is None or row["reason"] != SYSTEM:
                rows[node.name] = row
        nodes = [each for each in nodes if rows[each.name].get("reason") == SYSTEM]
    yield from rows.values()


def _answers(
    directory: Path, nodes: list[Node], options: Iterable[str]
) -> Iterator[tuple[Node, str | None]]:
    """Yield the nodes with their errors, None for one that compiles."""
    for is_role in (False, True):
        own = {each.name: each for each in nodes if (each.code is not None) is is_role}
        if not own:
            continue
        classes = ", ".join(f"'{name}' => '{each.code}'" for name, each in own.items())
        code = ("-e", f"include({{{classes}}}[$trusted['certname']])") if is_role else ()
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("".join(f"{name}\n" for name in own))
            file.flush()
            done = subprocess.run(
                [
                    *(*COMMAND, "--environment", os.fspath(directory), "--nodes", file.name),
                    *("--format", "ndjson", "--jobs", "1", "--no-color", *code, *options),
                ],
                capture_output=True,
                check=False,
                text=True,
            )
        answers = {each["name"]: each.get("error") for each in lines(done.stdout)}
        for name, node in own.items():
            yield node, answers.get(name, done.stderr.strip() or "no answer")


def table(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield a line for each repository: nodes, those that compile, the reasons of the others."""
    counts: dict[str, Counter[str | None]] = {}
    for row in rows:
        counts.setdefault(row["repository"], Counter())[row.get("reason")] += 1
    for name, found in [*counts.items(), ("all", sum(counts.values(), Counter()))]:
        reasons = [f"{count} {reason}" for reason, count in found.most_common() if reason]
        text = f": {', '.join(reasons)}" if reasons else ""
        yield f"{name}: {found[None]} of {found.total()} compile{text}"


def main(arguments: list[str]) -> int:
    """Compile, print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.control_repos.survey")
    parser.add_argument("directories", type=Path, nargs="+", metavar="DIR")
    parser.add_argument(
        "--facts",
        action="append",
        help="a set of facts, and more for nodes of other systems (default: all bundled ones)",
    )
    parser.add_argument("--rows", type=Path, help="a file that gets the rows")
    mark = arguments.index("--") if "--" in arguments else len(arguments)
    given, options = parser.parse_args(arguments[:mark]), arguments[mark + 1 :]
    rows: list[dict[str, Any]] = []
    for directory in given.directories:
        found = list(compiled(directory.resolve(), given.facts or SETS, options))
        rows += found
        print("\n".join(list(table(found))[:-1]), flush=True)
    print(list(table(rows))[-1])
    if given.rows is not None:
        given.rows.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
