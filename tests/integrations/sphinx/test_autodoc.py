"""What a page says of the objects of a module, and where they can be linked to."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from sphinx.errors import ConfigError

from tests.integrations.sphinx.building import MISTAKES, Documentation, inventory


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Documentation:
    found = Documentation(tmp_path_factory.mktemp("autodoc"), ".. puppet:automodule:: widget\n")
    found.build("html")
    assert found.warnings == MISTAKES
    found.build("text")
    return found


def test_every_kind_is_in_the_inventory(module: Documentation) -> None:
    found = inventory(module.directory / "out")
    names = {kind: set(of) for kind, of in found.items() if kind not in ("param", "property")}
    assert names == {
        "class": {"widget"},
        "define": {"widget::part"},
        "function": {"widget::twice", "widget::join", "widget_old"},
        "type": {"Widget::Port", "Widget::Section"},
        "resource": {"widget_file", "widget_api"},
        "provider": {"widget_file::posix"},
        "task": {"widget::restart"},
        "plan": {"widget::deploy"},
    }


def test_every_parameter_is_a_target(module: Documentation) -> None:
    found = inventory(module.directory / "out")
    assert set(found["param"]) == {
        *(f"widget::{name}" for name in ("port", "mode", "options", "undocumented", "required")),
        *("widget::text", "widget::level", "widget::part::flag", "widget::part::rest"),
        *("widget::part::name", "widget::part::typo", "widget::twice::n", "widget::join::left"),
        *("widget::join::right", "widget::join::all", "widget::join::block", "widget_file::path"),
        *("widget_file::force", "widget_file::provider", "widget_api::name"),
        *("Widget::Section::First", "widget::restart::force", "widget::deploy::targets"),
    }
    assert set(found["property"]) == {
        *("widget_file::ensure", "widget_file::colour", "widget_api::ensure"),
    }
    html = module.text("out/index.html")
    for address in [*found["param"].values(), *found["property"].values()]:
        page, _, anchor = address.partition("#")
        assert page == "index.html"
        assert html.count(f'id="{anchor}"') == 1, anchor
    assert found["param"]["widget::port"] == "index.html#puppet-class-widget--port"


def test_every_object_is_in_the_index_and_the_search(module: Documentation) -> None:
    general = module.text("out/genindex.html")
    assert 'href="index.html#puppet-class-widget--port"' in general
    assert "parameter of widget" in general
    assert "property of widget_file" in general
    listing = module.text("out/puppet-index.html")
    assert "widget::join" in listing
    assert "puppet-class-widget--port" not in listing
    search = module.text("out/searchindex.js")
    for word in ("Widget::Section", "widget::port", "widget_file::colour"):
        head, _, last = word.rpartition("::")
        assert head in search
        assert last in search


EXPECTED = {
    "a class with many parameters": """
class widget(…) inherits widget::params

   Serve widgets

   Longer *text* about widget::part and {widget::nowhere the other},
   not "{widget}".

   +------+-------+
   | size | price |
   |======|=======|
   | "1"  | 2     |
   +------+-------+

      quoted

   -[ Heading ]-

   Note: Beware

   To do: More
""",
    "examples": """
   -[ Examples ]-

   Plain

      class { 'widget': port => 8080 }

   On the command line

      $ puppet apply -e 'include widget'
