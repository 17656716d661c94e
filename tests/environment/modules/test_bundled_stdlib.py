"""The bundled stdlib is a module like any other: each of its files defines what its name says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puppet_repl.environment.modules.module_types import read_type
from puppet_repl.environment.modules.stdlib import BUNDLED_STDLIBS
from puppet_repl.session import Options, Session

FILES = [
    pytest.param(version, path, id=f"{version}-{path.relative_to(root)}")
    for version, root in sorted(BUNDLED_STDLIBS.items())
    for path in sorted(Path(root).rglob("*.*"))
]


def name_of(path: Path, directory: str, first: str) -> str:
    """The name that a file below a directory of the module stands for."""
    parts = path.with_suffix("").parts
    last = len(parts) - 1 - parts[::-1].index(directory)
    inner = parts[last + 1 :]
    return "::".join((first, *(inner if inner != ("init",) else ())))


@pytest.mark.parametrize(("version", "path"), FILES)
def test_file(version: str, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    session = Session(Options(stdlib=version), facts={})
    kind = path.relative_to(BUNDLED_STDLIBS[version]).parts[0]
    if kind == "metadata.json":
        metadata = json.loads(text)
        assert (metadata["name"], metadata["version"][0]) == ("puppetlabs-stdlib", version)
        return
    if kind == "lib":
        native = read_type(str(path))
        assert native is not None and native.name == path.stem
        return
    assert text.startswith("# @summary ")
    if kind == "types":
        alias = "::".join(
            part.capitalize() for part in name_of(path, "types", "stdlib").split("::")
        )
        outcome = session.execute(f"type({alias})")
        assert outcome.error is None, outcome.error
        return
    name = name_of(path, kind, "stdlib")
    code = f"include {name}" if kind == "manifests" else f"{name}"
    if kind == "manifests":
        assert session.execute(code).error is None
        return
    outcome = session.execute(f"{name}(1, 2, 3)")
    assert outcome.error is not None and f"'{name}' expects" in outcome.error.message


@pytest.mark.parametrize("version", BUNDLED_STDLIBS)
def test_a_module_of_the_user_is_used_instead(version: str, tmp_path: Path) -> None:
    module = tmp_path / "stdlib"
    (module / "types").mkdir(parents=True)
    (module / "types" / "port.pp").write_text("type Stdlib::Port = Integer[1, 2]", "utf-8")
    session = Session(Options(stdlib=version, modulepath=(str(tmp_path),)), facts={})
    assert session.execute("[2 =~ Stdlib::Port, 3 =~ Stdlib::Port]").value == (True, False)
    outcome = session.execute("'a' =~ Stdlib::Host")
    assert outcome.error is not None and "Stdlib::Host" in outcome.error.message
