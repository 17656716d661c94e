"""Functions of stdlib that write data in other notations: JSON, TOML, YAML, Python, Ruby."""

from __future__ import annotations

from puppet_repl.language.functions.stdlib.declaring import moved_function
from puppet_repl.language.functions.stdlib.secrets import write_openly
from puppet_repl.language.functions.stdlib.yaml_text import yaml_text
from puppet_repl.language.ruby_library.json_text import MAX_NESTING, JsonWriter, plain_json
from puppet_repl.language.ruby_library.toml_text import toml_text
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

_OPTIONS = ", ".join(
    [
        f"{name} => Optional[String]"
        for name in ["indent", "space", "space_before", "object_nl", "array_nl"]
    ]
    + ["allow_nan => Optional[Boolean]", "max_nesting => Optional[Integer[-1,default]]"]
)
_PRETTY = {"indent": "  ", "space": " ", "object_nl": "\n", "array_nl": "\n"}


@moved_function(
    "to_json",
    "Any $data",
    examples=(
        "to_json({a => [1, undef]})  # => '{\"a\":[1,null]}'",
        "to_json(Integer)  # => '\"Integer\"'",
    ),
)
def to_json(data: Value, *, context: Context) -> Value:
    """Return data as JSON on one line; what JSON does not know becomes a string.

    From data with something Sensitive in it comes a Sensitive, since stdlib 9.

    @param data the data
    @return [Variant[String, Sensitive[String]]]
    """
    plain = plain_json(data)
    return write_openly(data, JsonWriter().write, context) if plain is None else plain


@moved_function(
    "to_json_pretty",
    f"Variant[Hash, Array] $data, Optional[Boolean] $skip_undef?, Struct[{{{_OPTIONS}}}] $opts?",
    examples=(
        'to_json_pretty({a => 1})  # => "{\\n  \\"a\\": 1\\n}\\n"',
        "to_json_pretty([undef, 1], true, {array_nl => ' ', indent => ''})  # => \"[ 1 ]\\n\"",
    ),
)
def to_json_pretty(
    data: Value,
    skip_undef: bool | None = False,
    opts: PuppetHash | None = None,
    *,
    context: Context,
) -> Value:
    """Return data as JSON with an element a line, and a line break at the end.

    With ``skip_undef`` elements and entries that are undef are left out, at the outermost level
    only. The last argument are options of Ruby's JSON library: indent, space, space_before,
    object_nl, array_nl, allow_nan, and max_nesting, where -1 is any depth.

    @param data the data
    @param skip_undef whether undef is left out (false)
    @param opts indent, space, space_before, object_nl, array_nl: texts in these places;
      allow_nan, max_nesting: limits
    @return [Variant[String, Sensitive[String]]]
    """
    if skip_undef and isinstance(data, PuppetHash):
        data = data.compact()
    elif skip_undef and isinstance(data, tuple):
        data = tuple([item for item in data if item is not None])
    settings: dict[str, Any] = dict(_PRETTY)
    if opts is not None:
        settings.update((name, value) for name, value in opts.items() if value is not None)
        nesting = opts.get("max_nesting", MAX_NESTING)
        settings["max_nesting"] = 0 if nesting is None or nesting < 0 else nesting
    writer = JsonWriter(**settings)
    return write_openly(data, lambda opened: writer.write(opened) + "\n", context)


@moved_function(
    "to_toml",
    "Hash $data",
    returns="Variant[String, Sensitive[String]]",
    examples=(
        'to_toml({a => 1, b => {c => \'x\'}})  # => "a = 1\\n[b]\\nc = \\"x\\"\\n"',
        'to_toml({a => [{b => 1}]})  # => "[[a]]\\nb = 1\\n"',
    ),
)
def to_toml(data: Value, *, context: Context) -> Value:
    """Return a hash as TOML, the keys in alphabetical order.

    From data with something Sensitive in it comes a Sensitive, since stdlib 9.

    @param data the hash
    """
    return write_openly(data, toml_text, context)


@moved_function(
    "to_yaml",
    "Any $data, Hash $options?",
    examples=(
        "to_yaml({a => [1, 'yes']})  # => \"---\\na:\\n- 1\\n- 'yes'\\n\"",
        'to_yaml({a => {b => 1}}, {indentation => 4})  # => "---\\na:\\n    b: 1\\n"',
    ),
)
def to_yaml(data: Value, options: PuppetHash = PuppetHash.EMPTY, *, context: Context) -> Value:
    """Return data as a YAML document.

    The options are those of Ruby's YAML library: indentation, line_width, canonical, header and
    version. From data with something Sensitive in it comes a Sensitive, since stdlib 9.

    @param data the data
    @param options those of Ruby's YAML library
    @return [Variant[String, Sensitive[String]]]
    """
    return write_openly(data, lambda opened: yaml_text(opened, options), context)
