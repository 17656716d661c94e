"""Run the recorded cases and say how many pass: python -m tests.conformance.run [-v] [FILE...]."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FILES = ("specification", "functions", "parse", "evaluate", "catalog", "epp", "random")
COMPARED = ("value", "str", "type", "pn", "resources", "edges")
Case = dict[str, Any]


def cases(name: str) -> list[Case]:
    """The cases of one file."""
    text = (HERE / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def listed(name: str) -> dict[str, str]:
    """The ids listed in pending.txt or divergent.txt, with their reasons."""
    path = HERE / name
    rows: dict[str, str] = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                case, _, reason = line.partition("  ")
                rows[case.strip()] = reason.strip()
    return rows


def request_of(case: Case, folder: Path) -> Case:
    """The request to answer; what the case has under ``files`` becomes a module path."""
    request = {key: case[key] for key in ("id", "code", "mode", "facts", "params") if key in case}
    request["environment"] = "oracle"  # what the recorder called its own
    if "files" in case:
        root = folder / "".join(c if c.isalnum() else "_" for c in case["id"])
        for name, text in case["files"].items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        request["modulepath"] = [str(root)]
    return request


def differences(case: Case, answer: Case) -> list[str]:
    """What of the answer is not what Puppet answered: names of keys, with both sides."""
    found = []
    if "error" in case:
        wanted, given = case["error"], answer.get("error")
        if given is None:
            shown = answer.get("value", answer.get("pn", answer.get("resources")))
            return [f"error: expected {wanted}, got the result {shown!r}"]
        found += [
            f"error.{key}: expected {wanted[key]!r}, got {given.get(key)!r}"
            for key in ("message", "line", "column")
            if wanted.get(key) != given.get(key)
        ]
    elif "error" in answer:
        return [f"error: unexpected {answer['error']}"]
    for key in COMPARED:
        if key in case and case[key] != answer.get(key):
            found.append(f"{key}: expected {case[key]!r}, got {answer.get(key)!r}")
    if case.get("logs", []) != answer.get("logs", []):
        found.append(f"logs: expected {case.get('logs', [])!r}, got {answer.get('logs', [])!r}")
    return found


class TooSlow(BaseException):
    """A case took longer than ten seconds."""


def _alarm(*_: object) -> None:
    raise TooSlow


def check(case: Case, folder: Path) -> list[str]:
    """The differences of one case; a Python exception is one too."""
    from puppet_repl.cli.batch import answer

    signal.signal(signal.SIGALRM, _alarm)
    signal.alarm(10)
    try:
        return differences(case, json.loads(json.dumps(answer(request_of(case, folder)))))
    except Exception:
        return ["CRASH " + traceback.format_exc(limit=-4)]
    except TooSlow:
        return ["CRASH no answer in 10 s"]
    finally:
        signal.alarm(0)


def results(name: str, select: str = "") -> Iterator[tuple[Case, list[str]]]:
    """Every case of a file with its differences."""
    with tempfile.TemporaryDirectory() as folder:
        for case in cases(name):
            if select in case["id"]:
                yield case, check(case, Path(folder))


def main() -> int:
    """Print the share that passes per file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", help=f"of {', '.join(FILES)} (default: all)")
    parser.add_argument("-v", "--verbose", action="store_true", help="show what fails")
    parser.add_argument("-k", default="", metavar="TEXT", help="only ids that contain TEXT")
    parser.add_argument("-n", type=int, default=20, help="failures to show per file")
    parser.add_argument("--ids", action="store_true", help="print only the ids that fail")
    options = parser.parse_args()
    for name in options.files or FILES:
        passed = total = shown = 0
        for case, found in results(name, options.k):
            total += 1
            passed += not found
            if found and options.ids:
                print(case["id"])
            elif found and options.verbose and shown < options.n:
                shown += 1
                print(f"-- {case['id']}\n{case['code']}")
                for line in found:
                    print(f"   {line}"[:1500])
        if not options.ids and total:
            print(f"{name:15} {passed:5} of {total:5}  {100 * passed / total:6.2f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
