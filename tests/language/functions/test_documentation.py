"""What declarations say of parameters and results: all of it is there, and the types are true."""

from __future__ import annotations

from typing import Any

import pytest

from puppet_repl.language.functions.aliases import parse_local_type
from puppet_repl.language.functions.documentation import text_and_tags
from puppet_repl.language.functions.registry import BUILTINS, Function
from puppet_repl.language.functions.stdlib.declaring import TABLES
from puppet_repl.session import Options, Session
from tests.language.functions.test_examples import ALL_TABLES, FACTS

# The type of their result follows from the data, the block or the type that they are given.
RETURN_ANYTHING = {
    *("annotate", "assert_type", "call", "convert_to", "dig", "eyaml_lookup_key", "get", "getvar"),
    *("hiera", "hiera_array", "hiera_hash", "hiera_include", "index", "lest", "lookup", "max"),
    *("min", "new", "reduce", "regsubst", "scanf", "slice", "then", "tree_each", "unwrap", "with"),
    *("dig44", "fact", "getparam", "loadjson", "loadyaml", "parsejson", "parsepson", "parseyaml"),
    *("pick", "pick_default", "parsehocon", "stdlib::parsehocon", "stdlib::rewrap_sensitive_data"),
    *("try_get_value", "validate_legacy"),
}


FUNCTIONS = [
    pytest.param(function, id=f"{stdlib}-{function.name}")
    for stdlib, table in {"off": BUILTINS, **TABLES}.items()
    for name in table.names()
    if (function := table.find(name)) is not None
]


def parameters_of(function: Function) -> tuple[set[str], set[str]]:
    """The names of the parameters, and of the blocks."""
    signatures = function.signatures()
    names = {each.name for signature in signatures for each in signature.parameters}
    return names, {signature.block.name for signature in signatures if signature.block}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_parameter_is_described(function: Function) -> None:
    names, blocks = parameters_of(function)
    described = set(function.tags.parameters)
    assert described >= names
    assert described <= names | blocks
    assert all(function.tags.parameters.values())
    assert "@param" not in function.doc and "@return" not in function.doc


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_result_has_a_type_or_follows_from_the_arguments(function: Function) -> None:
    unknown = any(function.result_text(each) == "Any" for each in function.signatures())
    is_old_name = function.doc.startswith("Call stdlib::")
    assert not unknown or function.name in RETURN_ANYTHING or is_old_name
    for signature in function.signatures():
        parse_local_type(function.result_text(signature), signature.aliases)


@pytest.mark.parametrize("stdlib", ALL_TABLES)
def test_results_of_the_examples_have_the_types_that_are_told(
    stdlib: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: set[str] = set()
    wrong: list[str] = []

    def observe(function: Function, dispatch: Any) -> None:
        text = function.result_text(dispatch)
        expected = parse_local_type(text, dispatch.aliases)
        implementation = dispatch.implementation

        def call(*args: Any, **given: Any) -> Any:
            value = implementation(*args, **given)
            seen.add(function.name)
            if not expected.accepts_value(value):
                wrong.append(f"{function.name} returns {value!r}, which is no {text}")
            return value

        monkeypatch.setattr(dispatch, "implementation", call)

    table = ALL_TABLES[stdlib]
    functions = [found for name in table.names() if isinstance(found := table.find(name), Function)]
    for function in functions:
        for dispatch in function.signatures():
            observe(function, dispatch)
    for function in functions:
        for example in function.examples:
            Session(Options(stdlib=stdlib), facts=FACTS).execute(example.rpartition("  # ")[0])
    assert not wrong, "\n".join(wrong)
    assert len(seen) > len(functions) * 0.7, "hardly a function was called"


def test_tags_are_read() -> None:
    text, tags = text_and_tags(
        """Return it.

        And more of it.

        @param one the first
          of two
        @param two the second
        @return [Hash[String, Array[Integer]]] what it
          is
        """
    )
    assert text.split() == ["Return", "it.", "And", "more", "of", "it."]
    assert tags.parameters == {"one": "the first of two", "two": "the second"}
    assert (tags.type_text, tags.returned) == ("Hash[String, Array[Integer]]", "what it is")
    assert text_and_tags("No tags.")[0] == "No tags."
    assert not text_and_tags("No tags.")[1].parameters


@pytest.mark.parametrize("text", ["Text.\n\n@raise no", "Text.\n\n@return [Array[String] no"])
def test_tags_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"@raise|bracket"):
        text_and_tags(text)
