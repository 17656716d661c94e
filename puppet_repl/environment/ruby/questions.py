"""The questions of Ruby code, by name, and what answers them.

An answer function takes the host and the question, and returns JSON-like data that shim/values.rb
decodes.
"""

from __future__ import annotations

import os

from puppet_repl.base.errors import PuppetError, RuntimeFailure, Subject
from puppet_repl.base.file_reading import read_bytes
from puppet_repl.base.wording import why_unusable
from puppet_repl.environment.ruby.catalog_questions import CATALOG_QUESTIONS
from puppet_repl.environment.ruby.legacy_questions import LEGACY_QUESTIONS
from puppet_repl.environment.ruby.order import ORDER_QUESTIONS
from puppet_repl.language.runtime.call_location import call_location, call_stack
from puppet_repl.language.syntax import ast
from puppet_repl.language.syntax.parser import parse
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.types.algebra.infer import infer, infer_set
from puppet_repl.language.types.making.new import construct
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.types.making.pcore import attribute_values
from puppet_repl.language.types.model.collection import StructType
from puppet_repl.language.types.model.scalar import INFINITY, FloatType, IntegerType
from puppet_repl.language.types.text.convert import convert
from puppet_repl.language.types.text.mismatch import value_mismatch
from puppet_repl.language.values.compare import equals
from puppet_repl.language.values.hash import from_data
from puppet_repl.language.values.iterator import elements
from puppet_repl.language.values.protocols import Comparable, Container, Members
from puppet_repl.language.values.ruby import ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from puppet_repl.environment.ruby.host import RubyHost
    from puppet_repl.language.values.protocols import Value

    Question: TypeAlias = dict[str, Any]
    Answer: TypeAlias = Callable[[RubyHost, Question], Any]

# Functions and blocks


def _call_function(host: RubyHost, question: Question) -> Any:
    """Call a function for Ruby code, from the scope that it names."""
    context, codec = host.context, host.codec
    name = question["name"]
    function = context.function_seen_from(question.get("path"), name)
    if function is None:
        caller = question.get("caller")
        if caller is None:
            raise RuntimeFailure(f"Unknown function '{name}'", subject=Subject("function", name))
        raise RuntimeFailure(f"Function {caller}(): Unknown function: '{name}'")
    block = None if question.get("block") is None else codec.decode(question["block"])
    args = codec.decode_all(question["args"])
    if block is not None or host.readers.has_function(function):
        host.learn_changes()
    outer = context.scope
    context.scope = host.scopes.get(question.get("scope", 0))
    try:
        return codec.encode(function.call(context, args, block))
    finally:
        context.scope = outer


def _select_dispatch(host: RubyHost, question: Question) -> int:
    """Return which signature of a function that defines ``call`` fits."""
    block = None if question["block"] is None else host.codec.decode(question["block"])
    args = host.codec.decode_all(question["args"])
    return host.calling_functions[question["n"]].select(args, block)


def _check_result(host: RubyHost, question: Question) -> None:
    value = host.codec.decode(question["value"])
    host.calling_functions[question["n"]].check_result(question["dispatch"], value)


def _function_exists(host: RubyHost, question: Question) -> bool:
    return host.context.lookup_function(question["name"]) is not None


def _yield(host: RubyHost, question: Question) -> Any:
    """Call a lambda of Puppet code."""
    codec = host.codec
    block: Any = codec.handles.get(question["block"])
    if host.readers.has_block(block):
        host.learn_changes()
    return codec.encode(block(*codec.decode_all(question["args"])))


# Logs and settings


def _log(host: RubyHost, question: Question) -> None:
    host.context.log(question["level"], question["message"])


def _warn_once(host: RubyHost, question: Question) -> None:
    """Log once for each key; without a place the message says so."""
    file, line = question["file"], question["line"]
    if file == "default":
        place = ""
    elif file is not None and line is not None:
        place = f"\n   (file: {file}, line: {line})"
    elif file is not None:
        place = f"\n   (file: {file})"
    elif line is not None:
        place = f"\n   (line: {line})"
    else:
        place = "\n   (file & line not available)"
    key = f"{question['kind']} {question['key']}"
    host.log_once(question["level"], key, question["message"] + place)


def _deprecation_warning(host: RubyHost, question: Question) -> None:
    """Log a warning, once for each key or place of the call."""
    key = question["key"] or call_location(host.context)
    host.log_once("warning", f"deprecation {key}", question["message"])


