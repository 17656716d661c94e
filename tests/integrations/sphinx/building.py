"""Documentations that tests build, in this process, and the module that they are about."""

from __future__ import annotations

import io
import re
import zlib
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

MODULE = {
    "metadata.json": '{"name": "example-widget", "version": "1.2.3"}',
    "manifests/init.pp": r"""# @summary Serve widgets
#
# Longer *text* about {widget::part} and {widget::nowhere the other}, not `{widget}`.
#
# | size | price |
# |------|-------|
# | `1`  | 2     |
#
# > quoted
#
# ### Heading
#
# @param port The port, see `--port`
# @param mode
#   How it is done:
#   * one
#   * two
# @option options [String] :first The first
# @option options [Integer] second The second
# @enum level low Little
# @enum level high Much
# @example Plain
#   class { 'widget': port => 8080 }
# @example On the command line
#   $ puppet apply -e 'include widget'
# @see widget::part
# @see https://example.com/ The page
# @see the manual of widgets
# @since 1.0
# @author Somebody
# @note Beware
# @todo More
class widget (
  Integer[1, 65535] $port = 80, # its port
  Enum['a', "b c"] $mode = "b    c",
  Hash $options = {},
  Optional[Variant[
    String[1], # a name
    Struct[{ name => Widget::Port, 'other' => Array[Pattern[/\A#[a-z(]+\z/]] }]
  ]] $undocumented = undef,
  Widget::Port $required,
  String $text = @("END"/L),
    Some text # no comment
    | END
  String $level = 'low',
) inherits widget::params { }
""",
    "manifests/params.pp": "# @api private\nclass widget::params { }\n",
    "manifests/part.pp": """# A part.
#
# @deprecated Use widget instead.
# @param name The name of it
# @param typo There is no such parameter
# @nosuchtag x
define widget::part (Boolean $flag = false, *$rest) { }
""",
    "functions/twice.pp": """# Doubles.
# @param n What is doubled
# @return [Integer] twice as much
# @raise [Puppet::ParseError] when it is too much
# @raise [Widget::Error] when it is too little
function widget::twice(Integer $n) >> Integer { $n * 2 }
""",
    "types/port.pp": "# @summary The number of a port\ntype Widget::Port = Integer[1, 65535]\n",
    "types/section.pp": """# Keys of a section
# @param First What is first
type Widget::Section = Struct[{
  # the first
  Optional['First']  => Enum['simple', 'exec', 'forking', 'oneshot', 'dbus', 'notify', 'idle'],
  Optional['Second'] => Widget::Port, # the second
}]
""",
    "lib/puppet/functions/widget/join.rb": """# Joins widgets.
Puppet::Functions.create_function(:'widget::join') do
  # Joins two.
  # @param left The left one
  # @param right The right one
  # @return Both
  # @example
  #   widget::join('a', 'b')
  dispatch :two do
    param 'String', :left
    optional_param 'Integer', :right
    return_type 'String'
  end

  # Joins all.
  # @param all All of them
  dispatch :many do
    repeated_param 'Array[String]', :all
    block_param 'Callable[1, 1]', :block
  end

  def two(left, right = nil)
    left
  end

  def many(*all)
    all
  end
end
""",
    "lib/puppet/parser/functions/widget_old.rb": """Puppet::Parser::Functions.newfunction(
  :widget_old, :type => :rvalue, :doc => <<-DOC
  Returns the old one.
  DOC
) do |args|
  args
end
""",
    "lib/puppet/type/widget_file.rb": """Puppet::Type.newtype(:widget_file) do
  @doc = 'Manages a file of widgets.'

  feature :colours, 'can colour them'

  ensurable do
    desc 'Whether it is there.'
    newvalue(:present)
    newvalue(:absent)
    defaultto :present
  end

  newparam(:path) do
    isnamevar
    desc 'Where it is.'
  end

  newparam(:force) do
    desc 'Whether to overwrite it.'
    newvalues(:true, :false)
    defaultto :false
  end

  newproperty(:colour, required_features: 'colours') do
    desc 'Its colour.'
  end
end
""",
    "lib/puppet/provider/widget_file/posix.rb": """\
Puppet::Type.type(:widget_file).provide(:posix) do
  desc 'Widgets of POSIX.'
  confine kernel: 'Linux'
  defaultfor kernel: 'Linux'
  commands tool: 'widget'
end
""",
    "lib/puppet/type/widget_api.rb": """require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'widget_api',
  docs: 'A type of the Resource API.',
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'Whether it is there.', default: 'present' },
    name: { type: 'String', desc: 'Its name.', behaviour: :namevar },
  },
)
""",
    "tasks/restart.json": """{
  "description": "Restarts widgets.",
  "supports_noop": true,
  "input_method": "stdin",
  "parameters": {
    "force": {"description": "Whether to wait", "type": "Array[String]", "default": ["a", "b"]}
  }
}
""",
    "tasks/restart.sh": "#!/bin/sh\n",
    "plans/deploy.pp": """# Deploys.
# @param targets Where
plan widget::deploy (TargetSpec $targets) { }
""",
}
CONF = """
extensions = ["puppet_repl.sphinx_domain"]
puppet_sources = ["module"]
exclude_patterns = ["module", "out", "out-*"]
html_theme = "basic"
html_copy_source = False
show_warning_types = True
"""
#: What a mistake in a comment of the module says.
MISTAKES = [
    "module/manifests/part.pp:5: WARNING: @param typo: defined type widget::part has no such"
    " parameter [puppet.unknown-param]",
    "module/manifests/part.pp:6: WARNING: Unknown tag @nosuchtag [puppet.unknown-tag]",
]


