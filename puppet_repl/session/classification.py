"""What an external node classifier (ENC) says about a node: its classes, variables, environment.

Puppet starts a program with the name of the node, and the program prints YAML. Here that may also
be a file with such YAML, or a directory with a file for each node. The rules are those of Puppet's
``Puppet::Node::Exec``, ``Puppet::Node`` and ``Puppet::Parser::Compiler``.
"""

from __future__ import annotations

import os
import re

from puppet_repl.base import yaml_data
from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_reading import read_bytes
from puppet_repl.base.programs import run_in_time
from puppet_repl.base.wording import why_unusable
from puppet_repl.catalog import tags
from puppet_repl.catalog.issues import invalid_tag
from puppet_repl.language.data.files import yaml_hash
from puppet_repl.language.types.algebra.infer import infer
from puppet_repl.language.values.hash import PuppetHash, from_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.options import Options
    from puppet_repl.language.values.protocols import Value

ENDINGS = (".yaml", ".yml", ".json")
"""The endings of files that hold what an ENC prints, even if the system could run them."""

_NAME_OF_ENVIRONMENT = re.compile(r"\w+", re.ASCII)
_RESERVED = ("facts", "server_facts")
_BOUND = ("module_name", "name", "title")


class Classification:
    """The classes, the variables and the environment of a node.

    ``names`` are the names of the classes as the ENC has them, ``classes`` their parameters, if
    there are any, in the order in which the classes are declared: those with parameters come first.
    ``parameters`` are variables of the top scope. Without an ``environment`` the node is in that of
    the session.
    """

    __slots__ = ("classes", "environment", "names", "parameters")

    def __init__(
        self,
        names: tuple[str, ...],
        classes: tuple[tuple[str, PuppetHash | None], ...],
        parameters: dict[str, Value],
        environment: str | None,
    ) -> None:
        self.names = names
        self.classes = classes
        self.parameters = parameters
        self.environment = environment


def classify(context: Context, node: str) -> Classification:
    """Return the classification of a node by what the option ``enc`` names.

    Raises PuppetError if the node is not known there, or for anything that an ENC does not print.
    """
    place, text = _printed(context, node)
    try:
        data = yaml_data.read_yaml(text, as_puppet=True, mapping=yaml_hash)
    except yaml_data.YamlError as error:
        raise _malformed(node, place, str(error)) from None
    return _Reader(node, place).classification(from_data(data))


def is_program(path: str) -> bool:
    """Tell whether a path names a program, and not a file or a directory with data."""
    if path.endswith(ENDINGS) or not os.path.isfile(path):
        return False
    return os.access(path, os.X_OK)


def program_problem(path: str, options: Options) -> str | None:
    """Return why a session may not run its ENC, None if it may or if that is not a program."""
    if options.may_run_programs or not is_program(path):
        return None
    if options.hermetic:
        return f"{path} is a program, and a hermetic session runs none"
    if options.spelling == "key":
        return f"{path} is a program, and {options.rows['allow_generate'].no_key}"
    return f"{path} is a program, which runs only with {options.spelt('allow_generate')}"


def _printed(context: Context, node: str) -> tuple[str, str]:
    """Return the file or the program that classifies a node, and its text. Raises PuppetError."""
    path = context.options.enc
    assert path is not None
    if os.path.isdir(path):
        found = _file_of(path, node)
        if found is None:
            names = " or ".join(f"{node}{ending}" for ending in ENDINGS[::2])
            raise _unknown(node, f"there is no {names} in {path}")
        path = found
    problem = program_problem(path, context.options)
    if problem is not None:
        raise PuppetError(f"Failed to find {node} via exec: {problem}")
    text = _output(path, node) if is_program(path) else _content(context, path, node)
    if not text.strip():
        raise _unknown(node, f"{path} says nothing about it")
    return path, text


def _file_of(directory: str, node: str) -> str | None:
    """Return the file of a node in a directory, None without one."""
    if any(sign in node for sign in "/\\\0"):  # facts may say anything
        return None
    paths = (os.path.join(directory, node + ending) for ending in ENDINGS)
    return next((path for path in paths if os.path.isfile(path)), None)


def _content(context: Context, path: str, node: str) -> str:
    context.check_reach(path)
    try:
        return read_bytes(path).decode("utf-8-sig")
    except OSError as error:
        raise _malformed(node, path, why_unusable(error)) from None
    except UnicodeDecodeError:
        raise _malformed(node, path, "not UTF-8") from None


def _output(program: str, node: str) -> str:
    """Return what a program prints about a node. Raises PuppetError."""
    command = [os.path.abspath(program), node]
    try:
        done = run_in_time(command, joins_errors=False)
    except OSError as error:
        raise _failed(node, command, f"failed: {why_unusable(error)}") from None
    if done.returncode != 0:
        said = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
        raise _failed(node, command, f"returned {done.returncode}: {said}")
    return done.stdout.decode("utf-8", "replace")


