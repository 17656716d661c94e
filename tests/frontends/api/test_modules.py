"""What a module defines, for Python programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import puppet_repl as puppet

FILES = {
    "metadata.json": '{"name": "me-web", "version": "1.2.3"}',
    "manifests/init.pp": """
        # @summary Serve pages.
        #
        # @param port Where it listens.
        class web(Integer[1, 65535] $port = 80, Optional[String] $name_of_host = undef, $any) { }
    """,
    "manifests/site.pp": "define web::site(String $root) { }",
    "functions/one.pp": 'function web::one(Integer $x) >> String { "${x}" }',
    "types/port.pp": "type Web::Port = Integer[1, 65535]",
    "lib/puppet/functions/web/two.rb": """
Puppet::Functions.create_function(:'web::two') do
  # @param x A number.
  dispatch :two do
    param 'Integer', :x
    return_type 'String'
  end
  def two(x)
    x.to_s
  end
end
    """,
    "tasks/go.json": '{"description": "Go.", "parameters": {"to": {"type": "String"}}}',
    "plans/all.pp": "plan web::all(String $targets) { }",
    "manifests/broken.pp": "class web::broken {",
}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "web" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "web"


def test_kinds(directory: Path) -> None:
    module = puppet.module(directory)
    assert (module.name, module.version) == ("web", "1.2.3")
    kinds = ("classes", "defined_types", "functions", "type_aliases", "tasks", "plans")
    names = {kind: [each.name for each in getattr(module, kind)] for kind in kinds}
    assert names == {
        "classes": ["web"],
        "defined_types": ["web::site"],
        "functions": ["web::one", "web::two"],
        "type_aliases": ["Web::Port"],
        "tasks": ["go"],
        "plans": ["web::all"],
    }
    assert module.resource_types == module.data_types == ()
    assert [(each.level, each.file) for each in module.problems] == [
        ("error", "manifests/broken.pp")
    ]


def test_parameters(directory: Path) -> None:
    web = puppet.module(directory).classes[0]
    assert web.summary == "Serve pages."
    assert [(each.name, each.type, each.default) for each in web.parameters] == [
        ("port", "Integer[1, 65535]", "80"),
        ("name_of_host", "Optional[String]", "undef"),
        ("any", None, None),
    ]
    port = web.parameter("port")
    assert port is not None
    assert port.text == "Where it listens."
    assert puppet.module(directory).type_aliases[0].alias_of == "Integer[1, 65535]"
    assert puppet.module(directory).functions[1].parameters[0].type == "Integer"


def test_as_data(directory: Path) -> None:
    module = puppet.module(str(directory))
    data = module.to_dict()
    assert json.loads(module.to_json()) == json.loads(json.dumps(data))
    web = data["classes"][0]
    assert (web["kind"], web["name"], web["file"]) == ("class", "web", "manifests/init.pp")
    assert web["summary"] == "Serve pages."
    assert web["parameters"][0]["name"] == "port"
    assert web["parameters"][0]["type"] == "Integer[1, 65535]"
    assert web["parameters"][0]["default"] == "80"
    assert web["parameters"][2]["default"] is None
    assert data["problems"][0]["file"] == "manifests/broken.pp"


def test_a_directory_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nothing"):
        puppet.module(tmp_path / "nothing")
