"""Absolute paths of a server in hiera.yaml, for an environment in another directory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from puppet_repl.session import Options, Session
from tests.conformance.judge import write_files

SERVER = "/no/such/code/environments"
DATA = {"data/common.yaml": "k: common\n", "data/nodes/n.yaml": "k: node\n"}
DEFAULTS = "version: 5\ndefaults: {{data_hash: yaml_data, datadir: '{0}'}}\n"


def session(root: Path, config: str, **options: Any) -> Session:
    """Return a session whose environment is called checkout."""
    environment = root / "checkout"
    write_files(environment, {**DATA, "hiera.yaml": config})
    options.setdefault("environment", str(environment))
    return Session(Options(**options), facts={"kernel": "Linux"})


CONFIGS = {
    "datadir": f"{SERVER}/%{{environment}}/data",
    "datadir with another notation": f"{SERVER}/%{{::environment}}/data",
    "literal": f"{SERVER}/production/data",
    "literal name": f"{SERVER}/checkout/data",
}


@pytest.mark.parametrize("hermetic", [False, True], ids=["", "hermetic"])
@pytest.mark.parametrize("datadir", CONFIGS.values(), ids=CONFIGS)
def test_a_datadir(tmp_path: Path, datadir: str, hermetic: bool) -> None:
    config = DEFAULTS.format(datadir) + "hierarchy: [{name: c, path: common.yaml}]\n"
    outcome = session(tmp_path, config, hermetic=hermetic).execute("[lookup('k'), lookup('k')]")
    assert outcome.unwrap() == ("common", "common")
    named = datadir.replace("%{environment}", "checkout").replace("%{::environment}", "checkout")
    note = f"hiera.yaml names {named}, which is not here: {tmp_path}/checkout/data is used in its"
    assert outcome.logs == [("notice", f"{note} place")]


@pytest.mark.parametrize(
    "level",
    [
        "path: '{0}/%{{environment}}/data/common.yaml'",
        "paths: [none.yaml, '{0}/production/data/common.yaml']",
        "glob: '{0}/%{{environment}}/data/*.yaml'",
        "mapped_paths: [facts.kernel, k, '{0}/checkout/data/common.yaml']",
    ],
)
def test_paths(tmp_path: Path, level: str) -> None:
    config = f"version: 5\nhierarchy: [{{name: c, {level.format(SERVER)}}}]\n"
    outcome = session(tmp_path, config).lookup("k")
    assert outcome.unwrap() == "common"
    assert len(outcome.logs) == 1


def test_the_paths_of_older_versions(tmp_path: Path) -> None:
    config = f"version: 3\nhierarchy: common\nyaml: {{datadir: '{SERVER}/%{{environment}}/data'}}\n"
    write_files(tmp_path, {"hiera3.yaml": config.replace("version", ":version")})
    made = session(tmp_path, "version: 5\n", hiera_config=str(tmp_path / "hiera3.yaml"))
    assert made.lookup("k").unwrap() == "common"
    config = f"version: 4\ndatadir: '{SERVER}/production/data'\n"
    assert session(tmp_path, config).lookup("k").unwrap() == "common"


def test_an_environmentpath_of_another_name(tmp_path: Path) -> None:
    config = DEFAULTS.format("/no/such/envs/%{environment}/data")
    config += "hierarchy: [{name: c, path: common.yaml}]\n"
    settings = {"environmentpath": "/no/such/envs"}
    assert session(tmp_path, config, puppet_settings=settings).lookup("k").unwrap() == "common"
    assert session(tmp_path, config).lookup("k").error is not None


def test_a_directory_that_is_here_stays(tmp_path: Path) -> None:
    code = tmp_path / "code/environments"
    write_files(code / "production", {"data/common.yaml": "k: server\n"})
    config = DEFAULTS.format(f"{code}/production/data")
    config += "hierarchy: [{name: c, path: common.yaml}]\n"
    outcome = session(tmp_path, config).lookup("k")
    assert (outcome.unwrap(), outcome.logs) == ("server", [])


def test_a_missing_file_of_an_environment_that_is_here_stays_missing(tmp_path: Path) -> None:
    code = tmp_path / "code/environments"
    write_files(code / "production", {"data/other.yaml": "o: server\n"})
    level = f"path: '{code}/production/data/common.yaml'"
    config = f"version: 5\nhierarchy: [{{name: c, {level}}}]\n"
    assert session(tmp_path, config).lookup("k").error is not None


def test_other_environments_are_not_replaced(tmp_path: Path) -> None:
    config = DEFAULTS.format(f"{SERVER}/other/data")
    config += "hierarchy: [{name: c, path: common.yaml}]\n"
    outcome = session(tmp_path, config).lookup("k")
    assert outcome.error is not None
    assert outcome.logs == []


def test_completion_leaves_the_note_to_the_first_lookup(tmp_path: Path) -> None:
    config = DEFAULTS.format(f"{SERVER}/production/data")
    config += "hierarchy: [{name: c, path: common.yaml}]\n"
    made = session(tmp_path, config)
    assert made.data_keys.values() == {"k": "common"}
    assert len(made.lookup("k").logs) == 1
