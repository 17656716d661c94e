"""The data of a module that completes its documentation, and the data that is left out.

The module ``layers`` has the values that openvox-strings shows; here are the files that it refuses.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_repl.base.reach import Reach
from puppet_repl.environment.reference.module import read_module
from puppet_repl.environment.reference.module_data import data_files, read_module_data

CONFIG = "version: 5\nhierarchy: [{name: common, path: common.yaml}]\n"


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "module/data").mkdir(parents=True)
    (tmp_path / "module/hiera.yaml").write_text(CONFIG, encoding="utf-8")
    return tmp_path / "module"


def test_the_data_directory_is_data_by_default(module: Path) -> None:
    (module / "data/common.yaml").write_text("a::b: 1\n", encoding="utf-8")
    assert read_module_data(str(module)) == {"a::b": 1}


@pytest.mark.parametrize(
    "text",
    [
        "a::b: &x 1\na::c: *x\n",
        "a::b: 2001-01-01\n",
        "a::b: !ruby/object:Foo {}\n",
        "a::b: [1\n",
        "- a::b\n",
        "",
        b"a::b: \xff\n",
    ],
)
def test_data_that_ruby_does_not_load(module: Path, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    (module / "data/common.yaml").write_bytes(data)
    assert read_module_data(str(module)) == {}


@pytest.mark.parametrize(
    "config",
    [
        "",
        "[]",
        "version: 5\n",
        "hierarchy: common\n",
        "hierarchy: [common]\n",
        "hierarchy: [{name: a, path: '%{os}.yaml'}, {name: b, glob: '*.yaml'}]\n",
        "hierarchy: [{name: a, path: missing.yaml}, {name: b, path: common.yaml}]\n",
        "hierarchy: [{name: a, paths: [1, common.yaml]}]\n",
        'hierarchy: [{name: a, path: "common.yaml\\0"}]\n',
    ],
)
def test_levels_that_are_not_read(module: Path, config: str) -> None:
    (module / "data/common.yaml").write_text("a::b: 1\n", encoding="utf-8")
    (module / "hiera.yaml").write_text(config, encoding="utf-8")
    assert read_module_data(str(module)) == {}


def test_files_outside_of_the_module_are_not_read(module: Path) -> None:
    (module.parent / "secret.yaml").write_text("a::b: 1\n", encoding="utf-8")
    config = "hierarchy: [{name: a, path: ../../secret.yaml}]\n"
    (module / "hiera.yaml").write_text(config, encoding="utf-8")
    assert read_module_data(str(module)) == {}
    assert data_files(str(module)) == [str(module / "hiera.yaml")]
    (module / "hiera.yaml").write_text(CONFIG, encoding="utf-8")
    (module / "data/common.yaml").symlink_to(module.parent / "secret.yaml")
    assert read_module_data(str(module)) == {}
    assert data_files(str(module)) == [str(module / "hiera.yaml")]


def test_parameters_of_classes_have_the_values_as_code() -> None:
    layers = read_module(Path(__file__).parent / "modules/layers")
    found = {each.name: each.data_default for each in layers.classes[0].parameters}
    assert found["text"] == "'it\\'s a \"text\"'"
    assert found["empty"] == "''"
    assert found["null"] == "undef"
    assert found["list"] == "[1, undef, '', [], {}, 'two']"
    assert found["in_code"] is None, "the code has the last word"
    assert found["second"] is None, "the first file of a level counts"
    assert layers.defined_types[0].parameters[0].data_default is None, "Puppet looks up none"
    told = {each["name"]: each for each in layers.classes[0].to_dict()["parameters"]}
    assert told["null"]["data_default"] == "undef"
    assert "data_default" not in told["in_code"]


def test_files_out_of_reach_are_not_read(module: Path) -> None:
    (module / "data/common.yaml").write_text("a::b: 1\n", encoding="utf-8")
    assert read_module_data(str(module), Reach([str(module)])) == {"a::b": 1}
    assert read_module_data(str(module), Reach([], [str(module / "hiera.yaml")])) == {}
    assert read_module_data(str(module), Reach([])) == {}
