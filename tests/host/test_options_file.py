"""``.puppet-repl.toml``: what it may set, and the refusal of everything else, with its line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.host.options_file import OptionsFile, OptionsFileError
from tests.conformance.judge import write_files

FILES = {
    "environments/test/environment.conf": "",
    "modules/web/manifests/init.pp": "",
    "facts/web01.yaml": "a: 1",
    "hiera.yaml": "",
    "enc": "#!/bin/sh",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_files(tmp_path / "top", FILES)
    write_files(tmp_path, {"outside/secret.yaml": "a: 1"})
    (tmp_path / "top/link").symlink_to(tmp_path / "outside")
    return tmp_path / "top"


def read(root: Path, text: str) -> OptionsFile:
    (root / ".puppet-repl.toml").write_text(text)
    return OptionsFile(str(root / ".puppet-repl.toml"), str(root))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", {}),
        ("environment = 'environments/test'", {"environment": "{root}/environments/test"}),
        ("environment = '.'", {"environment": "{root}"}),
        ("modulepath = 'modules'", {"modulepath": "{root}/modules"}),
        ("modulepath = ['modules', '.']", {"modulepath": "{root}/modules:{root}"}),
        ("facts = 'rocky-9'", {"facts": ["rocky-9"]}),
        ("facts = ['rocky-9', 'facts/web01.yaml']",
         {"facts": ["rocky-9", "{root}/facts/web01.yaml"]}),
        ("node = 'web01'\n[trusted]\npp_role = 'web'",
         {"node": "web01", "trusted": ["pp_role=web"]}),
        ("puppet_settings = {ca_server = 'ca', noop = true, ca_port = 1}",
         {"puppet_settings": ["ca_server=ca", "noop=true", "ca_port=1"]}),
        ("strict = 'off'\nstrict_variables = false", {"strict": "off", "strict_variables": False}),
        ("ruby = 'off'\nhermetic = true", {"ruby": "off", "hermetic": True}),
        ("enc = 'facts'", {"enc": "{root}/facts"}),
        ("enc = 'hiera.yaml'", {"enc": "{root}/hiera.yaml"}),
        ("hiera_config = 'hiera.yaml'", {"hiera_config": "{root}/hiera.yaml"}),
    ],
)  # fmt: skip
def test_options(text: str, values: dict[str, Any], root: Path) -> None:
    def placed(value: Any) -> Any:
        if isinstance(value, list):
            return [placed(each) for each in value]
        return value.replace("{root}", str(root)) if isinstance(value, str) else value

    file = read(root, text)
    assert file.base == {name: placed(value) for name, value in values.items()}
    assert not file.profiles
    in_profile = read(root, "[profiles.a]\n" + text.replace("[trusted]", "[profiles.a.trusted]"))
    assert (in_profile.base, in_profile.profile("a")) == ({}, file.base)


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("allow_generate = true", 1, "'allow_generate' cannot be set in the file of a repository"),
        ("allow_generate = false", 1, "'allow_generate' cannot be set"),
        ("\nruby = 'system'", 2, "'ruby' cannot be set in the file of a repository: only 'off'"),
        ("ruby = 'auto'", 1, "'ruby' cannot be set"),
        ("ruby = './run'", 1, "'ruby' cannot be set"),
        ("ruby = ['off']", 1, "'ruby' cannot be set"),
        ("hooks = ['a']", 1, "'hooks' cannot be set in the file of a repository: they would start"),
        ("puppetdb = 'https://p'", 1, "'puppetdb' cannot be set"),
        ("puppet_settings = {localcacert = 'ca.pem'}", 1, "localcacert is for the user to choose"),
        ("node = 'a'\n[puppet_settings]\nhostprivkey = 'k'", 2, "hostprivkey is for the user"),
        ("max_seconds = 1", 1, "it is for the user to choose"),
        ("max_memory = '9T'", 1, "it is for the user to choose"),
        ("[profiles.a]\nnode='a'\n[profiles.b]\n\nruby='system'", 5, "'ruby' cannot be set"),
        ("[profiles]\na = {node='a', ruby='system'}", 2, "'ruby' cannot be set"),
        ("environment = '/etc'", 1, "environment: /etc is outside of the repository"),
        ("environment = '..'", 1, "environment: .. is outside of the repository"),
        ("modulepath = ['modules', 'link']", 1, "modulepath: link is outside of the repository"),
        ("facts = 'link/secret.yaml'", 1, "facts: link/secret.yaml is outside of the repository"),
        ("facts = '../outside/secret.yaml'", 1, "secret.yaml is outside of the repository"),
        ("facts = '~/x'", 1, "facts: there is no ~/x"),
        ("hiera_config = 'modules/../../outside/secret.yaml'", 1, "outside of the repository"),
        ("stubs = \"a\\u0000b\"", 1, "stubs: a path cannot have NUL in it"),
        ("enviroment = '.'", 1, "there is no option 'enviroment'; did you mean environment?"),
        ("x = 1\nprofiles = 1", 2, "profiles are tables: [profiles.NAME]"),
        ("[profiles]\nx = 1", 2, "the profile 'x' is not a table"),
        ("enc = 'enc'", 1, "enc: a file of data ends in .yaml, .yml, .json: programs are refused"),
        ("node = 1", 1, "node: a string is needed, not 1"),
        ("strict = 'very'", 1, "strict: error, warning, off are the choices, not 'very'"),
        ("strict_variables = 'no'", 1, "strict_variables: true or false is needed, not 'no'"),
        ("trusted = 'a'", 1, "trusted: a table is needed, not 'a'"),
        ("[trusted]\na = []", 1, "trusted: a string is needed, not []"),
        ("modulepath = [1]", 1, "modulepath: a string, or an array of strings, is needed, not 1"),
    ],
)  # fmt: skip
def test_what_is_refused(text: str, line: int, why: str, root: Path) -> None:
    with pytest.raises(OptionsFileError) as caught:
        read(root, text)
    name, _, message = str(caught.value).partition(": ")
    assert name == f"{os.path.relpath(root / '.puppet-repl.toml')}:{line}"
    assert why in message


def test_what_is_not_toml(root: Path) -> None:
    with pytest.raises(OptionsFileError, match=r"\.puppet-repl\.toml: .*line 1"):
        read(root, "a b")


def test_the_users_own_profiles_name_any_path(root: Path) -> None:
    path = root / "config.toml"
    path.write_text(
        "theme = 'x'\n[profiles.a]\npuppetdb = 'https://p:1'\nenvironment = '/etc'\n"
        "facts = '~/f.yaml'\nruby = 'system'\n"
        "max_seconds = 5\n"
    )
    file = OptionsFile(str(path), None)
    assert file.base == {}
    assert file.profile("a") == {
        "puppetdb": "https://p:1",
        "environment": "/etc",
        "facts": [os.path.expanduser("~/f.yaml")],
        "ruby": "system",
        "max_seconds": 5,
    }
