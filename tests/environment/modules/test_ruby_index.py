"""Where modules have resource types and functions in Ruby, and when that is looked at again."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from puppet_repl.environment.modules.listings import Listings
from puppet_repl.environment.modules.modules import Module
from puppet_repl.environment.modules.ruby_index import OwnRuby, RubyIndex, RubyIndexes
from puppet_repl.frontends.cli.batch import answer
from puppet_repl.frontends.cli.batch_sessions import Sessions

TYPE = "Puppet::Type.newtype(:{}) do\n  newparam(:name, namevar: true)\nend\n"


def write(root: Path, *files: str) -> None:
    """Write files below ``lib/puppet`` of a module, and make its directories look old."""
    for file in files:
        path = root / "lib" / "puppet" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TYPE.format(path.stem), encoding="utf-8")
    age(root)


def age(root: Path) -> None:
    """Make directories look as if their last change was a while ago."""
    before = time.time() - 60
    for directory in (root, *[path for path in root.rglob("*") if path.is_dir()]):
        os.utime(directory, (before, before))


def index(indexes: RubyIndexes, listings: Listings, *paths: Path, **more: Any) -> RubyIndex:
    """Return the index of modules, as an input that begins sees it."""
    listings.look.take()
    modules = [Module(path.name, str(path)) for path in paths]
    return indexes.index(("path",), modules, more.get("left_out", ()), None, listings)


def test_a_module(tmp_path: Path) -> None:
    write(tmp_path, "type/a.rb", "provider/a/ruby.rb", "functions/m/f.rb", "functions/g.rb")
    write(tmp_path, "parser/functions/old.rb", "type/note.txt", "type/inner/b.rb")
    own = OwnRuby(str(tmp_path), Listings())
    assert own.types == {"a": str(tmp_path / "lib/puppet/type/a.rb")}
    assert own.providers == str(tmp_path / "lib/puppet/provider")
    assert (sorted(own.newer), list(own.older)) == (["g", "m::f"], ["old"])


def test_the_first_module_counts(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    write(one, "type/t.rb", "functions/f.rb", "functions/two/f.rb", "provider/other/x.rb")
    write(two, "type/t.rb", "functions/f.rb", "functions/two/f.rb", "parser/functions/f.rb")
    write(two, "provider/t/x.rb", "provider/empty/note.txt")
    listings = Listings()
    found = index(RubyIndexes(), listings, one, two)
    assert found.types["t"].startswith(str(one))
    assert found.functions["f"].startswith(str(one))
    assert found.functions["two::f"].startswith(str(two))
    assert found.legacy["f"].startswith(str(two))
    assert found.has_provider("t", listings)
    assert not found.has_provider("empty", listings)
    assert not found.has_provider("none", listings)


def test_a_module_left_out(tmp_path: Path) -> None:
    one, out = tmp_path / "one", tmp_path / "out"
    write(one, "type/t.rb")
    write(out, "type/u.rb", "functions/new.rb", "parser/functions/old.rb")
    left_out = [Module("out", str(out))]
    found = index(RubyIndexes(), Listings(), one, left_out=left_out)
    assert sorted(found.types) == ["t", "u"]
    assert list(found.functions) == list(found.legacy) == ["old"]


@pytest.mark.parametrize(
    "file", ["type/new.rb", "functions/m/new.rb", "functions/new.rb", "parser/functions/new.rb"]
)
def test_it_is_kept_until_a_file_comes_or_goes(tmp_path: Path, file: str) -> None:
    module = tmp_path / "m"
    write(module, "type/t.rb")
    indexes, listings = RubyIndexes(), Listings()
    first = index(indexes, listings, module)
    assert index(indexes, listings, module) is first
    write(module, file)
    second = index(indexes, listings, module)
    assert {"new", "m::new"} & {*second.types, *second.functions}
    (module / "lib" / "puppet" / file).unlink()
    third = index(indexes, listings, module)
    assert not {"new", "m::new"} & {*third.types, *third.functions}


def test_providers_come_and_go(tmp_path: Path) -> None:
    module = tmp_path / "m"
    write(module, "type/t.rb", "provider/other/x.rb")
    indexes, listings = RubyIndexes(), Listings()
    assert not index(indexes, listings, module).has_provider("t", listings)
    write(module, "provider/t/x.rb")
    assert index(indexes, listings, module).has_provider("t", listings)
    (module / "lib" / "puppet" / "provider" / "t" / "x.rb").unlink()
    assert not index(indexes, listings, module).has_provider("t", listings)


def test_requests_see_modules_and_types_that_have_come(tmp_path: Path) -> None:
    write(tmp_path / "m", "type/a.rb")
    age(tmp_path)
    sessions = Sessions()

    def error_of(code: str) -> str | None:
        request = {"code": code, "mode": "catalog", "modulepath": [str(tmp_path)], "ruby": "off"}
        error = answer(request, sessions).get("error")
        return None if error is None else str(error["message"])

    assert error_of("a { 'x': }") is None
    assert "Unknown resource type: 'b'" in str(error_of("b { 'x': }"))
    assert "Could not find class ::n" in str(error_of("include n"))
    write(tmp_path / "m", "type/b.rb")
    (tmp_path / "n" / "manifests").mkdir(parents=True)
    (tmp_path / "n" / "manifests" / "init.pp").write_text("class n { }", encoding="utf-8")
    assert error_of("b { 'x': }") is None
    assert error_of("include n") is None