class _Reader:
    """Reads what an ENC has printed about a node; the methods raise PuppetError."""

    def __init__(self, node: str, place: str) -> None:
        self._node = node
        self._place = place

    def classification(self, data: Value) -> Classification:
        """Return the classification that the data describe."""
        if type(data) is not PuppetHash:
            raise self._error(f"{_kind(data)} in place of a Hash with classes and parameters")
        for key in data.keys():
            if type(key) is not str:
                raise self._error(f"key is a {_ruby_class(key)}, not a string or symbol")
        names, classes = self._classes(data.get("classes"))
        parameters = self._parameters(data.get("parameters"))
        return Classification(
            names, classes, parameters, self._environment(data.get("environment"))
        )

    def _classes(
        self, given: Value
    ) -> tuple[tuple[str, ...], tuple[tuple[str, PuppetHash | None], ...]]:
        if given is None or given is False:
            return (), ()
        if type(given) is tuple:
            names = tuple(map(self._class_name, given))
            return names, tuple((name, None) for name in names)
        if type(given) is not PuppetHash:
            raise self._error(f"the classes are {_kind(given)}, not an Array or a Hash")
        # Puppet takes the parameters by the name that the definition has.
        by_name = {self._class_name(name): value for name, value in given.items()}
        with_parameters: list[tuple[str, PuppetHash | None]] = []
        others: list[tuple[str, PuppetHash | None]] = []
        for name, value in by_name.items():
            if _is_empty(value):
                others.append((name, None))
            elif type(value) is PuppetHash:
                with_parameters.append((name, value if name == name.lower() else PuppetHash.EMPTY))
            else:
                raise self._error(f"the parameters of class {name} are {_kind(value)}, not a Hash")
        return tuple(by_name), (*with_parameters, *others)

    def _class_name(self, name: Value) -> str:
        if type(name) is int:
            name = str(name)
        if type(name) is not str:
            raise self._error(f"the name of a class is {_kind(name)}, not a String")
        if not tags.add({}, name):
            raise invalid_tag(name.lower(), None, None)
        return name

    def _parameters(self, given: Value) -> dict[str, Value]:
        if given is None or given is False:
            return {}
        if type(given) is not PuppetHash:
            raise self._error(f"the parameters are {_kind(given)}, not a Hash")
        found: dict[str, Value] = {}
        for key, value in given.items():
            name = "" if key is None else str(key)
            if name.isascii() and name.isdigit():
                raise PuppetError(f"Cannot assign to a numeric match result variable '${name}'")
            if name in _RESERVED:
                raise PuppetError(f"Attempt to assign to a reserved variable name: '{name}'")
            if name not in ("environment", "trusted"):  # the environment has a key of its own
                found[name] = _text_of(value)
        for name in _BOUND:
            if name in found:
                raise PuppetError(f"Cannot reassign variable '${name}'")
        return found

    def _environment(self, given: Value) -> str | None:
        if given is None or given is False:
            return None
        given = _text_of(given)
        if type(given) is str and _NAME_OF_ENVIRONMENT.fullmatch(given):
            return given
        shown = f"'{given}'" if type(given) is str else _kind(given)
        raise self._error(f"the environment is {shown}, not a name of letters, digits and '_'")

    def _error(self, reason: str) -> PuppetError:
        return _malformed(self._node, self._place, reason)


def _is_empty(value: Value) -> bool:
    return value is None or value is False or value in ("", (), PuppetHash.EMPTY)


def _text_of(value: Value) -> Value:
    """Return the name of a symbol of Ruby, and other values as they are."""
    return str(value) if isinstance(value, yaml_data.Symbol) else value


def _ruby_class(key: Value) -> str:
    if type(key) is bool:
        return "TrueClass" if key else "FalseClass"
    return "NilClass" if key is None else infer(key).kind


def _kind(value: Value) -> str:
    """Return the type of a value for a message, with an article."""
    if value is None:
        return "undef"
    name = infer(value).kind
    return f"{'an' if name[0] in 'AIU' else 'a'} {name}"


def _malformed(node: str, place: str, reason: str) -> PuppetError:
    return PuppetError(f"Could not load external node results for {node}: ({place}): {reason}")


def _failed(node: str, command: list[str], reason: str) -> PuppetError:
    shown = " ".join(command)
    return PuppetError(f"Failed to find {node} via exec: Execution of '{shown}' {reason}")


def _unknown(node: str, reason: str) -> PuppetError:
    return PuppetError(f"Could not find node '{node}'; cannot compile", notes=(reason,))
