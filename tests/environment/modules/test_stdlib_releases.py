"""The built-in functions follow the release of the stdlib on the module path.

What ``type_of`` does was recorded from Puppet 8.11 with these releases of the public module.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.language.functions.stdlib.declaring import is_of_another_release, release_of
from puppet_repl.session import Options, Session
from tests.conformance.judge import write_files
from tests.environment.ruby.engine import ENGINE, needs_ruby

OLD_NAME = "This function is deprecated, please use stdlib::type_of instead."
OLD_NAME += ' at ["unknown", 1]:["unknown", 0]'


def session(root: Path, release: str, name: str, **options: Any) -> Session:
    """A session with a module stdlib that says of itself that it has one function, in Ruby."""
    body = f"Puppet::Functions.create_function(:'{name}') do\n  dispatch :run do\n"
    body += "    repeated_param 'Any', :args\n  end\n  def run(*)\n    'its own'\n  end\nend\n"
    metadata = {"name": "puppetlabs-stdlib", "version": release, "dependencies": []}
    write_files(
        root,
        {
            "stdlib/metadata.json": json.dumps(
                {**metadata, "author": "x", "license": "x", "summary": "x", "source": "x"}
            ),
            f"stdlib/lib/puppet/functions/{name.replace('::', '/')}.rb": body,
            "stdlib/lib/puppet/functions/stdlib/type_of.rb": body.replace(name, "stdlib::type_of"),
        },
    )
    return Session(Options(modulepath=(str(root),), ruby=ENGINE, **options), facts={})


@pytest.mark.parametrize(
    ("release", "strict", "error", "logs"),
    [
        ("9.0.0", "error", f"deprecation. type_of. {OLD_NAME}", []),
        ("9.1.0", "error", f"deprecation. type_of. {OLD_NAME}", []),
        ("9.1.0", "warning", None, [OLD_NAME]),
        ("9.1.0", "off", None, []),
        ("9.2.0", "error", None, [OLD_NAME]),
        ("9.2.0", "off", None, [OLD_NAME]),
        ("9.7.0", "error", None, [OLD_NAME]),
    ],
)
def test_old_names_are_errors_until_9_2(
    release: str, strict: str, error: str | None, logs: list[str], tmp_path: Path
) -> None:
    outcome = session(tmp_path, release, "type_of", strict=strict).execute("type_of(1)")
    assert [message.partition("\n")[0] for _, message in outcome.logs] == logs
    found = None if outcome.error is None else outcome.error.message
    assert found == (
        f"Evaluation Error: Error while evaluating a Function Call, {error}" if error else None
    )


@needs_ruby
@pytest.mark.parametrize(
    ("release", "name", "is_its_own"),
    [("9.2.0", "merge", True), ("9.3.0", "merge", False), ("9.8.0", "stdlib::to_json", True)],
)
def test_ruby_runs_what_another_release_has(
    release: str, name: str, is_its_own: bool, tmp_path: Path
) -> None:
    outcome = session(tmp_path, release, name).execute(f"{name}({{}}) == 'its own'")
    assert (outcome.error is None and outcome.value is True) is is_its_own


@pytest.mark.parametrize(
    ("version", "release"),
    [
        ("8.5.0", (8, 5)),
        ("9.7.0-rc1", (9, 7)),
        ("8", (8, 5)),
        ("8.x", (8, 5)),
        ("7", (7, 0)),
        (None, (9, 7)),
        ("x", (9, 7)),
        ("x.1", (9, 7)),
    ],
)
def test_the_release_of_a_version(version: str | None, release: tuple[int, int]) -> None:
    assert release_of(version) == release


def test_functions_of_other_releases() -> None:
    assert [is_of_another_release(text, "merge") for text in ("8.5.0", "9.2.0", "9.3.0", None)] == [
        False,
        True,
        False,
        False,
    ]
