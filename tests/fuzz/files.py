"""Run the readers of files on hostile ones: python -m tests.fuzz.files SECONDS.

Files are made from those of ``tests.fuzz.file_seeds``, each kind in turn. ``--inputs N`` instead of
SECONDS is a fixed run, the same one for the same ``--seed``. Findings are printed and kept in
build/fuzz/files/found.jsonl; the exit status is 1 then. A line of that file, shortened by hand,
belongs to tests/fuzz/found_files.jsonl, whose files the tests repeat.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.file_readers import READERS
from tests.fuzz.file_seeds import BYTES, SEEDS, WORDS
from tests.fuzz.targets import Target
from tests.fuzz.watch import Finding, watched

OUTPUT = Path(__file__).parent.parent.parent / "build" / "fuzz" / "files"
MAX_LENGTH = 20_000
MAX_CHANGES = 4
MEMORY = 1 << 30


class FileTarget(Target):
    """Writes the input to a file of its own directory, and reads it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, text: str) -> bool:
        directory = Path(tempfile.mkdtemp(prefix="puppet-repl-fuzz-"))
        try:
            path = directory / self.name
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
            return READERS[self.name](path)
        finally:
            shutil.rmtree(directory, ignore_errors=True)


def mutated(name: str, chance: random.Random) -> str:
    """Return a hostile file of a kind; bytes that are no UTF-8 are escaped as lone surrogates."""
    data = chance.choice(SEEDS[name]).encode("utf-8", "surrogatepass")
    for _ in range(chance.randint(1, MAX_CHANGES)):
        data = chance.choice(CHANGES)(data, name, chance)[:MAX_LENGTH]
    return data.decode("utf-8", "surrogateescape")


def _position(data: bytes, chance: random.Random) -> int:
    """Return an offset, most often one between words."""
    starts = [at for at, byte in enumerate(data) if byte in b" \n:,[{\"'=-"]
    if starts and chance.random() < 0.8:
        return chance.choice(starts) + 1
    return chance.randint(0, len(data))


def _with_word(data: bytes, name: str, chance: random.Random) -> bytes:
    at = _position(data, chance)
    return data[:at] + chance.choice(WORDS).encode() + data[at:]


def _with_word_in_place(data: bytes, name: str, chance: random.Random) -> bytes:
    at = _position(data, chance)
    end = at
    while end < len(data) and data[end] not in b" \n,]}\"'":
        end += 1
    return data[:at] + chance.choice(WORDS).encode() + data[end:]


def _with_byte(data: bytes, name: str, chance: random.Random) -> bytes:
    at = chance.randint(0, len(data))
    return data[:at] + chance.choice((*BYTES, bytes([chance.randrange(256)]))) + data[at:]


def _without(data: bytes, name: str, chance: random.Random) -> bytes:
    at = chance.randint(0, len(data))
    return data[:at] + data[at + chance.randint(1, 12) :]


def _cut(data: bytes, name: str, chance: random.Random) -> bytes:
    return data[: chance.randint(0, len(data))]


def _lines(data: bytes, name: str, chance: random.Random) -> bytes:
    """Repeat, move or indent lines."""
    lines = data.split(b"\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    kind = chance.randrange(3)
    if kind == 0:
        lines[other:other] = [lines[at]] * chance.choice((1, 2, 50))
    elif kind == 1:
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines[at] = b" " * chance.randint(1, 9) + lines[at].lstrip()
    return b"\n".join(lines)


def _with_part_of_another(data: bytes, name: str, chance: random.Random) -> bytes:
    other = chance.choice(SEEDS[chance.choice((name, *SEEDS))]).encode("utf-8", "surrogatepass")
    start = chance.randint(0, len(other))
    at = _position(data, chance)
    return data[:at] + other[start : start + chance.randint(1, 200)] + data[at:]


def _aliases(data: bytes, name: str, chance: random.Random) -> bytes:
    """Add aliases of aliases, as many as would take all memory."""
    levels = chance.randint(2, 40)
    merge = chance.random() < 0.5
    lines = ["z0: &z0 {a: 1}" if merge else "z0: &z0 [1, 1]"]
    for number in range(1, levels):
        last = f"*z{number - 1}"
        body = f"{{<<: [{last}, {last}]}}" if merge else f"[{last}, {last}]"
        lines.append(f"z{number}: &z{number} {body}")
    return data + b"\n" + "\n".join(lines).encode() + b"\n"


CHANGES = (
    *(_with_word, _with_word, _with_word_in_place, _with_word_in_place, _with_byte, _without),
    *(_cut, _lines, _lines, _with_part_of_another, _aliases),
)


def _report(name: str, text: str, finding: Finding) -> None:
    print(f"{name}: {finding.kind}: {finding.detail}", flush=True)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    row = {"file": name, "input": text, "kind": finding.kind, "detail": finding.detail}
    with open(OUTPUT / "found.jsonl", "a", encoding="utf-8") as kept:
        kept.write(json.dumps(row) + "\n")


def run(seconds: float | None, inputs: int | None, seed: int) -> int:
    """Make and read files for a time, or so many; return the number of findings."""
    chance = random.Random(seed)
    targets = {name: FileTarget(name) for name in READERS}
    counts = dict.fromkeys(READERS, 0)
    valid = findings = slowest = 0.0
    started = time.monotonic()
    number = 0
    while number != inputs and (seconds is None or time.monotonic() - started < seconds):
        name = tuple(READERS)[number % len(READERS)]
        text = mutated(name, chance)
        before = time.process_time()
        finding, is_valid = watched(targets[name], text)
        slowest = max(slowest, time.process_time() - before)
        number += 1
        counts[name] += 1
        valid += is_valid
        if finding is not None:
            findings += 1
            _report(name, text, finding)
    print(
        f"files: {number} inputs, {valid:.0f} valid, {findings:.0f} findings, "
        f"slowest {slowest:.1f} s of CPU"
    )
    return int(findings)


def main() -> int:
    """Run the command; return the exit status."""
    from puppet_repl.base.memory import tune_process

    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.files")
    parser.add_argument("seconds", nargs="?", type=float, metavar="SECONDS")
    parser.add_argument("--inputs", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if (given.seconds is None) == (given.inputs is None):
        parser.error("either SECONDS or --inputs N")
    tune_process(MEMORY)
    return 1 if run(given.seconds, given.inputs, given.seed) else 0


if __name__ == "__main__":
    sys.exit(main())
