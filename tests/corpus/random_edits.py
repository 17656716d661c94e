"""Edit manifests, templates and recorded cases at random; compare what Puppet and this parser say.

``python -m tests.corpus.random_edits [COUNT [SEED]]`` needs Ruby and Puppet (``PUPPET_LIB`` names
the lib directory of a Puppet tree, or else that of the installed package is used) and the unpacked
corpus of ``make corpus``. An edit deletes, inserts, swaps or duplicates one or two tokens or
characters of a stretch of a manifest; acceptance, message, line, column, warnings and the tree
must then be the same on both sides.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.pn import to_pn
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.validate import validate
from tests.recorded import CONFORMANCE, read

HERE = Path(__file__).parent
CORPUS = Path("build/corpus")
LIMIT = 4000
TOKEN = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|\$?[\w:]+|=>|[-+<>=!~|@]+|\s+|#[^\n]*|.", re.S)
INSERTED = (
    *("{", "}", "(", ")", "[", "]", ",", ";", ":", "=>", "+>", "->", "~>", "=", "==", "=~", "!"),
    *("|", "|>", "<|", "<<|", "|>>", "@", "@@", "?", ".", "*", "-", "+", "/", "%", "<", ">>"),
    *("$x", "'text'", '"a${b}c"', '"${x[1]}"', "12", "0x1f", "1.5", "Foo", "Foo::Bar", "foo::bar"),
    *("if", "else", "elsif", "unless", "case", "class", "define", "node", "default", "undef"),
    *("true", "and", "or", "in", "type", "function", "notice", "include", "inherits", "attr"),
    *("\\", "'", '"', "#", "/*", "/x/", "@(END)", "${", "$", "::", "`", "é", "\n", " ", "*$x"),
    *("<%", "%>", "<%=", "-%>", "<%-", "%%", "<%#"),
)


def edited(text: str, chooser: random.Random) -> str:
    """A text with one or two random edits."""
    tokens = TOKEN.findall(text)
    for _ in range(chooser.choice((1, 1, 1, 2))):
        if not tokens:
            break
        at = chooser.randrange(len(tokens))
        action = chooser.randrange(6)
        if action == 0:
            del tokens[at]
        elif action == 1:
            tokens.insert(at, chooser.choice(INSERTED))
        elif action == 2:
            other = chooser.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif action == 3:
            tokens.insert(at, tokens[at])
        elif action == 4:
            tokens[at] = chooser.choice(INSERTED)
        else:  # a single character
            token = tokens[at]
            spot = chooser.randrange(len(token) + 1)
            tokens[at] = token[:spot] + token[spot + 1 :]
    return "".join(tokens)


def samples(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Edited texts and their modes: of manifests (long ones in part), templates and cases."""
    chooser = random.Random(seed)
    manifests = sorted(CORPUS.rglob("*.pp"))
    templates = sorted(CORPUS.rglob("*.epp"))
    if not manifests:
        sys.exit(f"no manifests in {CORPUS}: run make corpus first")
    cases = [case for file in sorted(CONFORMANCE.glob("*.jsonl")) for case in read(file)]
    for _ in range(count):
        kind = chooser.randrange(4)
        if kind == 0:
            case = chooser.choice(cases)
            text, mode = case["code"], "epp" if case.get("mode") == "epp" else "parse"
        else:
            files, mode = (templates, "epp") if kind == 1 and templates else (manifests, "parse")
            text = chooser.choice(files).read_text(encoding="utf-8", errors="replace")
        if len(text) > LIMIT:
            begin = text.find("\n", chooser.randrange(len(text) - LIMIT)) + 1
            text = text[begin : begin + LIMIT]
        yield edited(text, chooser), mode


def ours(text: str, mode: str) -> dict[str, Any]:
    """What this parser says."""
    answer: dict[str, Any] = {}
    try:
        program = parse(Source(text), epp=mode == "epp")
        reports = (*program.warnings, *validate(program))
        answer["pn"] = to_pn(program)
    except PuppetError as error:
        reports = error.reports
        answer["error"] = {"message": error.message, "line": error.line, "column": error.column}
    logs = [[report.level, report.message, *report.position] for report in reports]
    if logs:
        answer["logs"] = logs
    return answer


def referee() -> subprocess.Popen[str]:
    """A running Puppet."""
    library = os.environ.get("PUPPET_LIB")
    command = ["ruby", *(["-I", library] if library else []), str(HERE / "referee.rb")]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )


def agrees(theirs: dict[str, Any], mine: dict[str, Any]) -> bool:
    """Whether both sides say the same; where Puppet itself crashes, any error will do."""
    if "crash" in theirs:
        return "error" in mine
    if theirs.get("error") != mine.get("error") or theirs.get("logs") != mine.get("logs"):
        return False
    return theirs.get("pn") is None or theirs["pn"] == mine.get("pn")


def main(arguments: list[str]) -> int:
    """Compare, print the differences and the share that agrees."""
    count = int(arguments[0]) if arguments else 3000
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    process = referee()
    assert process.stdin is not None and process.stdout is not None
    same = refused = 0
    for number, (text, mode) in enumerate(samples(count, seed)):
        process.stdin.write(json.dumps({"id": number, "code": text, "mode": mode}) + "\n")
        process.stdin.flush()
        theirs = json.loads(process.stdout.readline())
        mine = ours(text, mode)
        refused += "pn" not in theirs
        if agrees(theirs, mine):
            same += 1
            continue
        print(f"--- {number} {mode}\n{text}\n--- Puppet: {theirs}\n--- here:   {mine}")
    process.stdin.close()
    process.wait()
    print(f"{same} of {count} agree ({same / count:.2%}); Puppet refused {refused}")
    return 0 if same >= 0.995 * count else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