def _settings(host: RubyHost, question: Question) -> Any:
    # Few functions ask for settings, and Puppet has many.
    from puppet_repl.language.runtime.puppet_settings import symbols

    scope = host.context.catalog.bodies.class_scope("settings")
    values = {} if scope is None else dict(scope.variables["all_local"].items())
    return {
        "values": {name: host.codec.encode(value) for name, value in values.items()},
        "symbols": [name for name in symbols() if isinstance(values.get(name), str)],
    }


def _profile(host: RubyHost, question: Question) -> dict[str, str]:
    profile = host.context.options.profile
    return {
        "version": profile.version,
        "legacy_functions_page": profile.legacy_functions_page,
    }


def _environment_name(host: RubyHost, question: Question) -> str:
    return host.context.environment_name


def _library_file(host: RubyHost, question: Question) -> str | None:
    return host.library_file(question["name"])


def _library(host: RubyHost, question: Question) -> str | None:
    return host.library(question["name"])


def _modulepath(host: RubyHost, question: Question) -> list[str]:
    environment = host.context.environment
    return [] if environment is None else list(environment.modulepath)


def _describe_module(module: Any, host: RubyHost) -> dict[str, Any]:
    return {
        "name": module.name,
        "path": module.path,
        "version": module.version,
        "metadata": host.codec.encode(from_data(module.metadata)),
    }


def _module(host: RubyHost, question: Question) -> Any:
    environment = host.context.environment
    found = None if environment is None else environment.modules.get(question["name"])
    return None if found is None else _describe_module(found, host)


def _modules(host: RubyHost, question: Question) -> Any:
    environment = host.context.environment
    found = {} if environment is None else environment.modules
    return [_describe_module(one, host) for one in found.values()]


def _find_file(host: RubyHost, question: Question) -> str | None:
    environment = host.context.environment
    if environment is None:
        return None
    path: str | None = environment.find_file(question["kind"], question["name"])
    return path


def _stacktrace(host: RubyHost, question: Question) -> list[list[Any]]:
    """Return file and line of the Puppet code on the stack, innermost first."""
    return [list(place) for place in call_stack(host.context)]


def _fact(host: RubyHost, question: Question) -> Any:
    """Return a fact, or a part of one by a dotted name."""
    facts: Any = host.context.top.lookup("facts")
    if facts.has(question["name"]):
        return host.codec.encode(facts[question["name"]])
    value = facts
    for part in question["name"].split("."):
        if type(value) is tuple and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        elif hasattr(value, "has") and value.has(part):
            value = value[part]
        else:
            return None
    return host.codec.encode(value)


def _facts(host: RubyHost, question: Question) -> Any:
    return host.codec.encode(host.context.top.lookup("facts"))


def _fixed_value(host: RubyHost, question: Question) -> Any:
    return host.codec.encode(host.templates.fixed_value(question["number"]))


# Types and values


def _parse_type(host: RubyHost, question: Question) -> Any:
    try:
        return host.codec.encode(parse_type(question["text"], host.context))
    except PuppetError as error:
        raise RuntimeFailure(error.message) from None


def _check_alias(host: RubyHost, question: Question) -> list[str]:
    """Return the name and the definition of a local type, ``Name = T``; raise its errors."""
    text, place = question["text"], question["place"]
    try:
        body = parse(Source(f"type {text}")).body
    except PuppetError as error:
        raise RuntimeFailure(
            f"Parsing of 'type \"{text}\"' failed with message: <{error.message}>.\n"
            f"Called from <{place}>"
        ) from None
    if not isinstance(body, ast.TypeAlias):
        raise RuntimeFailure(
            f"Expected a type alias assignment on the form 'AliasType = T', got '{text}'.\n"
            f"Called from <{place}>"
        )
    return [body.name, text.partition("=")[2].strip()]


def _instance(host: RubyHost, question: Question) -> bool:
    type_ = host.codec.decode(question["type"])
    result: bool = type_.accepts_value(host.codec.decode(question["value"]))
    return result


def _assignable(host: RubyHost, question: Question) -> bool:
    type_ = host.codec.decode(question["type"])
    result: bool = type_.accepts_type(host.codec.decode(question["other"]))
    return result


def _generalize(host: RubyHost, question: Question) -> Any:
    return host.codec.encode(host.codec.decode(question["type"]).generalize())


def _construct(host: RubyHost, question: Question) -> Any:
    codec = host.codec
    target = codec.decode(question["type"])
    return codec.encode(construct(target, codec.decode_all(question["args"]), host.context))


