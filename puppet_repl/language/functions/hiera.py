"""Data lookup: lookup, the older hiera functions, and the functions that read data files."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.data import eyaml
from puppet_repl.language.data.files import NO_PATHS, read_data
from puppet_repl.language.data.merge import HIERA_HASH
from puppet_repl.language.data.search import search
from puppet_repl.language.functions.registry import Function, function
from puppet_repl.language.runtime.call_location import NO_LOCATION
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.language.data.search import Names
    from puppet_repl.language.runtime.closure import Closure
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Members, Value

_OPTIONS = (
    "value_type => Optional[ValueType], default_value => Optional[DefaultValueType], "
    "override => Optional[Hash[String,Any]], default_values_hash => Optional[Hash[String,Any]], "
    "merge => Optional[MergeType]"
)


@function(
    "lookup",
    "NameType $name, ValueType $value_type?, MergeType $merge?",
    aliases={
        "NameType": "Variant[String, Array[String]]",
        "ValueType": "Type",
        "DefaultValueType": "Any",
        "MergeType": "Variant[String[1], Hash[String, Scalar]]",
        "BlockType": "Callable[NameType]",
        "OptionsWithName": f"Struct[{{name => NameType, {_OPTIONS}}}]",
        "OptionsWithoutName": f"Struct[{{{_OPTIONS}}}]",
    },
    examples=(
        "lookup('no_such_key', {default_value => 'none'})  # => 'none'",
        "lookup('no_such_key') |$name| { \"no ${name}\" }  # => 'no no_such_key'",
        "lookup('port', {override => {port => 80}})  # => 80",
        "lookup('no_such_key', Integer, 'first', 5)  # => 5",
    ),
)
def lookup(
    name: Names, value_type: Value = None, merge: Value = None, *, context: Context
) -> Value:
    """Look up a name, or several until one is found, in the data of the environment.

    If nothing is found, the result is the default, or the result of a block that is called with the
    name; without either it is an error. Optional are a type that the value must have, and the
    strategy that merges values of several levels: 'first', 'unique', 'hash', 'deep', or a Hash with
    a strategy and its options. All of these may also be given as one Hash of options, whose further
    keys are override (values that precede all data) and default_values_hash.

    @param name the key, or several, of which the first that is found is taken
    @param value_type the type that the value must have
    @param merge how values of several levels become one: 'first', 'unique', 'hash', 'deep', or
      a Hash with the strategy and its options
    @param default_value the result where nothing is found
    @param block called with the key where nothing is found
    @param options_hash all of this by name: name, value_type, merge, default_value,
      default_values_hash, override
    @return [Any] the value that is found, or the default
    """
    return _search(context, name, {"value_type": value_type, "merge": merge})


@lookup.dispatch(
    "NameType $name, Optional[ValueType] $value_type, Optional[MergeType] $merge, "
    "DefaultValueType $default_value"
)
def _lookup_default(
    name: Names, value_type: Value, merge: Value, default_value: Value, *, context: Context
) -> Value:
    options = {"value_type": value_type, "merge": merge, "default_value": default_value}
    return _search(context, name, options)


@lookup.dispatch("NameType $name, ValueType $value_type?, MergeType $merge?, BlockType &$block")
def _lookup_block(
    name: Names, value_type: Value = None, merge: Value = None, *, context: Context, block: Closure
) -> Value:
    return _search(context, name, {"value_type": value_type, "merge": merge}, block)


@lookup.dispatch("OptionsWithName $options_hash, BlockType &$block?")
def _lookup_options(
    options: PuppetHash, *, context: Context, block: Closure | None = None
) -> Value:
    return _search(context, options.get("name"), dict(options.items()), block)


@lookup.dispatch(
    "Variant[String,Array[String]] $name, OptionsWithoutName $options_hash, BlockType &$block?"
)
def _lookup_name_options(
    name: Names, options: PuppetHash, *, context: Context, block: Closure | None = None
) -> Value:
    return _search(context, name, dict(options.items()), block)


def _search(
    context: Context, name: Names, options: dict[str, Any], block: Closure | None = None
) -> Value:
    return search(context, name, options, block)


_NOTE = """

    This function is deprecated: use lookup().

    @param args key, default and override in one Array
    @param key the key that is looked up
    @param default the result where nothing is found
    @param override the name of a level to look at first
    @param default_block called with the key where nothing is found
    """


def _hiera(name: str, merge: str, doc: str, example: str) -> Function:
    """Declare one of the older functions, which differ in the strategy that merges values."""

    def finish(value: Value, key: str, context: Context) -> Value:
        if name != "hiera_include":
            return value
        if value is None:
            raise RuntimeFailure(f"Could not find data item {key}")
        if isinstance(value, str | tuple | PuppetHash) and len(value) == 0:
            return None
        return context.call_function("include", (value,))

    def look_up(
        key: str, options: dict[str, Any], context: Context, block: Closure | None = None
    ) -> Value:
        if context.options.strict != "off":
            context.warn_once(
                f"deprecated {name}",
                f"The function '{name}' is deprecated in favor of using 'lookup'."
                f" See {context.options.profile.deprecations_page}{NO_LOCATION}",
            )
        chosen = HIERA_HASH if merge == "hash" else merge
        return finish(_search(context, key, {**options, "merge": chosen}, block), key, context)

    @function(name, "Tuple[String, Any, Any, 1, 3] $args", doc=doc + _NOTE, examples=(example,))
    def older(args: tuple[Any, ...], *, context: Context) -> Value:
        return look_up(args[0], {"default_value": args[1]} if len(args) > 1 else {}, context)

    @older.dispatch("String $key")
    def with_key(key: str, *, context: Context) -> Value:
        return look_up(key, {}, context)

    @older.dispatch("String $key, Any $default, Any $override?")
    def with_default(key: str, default: Value, _level: Value = None, *, context: Context) -> Value:
        return look_up(key, {"default_value": default}, context)

    @older.dispatch("String $key, Callable[1,1] &$default_block")
    def with_block(key: str, *, context: Context, block: Closure) -> Value:
        return look_up(key, {}, context, block)

    @older.dispatch("String $key, Any $override, Callable[1,1] &$default_block")
    def with_level(key: str, _level: Value, *, context: Context, block: Closure) -> Value:
        return look_up(key, {}, context, block)

    return older


hiera = _hiera(
    "hiera",
    "first",
    """Look up a key in the data and return the first value that is found.""",
    "hiera('no_such_key', 'default')  # => 'default'",
)

hiera_array = _hiera(
    "hiera_array",
    "unique",
    """Look up a key in the data and return all values as one Array without repetitions.""",
    "hiera_array('no_such_key', ['a'])  # => ['a']",
)

hiera_hash = _hiera(
    "hiera_hash",
    "hash",
    """Look up a key in the data and merge all hashes that are found into one.""",
    "hiera_hash('no_such_key', {a => 1})  # => {'a' => 1}",
)

hiera_include = _hiera(
    "hiera_include",
    "unique",
    """Look up an Array of class names in the data and include these classes.""",
    "class app { }\nhiera_include('no_such_key', ['app'])  # => [Class[app]]",
)


def _data_file(name: str, doc: str) -> Function:
    """Declare a function that a hiera.yaml names to read a data file."""

    @function(
        name,
        "Struct[{path=>String[1]}] $options, Puppet::LookupContext $context",
        returns="Hash",
        doc=doc,
    )
    def data_hash(options: PuppetHash, _lookup_context: Value, *, context: Context) -> PuppetHash:
        return read_data(name, options["path"], context)

    @data_hash.mismatch("Hash $options, Puppet::LookupContext $context")
    def without_path(_options: PuppetHash, _lookup_context: Value) -> str:
        return NO_PATHS

    return data_hash


yaml_data = _data_file(
    "yaml_data",
    """Read a YAML data file, as the data_hash of a level in hiera.yaml.

    It cannot be called in a manifest, because it needs the context of a lookup.

    @param options the options of the level; path is the file
    @param context what the lookup gives to such functions
    """,
)

json_data = _data_file(
    "json_data",
    """Read a JSON data file, as the data_hash of a level in hiera.yaml.

    It cannot be called in a manifest, because it needs the context of a lookup.

    @param options the options of the level; path is the file
    @param context what the lookup gives to such functions
    """,
)


hocon_data = _data_file(
    "hocon_data",
    """Read a HOCON data file, as the data_hash of a level in hiera.yaml.

    It cannot be called in a manifest, because it needs the context of a lookup.

    @param options the options of the level; path is the file
    @param context what the lookup gives to such functions
    """,
)


@function(
    "eyaml_lookup_key",
    "String[1] $key, Hash[String[1], Any] $options, Puppet::LookupContext $context",
)
def eyaml_lookup_key(
    key: str, options: PuppetHash, lookup_context: Members, *, context: Context
) -> Value:
    """Return the value of a key in an eyaml file, decrypted, as the lookup_key of a level.

    Values ENC[PKCS7,...] are decrypted with the key and the certificate that the options
    pkcs7_private_key and pkcs7_public_key name, or the environment variables that
    pkcs7_private_key_env_var and pkcs7_public_key_env_var name; that needs the Python package
    cryptography. All other values are returned as they are. Relative paths begin in the current
    directory, or else in the directory of the environment. The function cannot be called in a
    manifest, because it needs the context of a lookup.

    @param key the key that is looked up
    @param options the options of the level in hiera.yaml
    @param context what the lookup gives to such functions
    @return [Any] the value of the key, decrypted
    """
    return eyaml.look_up(key, options, lookup_context, context)
