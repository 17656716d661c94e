"""Values of Python beside the literals that stand for them in Puppet.

Run ``python -m tests.integrations.pytest.values`` with PUPPET_LIB set: it writes values.jsonl, in
which a class passes each literal on to a resource.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any

import puppet_repl as puppet
from tests.corpus.referee import ask

RECORDED = Path(__file__).with_suffix(".jsonl")
WEB = "class web($value) { notify { 'a': message => $value } }"
VALUES: dict[str, tuple[str, Any]] = {
    "string": ('"it\'s \\$x \\\\ \\n"', "it's $x \\ \n"),
    "sensitive": ("Sensitive('s')", puppet.Sensitive("s")),
    "sensitive-in-array": ("[Sensitive('s'), 1]", [puppet.Sensitive("s"), 1]),
    "sensitive-in-hash": (
        "{ 'a' => [Sensitive({ 'b' => 1 })] }",
        {"a": [puppet.Sensitive({"b": 1})]},
    ),
    "version": ("SemVer('1.2.3')", puppet.evaluate("SemVer('1.2.3')")),
    "version-range": ("[SemVerRange('>=1.0.0')]", [puppet.evaluate("SemVerRange('>=1.0.0')")]),
    "time": (
        "Timestamp('2024-02-29T12:00:00.5 UTC')",
        datetime(2024, 2, 29, 12, 0, 0, 500_000, UTC),
    ),
    "length": ("Timespan('1-02:00:00')", timedelta(days=1, hours=2)),
    "regexp": (r"/\Aa\d+\Z/", re.compile(r"^a\d+$")),
    "regexp-in-hash": ("{ 'a' => /(?i:a|^b)/ }", {"a": re.compile("a|^b", re.I | re.M)}),
    "path": ("'/etc/motd'", PurePosixPath("/etc/motd")),
    "binary": ("Binary('aGV5')", b"hey"),
    "deferred": ("Deferred('upcase', ['a'])", puppet.Deferred("upcase", ["a"])),
    "deferred-in-array": ("[Deferred('now')]", [puppet.Deferred("now")]),
    "numbers": ("[9223372036854775807, 1.5, true]", [2**63 - 1, 1.5, True]),
    "undef": ("[undef, {}]", [None, {}]),
}


def main() -> None:
    """Record the catalogs."""
    requests = [
        {"id": name, "mode": "catalog", "code": f"{WEB} class {{ 'web': value => {literal} }}"}
        for name, (literal, _) in VALUES.items()
    ]
    with RECORDED.open("w", encoding="utf-8") as file:
        for request, answer in ask(requests):
            file.write(json.dumps({**request, **answer}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