def _infer(host: RubyHost, question: Question) -> Any:
    return host.codec.encode(infer(host.codec.decode(question["value"])))


def _infer_set(host: RubyHost, question: Question) -> Any:
    return host.codec.encode(infer_set(host.codec.decode(question["value"])))


def _type_attributes(host: RubyHost, question: Question) -> Any:
    """Return what a type is made of, by the names that Puppet's own types have for it."""
    type_ = host.codec.decode(question["type"])
    encode = host.codec.encode
    if isinstance(type_, StructType):
        return {"elements": [[encode(one.key), encode(one.value)] for one in type_.elements]}
    found = {name: encode(_open(value)) for name, value in attribute_values(type_)}
    if isinstance(type_, IntegerType | FloatType):
        low, high = _open(type_.low), _open(type_.high)
        found.update({"from": low, "to": high})
        if type(low) is int and type(high) is int:
            found["size"] = high - low + 1
    return found


def _open(bound: Value) -> Value:
    """Return a limit, or undef for an infinite one."""
    return None if bound in (INFINITY, -INFINITY) else bound


def _reject(host: RubyHost, question: Question) -> Any:
    """Raise the error about a value that is not of the type that was asserted."""
    expected, value = host.codec.decode(question["type"]), host.codec.decode(question["value"])
    raise RuntimeFailure(value_mismatch(question["subject"], expected, value))


def _format(host: RubyHost, question: Question) -> str:
    codec = host.codec
    return convert(codec.decode(question["value"]), codec.decode(question["format"]))


def _text(host: RubyHost, question: Question) -> str:
    return ruby_text(host.codec.decode(question["value"]))


def _compare(host: RubyHost, question: Question) -> int:
    one = host.codec.decode(question["one"])
    assert isinstance(one, Comparable)
    return one.puppet_compare(host.codec.decode(question["two"]))


def _includes(host: RubyHost, question: Question) -> bool:
    range_ = host.codec.decode(question["range"])
    assert isinstance(range_, Container)
    return range_.puppet_includes(host.codec.decode(question["value"]))


def _equal(host: RubyHost, question: Question) -> bool:
    return equals(host.codec.decode(question["one"]), host.codec.decode(question["two"]))


def _member(host: RubyHost, question: Question) -> Any:
    codec = host.codec
    value = codec.decode(question["value"])
    assert isinstance(value, Members)
    block = None if question.get("block") is None else codec.decode(question["block"])
    args = codec.decode_all(question["args"])
    return codec.encode(value.call_member(question["name"], args, block))


def _file_text(host: RubyHost, question: Question) -> list[Any] | None:
    """Return time of change and text of a data file, None if it is as old as is known."""
    path = question["path"]
    host.context.check_reach(path)
    try:
        changed = os.stat(path).st_mtime_ns
        if changed == question["known"]:
            return None
        return [changed, read_bytes(path).decode("utf-8")]
    except (OSError, UnicodeDecodeError) as error:
        raise RuntimeFailure(f"{path}: {why_unusable(error)}") from None


def _elements(host: RubyHost, question: Question) -> Any:
    codec = host.codec
    return [codec.encode(item) for item in elements(codec.decode(question["value"]))]


QUESTIONS: dict[str, Answer] = {
    "assignable": _assignable,
    "call_function": _call_function,
    "check_alias": _check_alias,
    "check_result": _check_result,
    "compare": _compare,
    "construct": _construct,
    "deprecation_warning": _deprecation_warning,
    "elements": _elements,
    "environment_name": _environment_name,
    "equal": _equal,
    "fact": _fact,
    "facts": _facts,
    "file_text": _file_text,
    "find_file": _find_file,
    "fixed_value": _fixed_value,
    "format": _format,
    "function_exists": _function_exists,
    "generalize": _generalize,
    "includes": _includes,
    "infer": _infer,
    "infer_set": _infer_set,
    "instance": _instance,
    "library": _library,
    "library_file": _library_file,
    "log": _log,
    "member": _member,
    "module": _module,
    "modulepath": _modulepath,
    "modules": _modules,
    "parse_type": _parse_type,
    "reject": _reject,
    "profile": _profile,
    "select_dispatch": _select_dispatch,
    "settings": _settings,
    "stacktrace": _stacktrace,
    "text": _text,
    "type_attributes": _type_attributes,
    "warn_once": _warn_once,
    "yield": _yield,
    **CATALOG_QUESTIONS,
    **LEGACY_QUESTIONS,
    **ORDER_QUESTIONS,
}