def write(directory: Path, files: dict[str, str]) -> None:
    """Write files below a directory."""
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


class Documentation:
    """A documentation of a module; its warnings are those of the last build."""

    def __init__(self, directory: Path, index: str, conf: str = "") -> None:
        self.directory = directory
        write(directory / "module", MODULE)
        write(directory, {"conf.py": CONF + conf, "index.rst": f"Index\n=====\n\n{index}\n"})
        self.warnings: list[str] = []
        self.read: set[str] = set()

    def build(self, builder: str = "html", *, fresh: bool = False, **settings: Any) -> Path:
        """Build it, and return where."""
        out = self.directory / ("out" if builder == "html" else f"out-{builder}")
        warnings = io.StringIO()
        with patch_docutils(), docutils_namespace():
            app = Sphinx(
                *(self.directory, self.directory, out, self.directory / "out-doctrees", builder),
                confoverrides={"nitpicky": True, **settings},
                status=None,
                warning=warnings,
                freshenv=fresh,
            )
            self.read = set()
            app.connect("source-read", lambda _app, docname, _source: self.read.add(docname))
            app.build()
        text = re.sub(r"\x1b\[[0-9;]*m", "", warnings.getvalue())
        self.warnings = text.replace(f"{self.directory}/", "").splitlines()
        return out

    def text(self, name: str) -> str:
        """Return a file that was built."""
        return (self.directory / name).read_text(encoding="utf-8")

    def write(self, files: dict[str, str]) -> None:
        """Write files of the documentation, or of its module."""
        write(self.directory, files)


def inventory(out: Path) -> dict[str, dict[str, str]]:
    """Return the objects of the domain in objects.inv: kind to names, with their addresses."""
    data = (out / "objects.inv").read_bytes().split(b"\n", 4)[4]
    found: dict[str, dict[str, str]] = {}
    for line in zlib.decompress(data).decode().splitlines():
        name, kind, _priority, address, _shown = line.split(" ", 4)
        if kind.startswith("puppet:"):
            found.setdefault(kind[7:], {})[name] = address.replace("$", name)
    return found
