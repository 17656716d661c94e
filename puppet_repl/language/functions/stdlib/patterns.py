"""Functions of stdlib that choose elements by a regular expression: grep, reject, delete_regex."""

from __future__ import annotations

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.functions.stdlib.declaring import stdlib_legacy_function
from puppet_repl.language.functions.stdlib.ruby_values import as_array, new_regexp
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.regex import Regexp
from puppet_repl.language.values.ruby import no_method, ruby_class, ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.values.protocols import Value


def _elements(
    name: str, method: str, values: tuple[Value, ...]
) -> tuple[Regexp, tuple[Value, ...]]:
    """Return the pattern and the elements that are searched."""
    if len(values) != 2:
        raise RuntimeFailure(f"{name}(): Wrong number of arguments given {len(values)} for 2")
    collection = values[0]
    pattern = new_regexp(values[1])
    if type(collection) is not tuple and type(collection) is not PuppetHash:
        raise no_method(method, collection)
    return pattern, as_array(collection)


def _matches(pattern: Regexp, value: Value) -> bool:
    """Evaluate Ruby's ``pattern === value``."""
    return (type(value) is str or value is DEFAULT) and pattern.matches(ruby_text(value))


@stdlib_legacy_function(
    "grep",
    "Array $array, String $pattern",
    returns="Array",
    examples=("grep(['aaa', 'bbb', 'aaaddd'], 'aaa')  # => ['aaa', 'aaaddd']",),
    counts=False,
)
def grep(values: tuple[Value, ...]) -> Value:
    """Return the strings of an array that match a regular expression, given as a string.

    @param array the strings
    @param pattern the regular expression
    """
    pattern, elements = _elements("grep", "grep", values)
    return tuple([element for element in elements if _matches(pattern, element)])


@stdlib_legacy_function(
    "reject",
    "Array $array, String $pattern",
    returns="Array",
    examples=("reject(['aaa', 'bbb', 'aaaddd'], 'aaa')  # => ['bbb']",),
    counts=False,
    versions=(9,),
)
def reject(values: tuple[Value, ...]) -> Value:
    """Return the elements of an array that do not match a regular expression, given as a string.

    @param array the strings
    @param pattern the regular expression
    """
    pattern, elements = _elements("reject", "grep_v", values)
    return tuple([element for element in elements if not _matches(pattern, element)])


@stdlib_legacy_function(
    "reject",
    "Variant[Array, Hash] $collection, String $pattern",
    returns="Variant[Array, Hash]",
    examples=(
        "reject(['aaa', 'bbb', 'aaaddd'], 'aaa')  # => ['bbb']",
        "reject({aa => 1, bb => 2}, 'a')  # => {'bb' => 2}",
    ),
    counts=False,
    versions=(8,),
)
def reject_8(values: tuple[Value, ...]) -> Value:
    """Return the elements, or the entries by their keys, that do not match a regular expression.

    @param collection an array, or a hash whose keys are compared
    @param pattern the regular expression
    """
    pattern, _ = _elements("reject", "reject", values)
    return _without(values[0], pattern)


@stdlib_legacy_function(
    "delete_regex",
    "Variant[Array, Hash] $collection, Variant[String, Array[String]] $patterns",
    returns="Variant[Array, Hash]",
    examples=(
        "delete_regex(['abf', 'ab', 'ac'], '^ab.*')  # => ['ac']",
        "delete_regex({ab => 1, b => 2}, ['a.*'])  # => {'b' => 2}",
    ),
    counts=False,
)
def delete_regex(values: tuple[Value, ...]) -> Value:
    """Remove the elements, or the entries whose keys match regular expressions as whole words.

    @param collection an array, or a hash whose keys are compared
    @param patterns one or more regular expressions, as strings
    """
    if len(values) != 2:
        raise RuntimeFailure(f"delete_regex(): Wrong number of arguments given {len(values)} for 2")
    collection = values[0]
    for item in as_array(values[1]):
        if type(collection) is str:
            raise no_method("reject!", collection)
        if not isinstance(collection, tuple | PuppetHash):
            raise RuntimeFailure(
                "delete_regex(): First argument must be an Array, Hash, or String. "
                f"Given an argument of class {ruby_class(collection)}."
            )
        # Ruby compiles the pattern for each element, so an empty collection never refuses it.
        pattern = new_regexp(rf"\b{ruby_text(item)}\b") if len(collection) else Regexp("")
        collection = _without(collection, pattern)
    return collection


def _without(collection: Value, pattern: Regexp) -> Value:
    """Return an array without what matches, or a hash without the keys that match."""
    if isinstance(collection, PuppetHash):
        return collection.without([key for key in collection.keys() if _has(pattern, key)])
    return tuple([each for each in as_array(collection) if not _has(pattern, each)])


def _has(pattern: Regexp, value: Value) -> bool:
    """Evaluate Ruby's ``value =~ pattern``, which only some classes have."""
    if value is None:
        return False
    if type(value) is not str and value is not DEFAULT:
        raise no_method("=~", value)
    return pattern.matches(ruby_text(value))
