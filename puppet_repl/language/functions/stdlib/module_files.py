"""Functions of stdlib that read files: of modules, with data, or just their names."""

from __future__ import annotations

import os

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.file_reading import read_bytes
from puppet_repl.base.yaml_data import YamlError
from puppet_repl.language.functions.stdlib.declaring import stdlib_legacy_function
from puppet_repl.language.ruby_library.files import glob_files
from puppet_repl.language.ruby_library.json import JsonError, parse_json
from puppet_repl.language.ruby_library.psych import load_yaml
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.ruby import no_conversion, no_method, ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value


# Modules


@stdlib_legacy_function(
    "get_module_path",
    "String $module",
    returns="String",
    examples=("get_module_path('stdlib') =~ Stdlib::Absolutepath  # => true",),
    counts=False,
)
def get_module_path(values: tuple[Value, ...], *, context: Context) -> str:
    """Return the absolute path of a module.

    @param module the name of the module
    """
    if len(values) != 1:
        raise RuntimeFailure("get_module_path(): Wrong number of arguments, expects one")
    name = ruby_text(values[0])
    environment = context.environment
    path = environment.module_directory(name) if environment is not None else None
    if path is None:
        called = context.environment_name
        raise RuntimeFailure(f"Could not find module {name} in environment {called}")
    return path


@stdlib_legacy_function(
    "load_module_metadata",
    "String $module, Boolean $allow_empty?",
    returns="Hash",
    examples=("load_module_metadata('stdlib')['name']  # => 'puppetlabs-stdlib'",),
    counts=False,
)
def load_module_metadata(values: tuple[Value, ...], *, context: Context) -> Value:
    """Return the content of a module's metadata.json.

    A module without that file is an error, or gives an empty hash if the second argument is true.

    @param module the name of the module
    @param allow_empty whether a module without the file gives an empty hash (false)
    """
    if len(values) not in (1, 2):
        raise RuntimeFailure(
            "load_module_metadata(): Wrong number of arguments, expects one or two"
        )
    path = get_module_path.call(context, values[:1])
    metadata = os.path.join(str(path), "metadata.json")
    context.check_reach(metadata)
    if os.path.exists(metadata):
        try:
            return parse_json(_read(metadata, context))
        except JsonError as error:
            raise RuntimeFailure(str(error)) from None
    if len(values) < 2 or values[1] is None or values[1] is False:
        raise RuntimeFailure(
            f"load_module_metadata(): No metadata.json file for module {ruby_text(values[0])}"
        )
    return PuppetHash.EMPTY


# Names


@stdlib_legacy_function(
    "glob",
    "Variant[String, Array[String]] $pattern",
    returns="Array[String]",
    examples=("glob('/no/such/directory/*.conf')  # => []",),
    counts=False,
)
def glob(values: tuple[Value, ...], *, context: Context) -> Value:
    """Return the paths of files that match a pattern, or any of several.

    Patterns are those of Ruby: ``*``, ``?``, ``[a-z]``, ``{a,b}``, and ``**/`` for any directories.

    @param pattern a pattern, or an array of them
    """
    if len(values) != 1:
        raise RuntimeFailure(f"glob(): Wrong number of arguments given ({len(values)} for 1)")
    given = values[0]
    if type(given) is not str and type(given) is not tuple:
        raise RuntimeFailure("glob(): Requires either array or string to work")
    found: list[str] = []
    for pattern in given if type(given) is tuple else (given,):
        if type(pattern) is not str:
            raise no_conversion(pattern, "String")
        if "\0" in pattern:
            raise RuntimeFailure("nul-separated glob pattern is deprecated")
        found += glob_files(pattern, context.check_reach)
    return tuple(found)


# Data


@stdlib_legacy_function(
    "loadjson",
    "String $path, Any $default?, Any *$rest",
    examples=(
        "loadjson(\"${get_module_path('stdlib')}/metadata.json\")['version'] =~ SemVerRange('>=8')"
        "  # => true",
        "loadjson('/no/such/file', {a => 1})  # => {'a' => 1}",
    ),
)
def loadjson(values: tuple[Value, ...], *, context: Context) -> Value:
    """Return the content of a JSON file.

    The second argument is returned instead if there is no such file (a warning too), if it cannot
    be read, and if its content is null or false. Addresses of the network are not loaded.

    @param path the path of the file, or a URL
    @param default the result where the file cannot be read
    @param rest further arguments, which mean nothing
    """
    return _load(values, context, "loadjson", parse_json)


@stdlib_legacy_function(
    "loadyaml",
    "String $path, Any $default?, Any *$rest",
    examples=("loadyaml('/no/such/file', {a => 1})  # => {'a' => 1}",),
)
def loadyaml(values: tuple[Value, ...], *, context: Context) -> Value:
    """Return the content of a YAML file.

    The second argument is returned instead if there is no such file (a warning too), if it cannot
    be read, and if its content is null or false. Dates and symbols are errors. Addresses of the
    network are not loaded.

    @param path the path of the file, or a URL
    @param default the result where the file cannot be read
    @param rest further arguments, which mean nothing
    """
    return _load(values, context, "loadyaml", _parse_yaml)


def _load(
    values: tuple[Value, ...], context: Context, function: str, parse: Callable[[str], Value]
) -> Value:
    default = values[1] if len(values) > 1 else None
    try:
        return _content(values[0], default, context, function, parse)
    except (RuntimeFailure, JsonError, YamlError, OSError) as error:
        if default is not None and default is not False:
            return default
        if isinstance(error, RuntimeFailure):
            raise
        raise RuntimeFailure(_message(error)) from None


def _content(
    path: Value, default: Value, context: Context, function: str, parse: Callable[[str], Value]
) -> Value:
    if type(path) is not str:
        raise no_method("start_with?", path)
    if path.startswith(("http://", "https://")):
        message = f"{function}(): '{path}' is not loaded, functions have no access to the network"
        context.log("warning", message)
        raise RuntimeFailure(message)
    if "\0" in path:
        raise RuntimeFailure("string contains null byte")
    context.check_reach(path)
    if not os.path.exists(path):
        context.log("warning", f"Can't load '{path}' File does not exist!")
        return default
    value = parse(_read(path, context))
    return default if value is None or value is False else value


def _message(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.strerror} @ rb_sysopen - {error.filename}"
    return str(error)


def _read(path: str, context: Context) -> str:
    context.check_reach(path)
    return read_bytes(path).decode("utf-8", "replace")


def _parse_yaml(text: str) -> Value:
    return load_yaml(text, symbols=False, aliases=True)
