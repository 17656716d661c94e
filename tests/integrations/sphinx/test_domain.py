"""Documentations built with the domain: links, index, manifests, examples."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from tests.integrations.sphinx.building import Documentation, inventory

CONF = """
extensions = ["myst_parser", "puppet_repl.sphinx_domain"]
puppet_sources = ["manifests"]
"""
MANIFEST = """# @summary Serve pages
#
# Longer *text*, `code`, **more** and [a link](http://example.com/).
#
# * one
# * two
#
# @param port The port
# @example Plain
#   class { 'web': port => 8080 }
# @see web::part
# @note Beware
class web (Integer[1, 65535] $port = 80, Optional[Web::Part] $part = undef) inherits web::params { }

# @api private
class web::params { }

# Doubles.
# @return [Integer] twice as much
function web::twice(Integer $n) >> Integer { $n * 2 }

type Web::Part = Struct[{name => String}]
"""
INDEX = """
Index
=====

.. toctree::

   page

.. puppet:autoclass:: ::Web

   By hand: :puppet:class:`web`, :puppet:class:`::web`, :puppet:function:`web::twice()`,
   :puppet:type:`Web::Part[x]`, :puppet:obj:`~web::twice`, :any:`web::twice`,
   :puppet:type:`Integer`, :puppet:fact:`myfact`, :ref:`puppet-index`.

.. puppet:automodule:: web
   :kinds: function, type

.. puppet:define:: hand::made(String $a = 'x, y', Hash[String, Web::Part] *$b)

   :param a: the a
   :param Web::Part b: the b
   :raises Error: always

.. puppet:fact:: myfact

.. puppet-example::
   :output:

   $x = [1, 2].map |$i| {
     $i * 2
   }
   notice($x)

.. puppet-example::

   $x + 1  # => [2, 4, 1]
"""
PAGE = """# Page

```{puppet:plan} a::b(Integer $x) >> Array[String]
Text {puppet:class}`web`.
```

```puppet
1 + 1 # => 2
```
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "conf.py").write_text(CONF, encoding="utf-8")
    (tmp_path / "index.rst").write_text(INDEX, encoding="utf-8")
    (tmp_path / "page.md").write_text(PAGE, encoding="utf-8")
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "init.pp").write_text(MANIFEST, encoding="utf-8")
    return tmp_path


