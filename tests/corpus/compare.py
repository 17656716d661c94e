"""Compare the trees of the Debian manifests with those that Puppet made of them.

``python -m tests.corpus.compare`` parses every manifest below build/corpus that
tests/conformance/debian_pn.tsv lists with the same digest, and compares the digest of its PN text.
It prints the differences, the counts, the CPU time and the memory that were needed.
"""

from __future__ import annotations

import gc
import hashlib
import resource
import sys
import time
from pathlib import Path

from puppet_repl.base.errors import PuppetError
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.pn import to_pn
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.validate import validate

CORPUS = Path("build/corpus")
TABLE = Path("tests/conformance/debian_pn.tsv")


def digest(data: bytes) -> str:
    """The first 16 hexadecimal digits of SHA-256."""
    return hashlib.sha256(data).hexdigest()[:16]


def answer(text: str) -> str:
    """The digest of the tree of a text, or "error"."""
    try:
        program = parse(Source(text))
        validate(program)
    except PuppetError:
        return "error"
    return digest(to_pn(program).encode())


def parsing_time(texts: list[str]) -> float:
    """CPU seconds to parse and validate all texts."""
    gc.collect()
    start = time.process_time()
    for text in texts:
        try:
            validate(parse(Source(text)))
        except PuppetError:
            continue
    return time.process_time() - start


def main() -> int:
    """Compare and report; 1 if a tree differs."""
    same = refused = 0
    other: list[str] = []
    missing = 0
    texts: list[str] = []
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        name, of_text, of_tree = line.split("\t")
        path = CORPUS / name
        data = path.read_bytes() if path.exists() else b""
        if digest(data) != of_text:  # not there, or another version of the package
            missing += 1
            continue
        texts.append(data.decode())
        if answer(texts[-1]) != of_tree:
            other.append(name)
        elif of_tree == "error":
            refused += 1
        else:
            same += 1
    for name in other:
        print("differs:", name)
    print(f"{same} trees identical, {refused} refused on both sides, {len(other)} differ")
    print(f"{missing} manifests of the table are not here")
    print(f"CPU time to parse and validate: {parsing_time(texts):.2f} s")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"most memory in use: {memory:.0f} MB (the texts and this program included)")
    return 1 if other or not same else 0


if __name__ == "__main__":
    sys.exit(main())
