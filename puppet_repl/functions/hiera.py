"""Data lookup: lookup, the hiera functions before it, and the functions that read data files."""

from __future__ import annotations

from puppet_repl.errors import RuntimeFailure
from puppet_repl.functions.registry import Function, by_name
from puppet_repl.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.runtime.closure import Closure
    from puppet_repl.runtime.context import Context

_OPTIONS = (
    "value_type => Optional[ValueType], default_value => Optional[DefaultValueType], "
    "override => Optional[Hash[String,Any]], default_values_hash => Optional[Hash[String,Any]], "
    "merge => Optional[MergeType]"
)

lookup = Function(
    "lookup",
    theme="hiera",
    aliases={
        "NameType": "Variant[String, Array[String]]",
        "ValueType": "Type",
        "DefaultValueType": "Any",
        "MergeType": "Variant[String[1], Hash[String, Scalar]]",
        "BlockType": "Callable[NameType]",
        "OptionsWithName": f"Struct[{{name => NameType, {_OPTIONS}}}]",
        "OptionsWithoutName": f"Struct[{{{_OPTIONS}}}]",
    },
    doc="""Look a name up in the data of the environment; the first of several names that is found.

    Where nothing is found, the default is the result, or what a block makes of the name;
    without either it is an error. A type may be given that the value must have, and how values
    of several levels are merged ('first', 'unique', 'hash', 'deep', or a Hash with a strategy
    and its options). All of this may also be given in one Hash of options, which knows
    ``override`` (values that come before all data) and ``default_values_hash`` besides.
    """,
    examples=(
        "lookup('no_such_key', {default_value => 'none'})  # => 'none'",
        "lookup('no_such_key') |$name| { \"no ${name}\" }  # => 'no no_such_key'",
        "lookup('port', {override => {port => 80}})  # => 80",
        "lookup('no_such_key', Integer, 'first', 5)  # => 5",
    ),
)


@lookup.dispatch("NameType $name, ValueType $value_type?, MergeType $merge?")
def _lookup(name: Any, value_type: Any = None, merge: Any = None, *, context: Context) -> Any:
    return _search(context, name, {"value_type": value_type, "merge": merge})


@lookup.dispatch(
    "NameType $name, Optional[ValueType] $value_type, Optional[MergeType] $merge, "
    "DefaultValueType $default_value"
)
def _lookup_default(
    name: Any, value_type: Any, merge: Any, default_value: Any, *, context: Context
) -> Any:
    options = {"value_type": value_type, "merge": merge, "default_value": default_value}
    return _search(context, name, options)


@lookup.dispatch("NameType $name, ValueType $value_type?, MergeType $merge?, BlockType &$block")
def _lookup_block(
    name: Any, value_type: Any = None, merge: Any = None, *, context: Context, block: Closure
) -> Any:
    return _search(context, name, {"value_type": value_type, "merge": merge}, block)


@lookup.dispatch("OptionsWithName $options_hash, BlockType &$block?")
def _lookup_options(options: PuppetHash, *, context: Context, block: Closure | None = None) -> Any:
    return _search(context, options.get("name"), dict(options.items()), block)


@lookup.dispatch(
    "Variant[String,Array[String]] $name, OptionsWithoutName $options_hash, BlockType &$block?"
)
def _lookup_name_options(
    name: Any, options: PuppetHash, *, context: Context, block: Closure | None = None
) -> Any:
    return _search(context, name, dict(options.items()), block)


def _search(
    context: Context, name: Any, options: dict[str, Any], block: Closure | None = None
) -> Any:
    from puppet_repl.functions.data_search import search

    return search(context, name, options, block)


_NOTE = """

    An older function, kept for manifests that still call it: use lookup()."""


