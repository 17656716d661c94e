"""The index of what modules define, and what they lack for sure."""

from __future__ import annotations

from pathlib import Path

import pytest

import puppet_repl as puppet
from puppet_repl.environment.modules.listings import Listings
from puppet_repl.environment.modules.modules import Module
from puppet_repl.tools.validation.definitions import DefinitionFiles
from puppet_repl.tools.validation.index import Index
from puppet_repl.tools.validation.module_index import ModuleIndex
from tests.conformance.judge import write_files

WEB = {
    "manifests/init.pp": "class web(Web::Port $port, String $name = 'x') { class inner { } }",
    "manifests/site.pp": "define web::site(Array[Web::Port] $ports) { }",
    "manifests/broken.pp": "class web::broken {",
    "manifests/other.pp": "class web::misplaced { }",
    "functions/url.pp": "function web::url() { 'x' }",
    "types/set.pp": "type Web::Set = TypeSet[{pcore_version => '1.0.0', types => {In => Any}}]",
    "types/port.pp": "type Web::Port = Integer[1, 9]",
    "types/loop.pp": "type Web::Loop = Variant[Far::Away, Integer]",
    "lib/puppet/type/web_page.rb": "Puppet::Type.newtype(:web_page) { }",
    "lib/puppet/functions/web/ruby.rb": "",
    "lib/puppet/parser/functions/web_old.rb": "",
    "metadata.json": '{"name": "me-web", "dependencies": [{"name": "puppetlabs/stdlib"}]}',
}


def module(directory: Path, name: str, files: dict[str, str]) -> ModuleIndex:
    for path, text in files.items():
        file = directory / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    listings = Listings()
    return ModuleIndex(Module(name, str(directory / name)), DefinitionFiles(), listings)


@pytest.fixture
def index(tmp_path: Path) -> Index:
    web = module(tmp_path, "web", WEB)
    (tmp_path / "empty").mkdir()
    empty = module(tmp_path, "empty", {})
    return Index({"web": web, "empty": empty}, None, web)


def test_definitions_are_found_where_puppet_looks_for_them(index: Index) -> None:
    site = index.find("define", "web::site")
    assert site is not None
    assert site.title == "the defined type web::site"
    assert [each.name for each in site.parameters] == ["ports"]
    assert (site.source.name or "").endswith("site.pp")
    assert index.find("class", "web::site") is None
    assert index.find("class", "web::misplaced") is None
    assert index.find("function", "web::url") is not None
    assert index.find("class", "far::away") is None


def test_names_are_lacking_where_nothing_could_define_them(index: Index) -> None:
    assert index.lacks_class("web::sites")
    assert index.lacks_function("web::uri")
    assert index.lacks_resource_type("web::sites")
    assert index.lacks_type("web::ports")
    assert index.lacks_type("web::port::in")
    # Functions and types without a namespace: stdlib, which it depends on, is bundled.
    assert index.lacks_function("weburl")
    assert index.lacks_resource_type("webpage")
    assert index.lacks_type("webpage")


@pytest.mark.parametrize(
    "name",
    [
        "web",
        "web::inner",  # defined in another class, by its short name
        "web::broken",  # its file does not parse
        "web::misplaced",  # another check tells that it is in the wrong file
        "far::away",  # no such module
        "empty::any",  # a module that was not fetched
    ],
)
def test_a_class_is_not_called_unknown_where_it_may_exist(index: Index, name: str) -> None:
    assert not index.lacks_class(name)


def test_functions_and_types_of_all_kinds_are_known(index: Index) -> None:
    for name in ("web::url", "web::ruby", "web_old", "notice", "merge", "validate_re", "far::f"):
        assert not index.lacks_function(name), name
    for name in ("file", "web_page", "web::site", "file_line", "anchor", "pe_ini_setting"):
        assert not index.lacks_resource_type(name), name
    for name in (
        "integer",
        "web::set::in",
        "web_page",
        "web::port",
        "web::site",
        "error",
        "far::away",
    ):
        assert not index.lacks_type(name), name


def test_without_all_dependencies_a_short_name_may_be_of_any_module(tmp_path: Path) -> None:
    metadata = '{"name": "me-web", "dependencies": [{"name": "them/far"}]}'
    web = module(tmp_path, "web", {**WEB, "metadata.json": metadata})
    index = Index({"web": web}, None, web)
    assert not index.lacks_function("weburl")
    assert not index.lacks_resource_type("webpage")
    # A slip of the finger in the name of one of Puppet's own functions.
    assert index.lacks_function("contian")
    assert index.near_function("contian") == "contain"
    assert index.near_function("contaain") == "contain"
    for name in ("value", "includes", "printf", "sha1"):
        assert not index.lacks_function(name)


def test_types_of_parameters_are_made_without_evaluating_anything(index: Index) -> None:
    site = index.find("define", "web::site")
    assert site is not None
    kind = site.parameters[0].type_expr
    assert kind is not None
    made = index.type_of(kind, site.source)
    assert made is not None
    assert made.predicate()((1, 9))
    assert not made.predicate()((1, 10))


def test_a_type_with_an_unknown_part_is_unknown(index: Index) -> None:
    loop = index.find("type", "web::loop")
    assert loop is not None
    assert loop.value is not None
    assert index.type_of(loop.value, loop.source) is None


def test_the_modules_of_a_puppetfile_close_an_environment(tmp_path: Path) -> None:
    web = module(tmp_path, "web", WEB)
    site = module(tmp_path, "environment", {"manifests/site.pp": "function own() { 1 }"})
    puppetfile = tmp_path / "environment" / "Puppetfile"

    def closed(text: str) -> bool:
        puppetfile.write_text(text, "utf-8")
        return Index({"web": web}, site, None).is_closed

    assert closed("mod 'me-web', '1.0.0'")
    assert not closed("mod 'me-web'\nmod 'them-far'")
    assert not closed("mod 'me-web'\n%w[a b].each { |name| mod name }")
    assert not Index({"web": web}, site, None).lacks_function("own")


@pytest.mark.parametrize(
    ("name", "puppetfile", "meant"),
    [
        ("profil::base", "mod 'a/apt', '1.0.0'\n", "profile::base"),
        ("profil::other", "mod 'a/apt', '1.0.0'\n", None),
        ("ntp::base", "mod 'a/apt', '1.0.0'\n", None),
        ("profil::base", "mod 'a/apt', '1.0.0'\nmod 'a/profil', '1.0.0'\n", None),
        ("profil::base", "", None),
    ],
)
def test_a_class_of_a_module_with_a_similar_name(
    name: str, puppetfile: str, meant: str | None, tmp_path: Path
) -> None:
    """Expect a warning only where all modules of the Puppetfile are there."""
    write_files(
        tmp_path,
        {
            "Puppetfile": puppetfile,
            "modules/apt/manifests/init.pp": "class apt { }",
            "site-modules/profile/manifests/base.pp": "class profile::base { }",
            "manifests/site.pp": f"node default {{ include {name} }}",
        },
    )
    found = puppet.validate(tmp_path / "manifests", advice=True)
    assert [each.code for each in found] == (["unknown_class"] if meant else [])
    assert all(each.message.endswith(f"did you mean {meant}?") for each in found)