def build(project: Path, *options: str) -> tuple[int, str]:
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-n",
        "-q",
        "--no-color",
        *options,
    ]
    done = subprocess.run(
        [*command, str(project), str(project / "out")], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr.replace(str(project), "")


@pytest.mark.parametrize("options", [[], ["-j2"]], ids=["serial", "parallel"])
def test_a_documentation_without_a_warning(project: Path, options: list[str]) -> None:
    for number in range(8):  # so many that a parallel build reads them in several processes
        (project / f"more{number}.rst").write_text(
            f":orphan:\n\nMore\n====\n\n.. puppet:class:: more{number}\n", encoding="utf-8"
        )
    assert build(project, *options) == (0, "")
    index = (project / "out" / "index.html").read_text(encoding="utf-8")
    assert 'id="puppet-class-web"' in index
    assert index.count('href="#puppet-class-web"') >= 3
    assert 'href="#puppet-type-web-part"' in index
    assert "<em>text</em>" in index
    assert "twice as much" in index
    assert '<span class="go">[2, 4]</span>' in index
    assert "puppet-class-web-params" not in index
    page = (project / "out" / "page.html").read_text(encoding="utf-8")
    assert 'href="index.html#puppet-class-web"' in page
    listing = (project / "out" / "puppet-index.html").read_text(encoding="utf-8")
    for name in ("hand::made", "myfact", "more7", "web::twice"):
        assert name in listing


BY_HAND = """
.. puppet:class:: hand(Integer $port = 80, Pattern[/[a(]/] $name, $third) inherits other

   Text.

   .. puppet:param:: Optional[Hash] $nested = {}

      Nested.

   :param port: The port
   :param Array[String] third: typed here
   :param fourth: typed below
   :paramtype fourth: Boolean
   :returns: nothing

.. puppet:resource:: handmade

   .. puppet:property:: ensure

      :puppet:param:`hand::port`, :puppet:param:`$hand::nested`,
      :puppet:property:`handmade::ensure`, :puppet:obj:`hand::fourth`
"""


def test_parameters_by_hand(tmp_path: Path) -> None:
    """They are described as those of manifests are."""
    found = Documentation(tmp_path, BY_HAND)
    out = found.build()
    assert found.warnings == []
    assert inventory(out) == {
        "class": {"hand": "index.html#puppet-class-hand"},
        "resource": {"handmade": "index.html#puppet-resource-handmade"},
        "param": {
            f"hand::{name}": f"index.html#puppet-class-hand--{name}"
            for name in ("port", "nested", "third", "fourth")
        },
        "property": {"handmade::ensure": "index.html#puppet-resource-handmade--ensure"},
    }
    html = found.text("out/index.html")
    for address in ("class-hand--port", "class-hand--nested", "resource-handmade--ensure"):
        assert f'href="#puppet-{address}"' in html
    found.build("text")
    assert """
class hand(Integer $port = 80, Pattern[/[a(]/] $name, $third) inherits other

   Text.

   nested: Optional[Hash] = {}

      Nested.

   -[ Parameters ]-

   port: Integer = 80

      The port

   third: Array[String]

      typed here

   fourth: Boolean

      typed below

   Returns:
      nothing

resource handmade

   ensure
""" in found.text("out-text/index.txt")


@pytest.mark.slow
def test_names_that_nothing_defines(project: Path) -> None:
    page = project / "page.md"
    page.write_text(f"{PAGE}\n{{puppet:class}}`nowhere`\n", encoding="utf-8")
    with (project / "index.rst").open("a", encoding="utf-8") as index:
        index.write("\n.. puppet:autoclass:: missing\n")
    status, text = build(project)
    assert status == 1
    assert "page.md:11: WARNING: puppet:class reference target not found: nowhere" in text
    assert "index.rst:38: WARNING: no class missing in puppet_sources" in text


@pytest.mark.slow
def test_an_example_that_lies_fails_the_build(project: Path) -> None:
    (project / "page.md").write_text(PAGE.replace("# => 2", "# => 3"), encoding="utf-8")
    status, text = build(project)
    assert status == 1
    assert text.startswith(
        "/page.md:8: WARNING: example differs: 1 + 1: expected 3, got 2 [puppet.example]"
    )
    assert build(project, "-E", "-D", "puppet_check_examples=0") == (0, "")


@pytest.mark.slow
def test_sessions_of_a_page(project: Path) -> None:
    """What is shown follows from all examples above it, but for those of another session."""
    (project / "page.md").write_text(
        "# Page\n\n```puppet\n$a = 1\n$a # => 1\n```\n\n"
        "```{puppet-example}\n:hide:\n\n$b = 2\n```\n\n"
        "```{puppet-example}\n:output:\n\n$a + $b\n$b\n'x' + 1\n```\n\n"
        "```{puppet-example}\n:output:\n:session: other\n\ndefined('$a')\n```\n\n"
        "```puppet\n$b # => 2\n```\n",
        encoding="utf-8",
    )
    assert build(project, "-b", "text") == (0, "")
    assert (project / "out" / "page.txt").read_text(encoding="utf-8").split("\n\n")[2:] == [
        "   >> $a + $b\n   3\n   >> $b\n   2\n   >> 'x' + 1\n"
        "   Error: Evaluation Error: The value 'x' cannot be converted to Numeric. In[5]:1:1\n"
        "     1 | 'x' + 1\n       | ^^^\n"
        '     hint: + adds numbers; strings in double quotes interpolate: "${a}${b}"',
        "   >> defined('$a')\n   false",
        "   $b # => 2\n",
    ]
    assert build(project, "-b", "puppet-examples") == (0, "")


def test_an_endless_example_does_not_hang_the_build(project: Path) -> None:
    with (project / "conf.py").open("a", encoding="utf-8") as conf:
        conf.write("\npuppet_example_seconds = 0.5\n")
    text = "# Page\n\n```puppet\nInteger[1, 10000000000].each |$x| { }  # => 1\n```\n"
    (project / "page.md").write_text(text, encoding="utf-8")
    status, told = build(project, "-b", "puppet-examples")
    assert status == 1
    assert "/page.md:4: WARNING: example differs" in told and "Time limit exceeded" in told


@pytest.mark.slow
def test_the_builder_that_only_runs_examples(project: Path) -> None:
    assert build(project, "-b", "puppet-examples") == (0, "")
    (project / "page.md").write_text(PAGE.replace("# => 2", "# error"), encoding="utf-8")
    status, text = build(project, "-b", "puppet-examples")
    assert status == 1
    assert "/page.md:8: WARNING: example differs" in text
    differences = (project / "out" / "differences.txt").read_text(encoding="utf-8")
    assert "expected: error" in differences


def test_a_manifest_that_is_none(project: Path) -> None:
    (project / "manifests" / "bad.pp").write_text("class {", encoding="utf-8")
    status, text = build(project)
    assert status == 1
    assert "bad.pp" in text
    assert "Syntax error" in text