def _hiera(name: str, merge: str, doc: str, example: str) -> Function:
    function = Function(name, theme="hiera", doc=doc + _NOTE, examples=(example,))

    def finish(value: Any, key: str, context: Context) -> Any:
        if name != "hiera_include":
            return value
        if value is None:
            raise RuntimeFailure(f"Could not find data item {key}")
        return context.call_function("include", (value,))

    def found(key: str, options: dict[str, Any], context: Context, block: Any = None) -> Any:
        return finish(_search(context, key, {**options, "merge": merge}, block), key, context)

    @function.dispatch("Tuple[String, Any, Any, 1, 3] $args")
    def of_array(args: Any, *, context: Context) -> Any:
        return found(args[0], {"default_value": args[1]} if len(args) > 1 else {}, context)

    @function.dispatch("String $key")
    def of_key(key: str, *, context: Context) -> Any:
        return found(key, {}, context)

    @function.dispatch("String $key, Any $default, Any $override?")
    def with_default(key: str, default: Any, _level: Any = None, *, context: Context) -> Any:
        return found(key, {"default_value": default}, context)

    @function.dispatch("String $key, Callable[1,1] &$default_block")
    def with_block(key: str, *, context: Context, block: Closure) -> Any:
        return found(key, {}, context, block)

    @function.dispatch("String $key, Any $override, Callable[1,1] &$default_block")
    def with_level(key: str, _level: Any, *, context: Context, block: Closure) -> Any:
        return found(key, {}, context, block)

    return function


hiera = _hiera(
    "hiera",
    "first",
    """Look a key up in the data; the first value that is found.""",
    "hiera('no_such_key', 'default')  # => 'default'",
)

hiera_array = _hiera(
    "hiera_array",
    "unique",
    """Look a key up in the data; all values that are found, as one Array without repetitions.""",
    "hiera_array('no_such_key', ['a'])  # => ['a']",
)

hiera_hash = _hiera(
    "hiera_hash",
    "hash",
    """Look a key up in the data; all hashes that are found, merged into one.""",
    "hiera_hash('no_such_key', {a => 1})  # => {'a' => 1}",
)

hiera_include = _hiera(
    "hiera_include",
    "unique",
    """Look a key up in the data, as an Array of names of classes, and include these.""",
    "class app { }\nhiera_include('no_such_key', ['app'])  # => [Class[app]]",
)


def _data_file(name: str, doc: str) -> Function:
    """A function that a hiera.yaml names to read a data file."""
    function = Function(name, theme="hiera", doc=doc)

    @function.dispatch(
        "Struct[{path=>String[1]}] $options, Puppet::LookupContext $context", returns="Hash"
    )
    def of_path(options: PuppetHash, _lookup_context: Any) -> Any:
        from puppet_repl.functions.data_files import read_data

        return read_data(name, options["path"])

    @function.mismatch("Hash $options, Puppet::LookupContext $context")
    def without_path(_options: PuppetHash, _lookup_context: Any) -> str:
        from puppet_repl.functions.data_files import NO_PATHS

        return NO_PATHS

    return function


yaml_data = _data_file(
    "yaml_data",
    """Read a YAML file of data; hiera.yaml names it as the ``data_hash`` of a level.

    It is not meant to be called in a manifest: it needs the context of a lookup.
    """,
)

json_data = _data_file(
    "json_data",
    """Read a JSON file of data; hiera.yaml names it as the ``data_hash`` of a level.

    It is not meant to be called in a manifest: it needs the context of a lookup.
    """,
)

hocon_data = Function(
    "hocon_data",
    theme="hiera",
    doc="""Refused: data files in HOCON need a Ruby library that is not here; use YAML or JSON.""",
)


@hocon_data.dispatch("Any *$arguments")
def _hocon(*_arguments: Any) -> Any:
    from puppet_repl.functions.data_files import NO_HOCON, lookup_error

    raise lookup_error(NO_HOCON)


eyaml_lookup_key = Function(
    "eyaml_lookup_key",
    theme="hiera",
    doc="""Refused: encrypted YAML needs the Ruby library hiera-eyaml, which is not here.""",
)


@eyaml_lookup_key.dispatch("Any *$arguments")
def _eyaml(*_arguments: Any) -> Any:
    raise RuntimeFailure(
        "Function Load Error for function 'eyaml_lookup_key': Lookup using eyaml lookup_key "
        "function is only supported when the hiera_eyaml library is present"
    )


FUNCTIONS = by_name(
    lookup,
    hiera,
    hiera_array,
    hiera_hash,
    hiera_include,
    yaml_data,
    json_data,
    hocon_data,
    eyaml_lookup_key,
)