""",
    "parameters": """
   -[ Parameters ]-

   port: Integer[1, 65535] = 80

      The port, see "--port"

   mode: Enum['a', "b c"] = "b    c"

      How it is done:

      * one

      * two

   options: Hash = {}

      Options:

      * "first" ("String") – The first

      * "second" ("Integer") – The second

   undocumented = undef

      Data type:

         Optional[Variant[
           String[1],
           Struct[{
             name    => Widget::Port,
             'other' => Array[Pattern[/\\A#[a-z(]+\\z/]],
           }],
         ]]

   required: Widget::Port

   text: String

      Default value:

         @("END"/L)
             Some text # no comment
             | END

   level: String = 'low'

      Values:

      * "low" – Little

      * "high" – Much
""",
    "fields": """
   See also:
      * widget::part

      * https://example.com/ – The page

      * the manual of widgets

   Since:
      1.0

   Author:
      Somebody
""",
    "a deprecated define": """
define widget::part(Boolean $flag = false, *$rest)

   Deprecated: Use widget instead.

   A part.

   -[ Parameters ]-

   name

      The name of it

   typo

      There is no such parameter

   flag: Boolean = false

   *rest
""",
    "a function": """
function widget::twice(Integer $n) >> Integer

   Doubles.

   -[ Parameters ]-

   n: Integer

      What is doubled

   Returns:
      "Integer" – twice as much

   Raises:
      * "Puppet::ParseError" – when it is too much

      * "Widget::Error" – when it is too little
""",
    "a function of two signatures": """
function widget::join(String $left, Optional[Integer] $right) >> String
function widget::join(Array[String] *$all, Callable[1, 1] &$block)

   Joins widgets.
""",
    "the first of them": """
   function widget::join(String $left, Optional[Integer] $right) >> String

      Joins two.

      -[ Example ]-

         widget::join('a', 'b')

      -[ Parameters ]-

      left: String

         The left one

      right: Optional[Integer]

         The right one

      Returns:
         "String" – Both
""",
    "types": """
type Widget::Port = Integer[1, 65535]

   The number of a port

type Widget::Section

   Keys of a section

   Alias of

      Struct[{
        Optional['First']  => Enum[
          'simple',
          'exec',
          'forking',
          'oneshot',
          'dbus',
          'notify',
          'idle',
        ],
        Optional['Second'] => Widget::Port,
      }]

   -[ Keys ]-

   First

      What is first
""",
    "a resource type": """
resource widget_file

   Manages a file of widgets.

   -[ Features of providers ]-

   * "colours" – can colour them

   -[ Properties ]-

   ensure = present

      Whether it is there.

      Valid values:
         "present", "absent"

   colour

      Its colour.

      Required features of the provider:
         "colours"

   -[ Parameters ]-

   path (namevar)

      Where it is.

   force = false

      Whether to overwrite it.

      Valid values:
         "true", "false"

   provider

      Providers of this module:
         posix
""",
    "one of the Resource API": """
resource widget_api

   A type of the Resource API.

   -[ Properties ]-

   ensure: Enum[present, absent] = 'present'

      Whether it is there.

   -[ Parameters ]-

   name: String (namevar)

      Its name.
""",
    "a provider": """
provider widget_file::posix

   Widgets of POSIX.

   Confined to:
      "kernel = Linux"

   Default for:
      "kernel = Linux"

   Commands:
      "tool = widget"
""",
    "a task": """
task widget::restart(Array[String] $force = ['a', 'b'])

   Restarts widgets.

   Supports noop:
      "yes"

   Input method:
      "stdin"

   -[ Parameters ]-

   force: Array[String] = ['a', 'b']

      Whether to wait
""",
    "a plan": """
plan widget::deploy(TargetSpec $targets)

   Deploys.

   -[ Parameters ]-

   targets: TargetSpec

      Where
""",
}


@pytest.mark.parametrize("part", EXPECTED)
def test_what_a_page_says(module: Documentation, part: str) -> None:
    text = module.text("out-text/index.txt")
    assert EXPECTED[part].strip("\n") in text, text


def test_links_of_comments(module: Documentation) -> None:
    html = module.text("out/index.html")
    assert html.count('href="#puppet-define-widget-part"') >= 2
    assert "{widget::nowhere the other}" in html
    assert 'href="#puppet-type-widget-port"' in html
    assert 'href="#puppet-provider-widget_file-posix"' in html


def test_classes_are_those_of_directives_written_by_hand(module: Documentation) -> None:
    html = module.text("out/index.html")
    for kind in ("class", "define", "function", "type", "resource", "task", "plan", "param"):
        assert f'<dl class="puppet {kind}">' in html
    assert 'class="puppet auto' not in html


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (":signature: long", "class widget(\n"),
        (":signature: short", "class widget(…) inherits widget::params\n"),
        (":signature: none", "class widget inherits widget::params\n"),
        (":no-index:", "class widget(…) inherits widget::params\n"),
    ],
)
def test_signatures(tmp_path: Path, options: str, shown: str) -> None:
    found = Documentation(tmp_path, f".. puppet:autoclass:: ::Widget\n   {options}\n")
    found.build("text")
    assert found.warnings == []
    text = found.text("out-text/index.txt")
    assert shown.rstrip("\n") in text
    if "long" in options:
        assert "Integer[1, 65535] $port = 80," in text
        assert '$text = @("END"/L)' in text
    if "no-index" in options:
        out = found.build("html")
        assert inventory(out) == {}


def test_types_of_a_function(tmp_path: Path) -> None:
    found = Documentation(tmp_path, ".. puppet:autofunction:: widget::sized\n")
    found.write({
        "module/lib/puppet/functions/widget/sized.rb": """# Sized.
Puppet::Functions.create_function(:'widget::sized') do
  local_types do
    type 'Size = Variant[Integer, Sizes]'
    type 'Sizes = Array[Size]'
  end
  dispatch(:sized) { param 'Size', :size; return_type 'Size' }
end
"""
    })  # fmt: skip
    found.build("text")
    assert found.text("out-text/index.txt").endswith("""
   -[ Types of this function ]-

      type Size = Variant[Integer, Sizes]
      type Sizes = Array[Size]
""")


def test_what_is_selected(tmp_path: Path) -> None:
    found = Documentation(
        tmp_path,
        ".. puppet:automodule::\n   :kinds: function, class\n   :private:\n"
        "   :exclude: widget::t* widget_*\n",
    )
    out = found.build()
    assert found.warnings == []
    assert {kind: set(of) for kind, of in inventory(out).items() if kind != "param"} == {
        "class": {"widget", "widget::params"},
        "function": {"widget::join"},
    }
    assert "Private: for this module alone." in found.text("out/index.html")


@pytest.mark.parametrize(
    ("directive", "message"),
    [
        (".. puppet:autoclass:: nowhere", "WARNING: no class nowhere in puppet_sources"),
        (".. puppet:automodule::\n   :kinds: klass", "ERROR: no kind klass; there are class, "),
        (".. puppet:autoclass:: widget\n   :signature: x", '"x" unknown; choose from "short"'),
        (".. puppet:param:: x", "ERROR: puppet:param belongs into the description of an object"),
    ],
)
def test_mistakes(tmp_path: Path, directive: str, message: str) -> None:
    found = Documentation(tmp_path, directive)
    found.build("pseudoxml")
    assert any(line.startswith("index.rst:4: ") for line in found.warnings), found.warnings
    assert message in "\n".join(found.warnings)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    found = Documentation(tmp_path, ".. puppet:automodule:: widget\n   :kinds: plan\n")
    found.write({"module/manifests/bad.pp": "class widget::bad {\n", "module/tasks/bad.json": "{"})
    found.build("pseudoxml")
    assert [line.partition(": WARNING: ")[0] for line in found.warnings] == [
        "module/manifests/bad.pp:1",
        "module/tasks/bad.json:1",
    ]
    assert all(line.endswith("[puppet.source]") for line in found.warnings)


def test_sources_of_every_form(tmp_path: Path) -> None:
    """A directory of manifests, a single one, a directory of modules."""
    found = Documentation(
        tmp_path,
        ".. puppet:automodule::\n",
        'puppet_sources = ["loose", "one.pp", "modules"]',
    )
    found.write({
        "loose/manifests.pp": "class loose { }",
        "loose/deep/er.pp": "class loose::deeper { }",
        "one.pp": "type One = Integer",
        "modules/a/manifests/init.pp": "class a { }",
        "modules/b/tasks/init.json": '{"description": "Does b."}',
        "modules/README.md": "",
    })  # fmt: skip
    out = found.build()
    assert found.warnings == []
    assert {kind: set(of) for kind, of in inventory(out).items()} == {
        "class": {"loose", "loose::deeper", "a"},
        "type": {"One"},
        "task": {"b"},
    }


def test_sources_that_are_not_there(tmp_path: Path) -> None:
    found = Documentation(tmp_path, ".. puppet:automodule::\n", 'puppet_sources = "nowhere"\n')
    found.build("pseudoxml")
    assert found.warnings == ["nowhere:1: WARNING: No such file or directory [puppet.source]"]


def test_images_of_the_module(tmp_path: Path) -> None:
    found = Documentation(tmp_path, ".. puppet:autoclass:: pictured\n")
    found.write({"module/manifests/pictured.pp": "# ![a dot](docs/dot.svg)\nclass pictured { }\n"})
    found.write({"module/docs/dot.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>'})
    out = found.build()
    assert found.warnings == []
    assert (out / "_images" / "dot.svg").is_file()


def test_only_addresses_of_pages_are_links(tmp_path: Path) -> None:
    found = Documentation(tmp_path, ".. puppet:autoclass:: widget::evil\n")
    found.write({
        "module/manifests/evil.pp": "# Text.\n# @see javascript://%0aalert(1)\n"
        "# @see data://x\nclass widget::evil { }\n",
    })  # fmt: skip
    found.build()
    assert "javascript" in found.text("out/index.html")
    assert 'href="javascript' not in found.text("out/index.html")
    assert 'href="data' not in found.text("out/index.html")


@pytest.mark.parametrize("sources", [None, 3, ["a", 1]])
def test_sources_that_are_no_paths(tmp_path: Path, sources: object) -> None:
    with pytest.raises(ConfigError, match="puppet_sources: a path or a list of paths"):
        Documentation(tmp_path, "").build(puppet_sources=sources)
