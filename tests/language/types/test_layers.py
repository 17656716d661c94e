"""The layers inside of types: what one gives the other, and what is loaded by its name."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from puppet_repl.language.types.algebra import infer
from puppet_repl.language.types.making import access, new, shapes
from puppet_repl.language.types.making.parse import parse_type
from puppet_repl.language.types.making.pcore import _KNOWN, _META
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.types.model.collection import HashType
from puppet_repl.language.types.model.name_types import MEMBER_NAME, PCORE_ALIASES, TYPE_NAME

ROOT = Path(__file__).parents[3]

PATHS = [
    *infer._RARE.values(),
    *[f"making.{path}" for path in access._RARE.values()],
    *new._DEPENDENT.values(),
]


@pytest.mark.parametrize("path", sorted(set(PATHS)))
def test_what_is_loaded_by_its_name_is_there(path: str) -> None:
    module, _, name = path.rpartition(".")
    assert hasattr(import_module(f"puppet_repl.language.types.{module}"), name)


def test_the_model_alone_says_what_it_needs() -> None:
    model = (
        "from puppet_repl.language.types.model.scalar import INTEGER\n"
        "from puppet_repl.language.types.model.wrapper import IterableType\n"
    )
    question = "print(IterableType(INTEGER).accepts_value((1,)))"
    alone = _run(model + question)
    assert "import puppet_repl.language.types.making.factory" in alone.stderr
    connected = _run(model + "import puppet_repl.language.types.making.factory\n" + question)
    assert connected.stdout == "True\n", connected.stderr


def _run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)


MEMBER = r"Pattern[/\A[a-z_]\w*\z/]"
NAME = r"Pattern[/\A[A-Z]\w*(?:::[A-Z]\w*)*\z/]"
SIMPLE_NAME = r"Pattern[/\A[A-Z]\w*\z/]"
ANNOTATIONS = f"Optional[Hash[Type[Annotation], Hash[{MEMBER}, Any]]]"
COMPONENT = (
    "Optional[Variant[String[1], Regexp, Type[Pattern], Type[Enum], Type[NotUndef], Type[Undef]]]"
)
OBJECT = f"""Struct[{{
        Optional[name] => {NAME},
        Optional[parent] => Type,
        Optional[type_parameters] => Hash[{MEMBER}, NotUndef],
        Optional[attributes] => Hash[{MEMBER}, NotUndef],
        Optional[constants] => Hash[{MEMBER}, Any],
        Optional[functions] => Hash[Variant[{MEMBER}, String], NotUndef],
        Optional[equality] => Variant[{MEMBER}, Array[{MEMBER}]],
        Optional[equality_include_type] => Boolean,
        Optional[checks] => Any,
        Optional[annotations] => {ANNOTATIONS}
    }}]"""
SHAPES = {
    "OBJECT_SHAPE": OBJECT,
    "FUNCTION_SHAPE": f"""Struct[{{
        type => Type[Callable],
        Optional[final] => Boolean,
        Optional[override] => Boolean,
        Optional[annotations] => {ANNOTATIONS}
    }}]""",
    "ATTRIBUTE_SHAPE": f"""Struct[{{
        type => Type,
        Optional[final] => Boolean,
        Optional[override] => Boolean,
        Optional[kind] => Enum[constant, derived, given_or_derived, reference],
        value => Any,
        Optional[annotations] => {ANNOTATIONS}
    }}]""",
    "TYPE_SET_SHAPE": f"""Struct[{{
        Optional[pcore_uri] => Pcore::URI,
        pcore_version => Variant[String[1], SemVer],
        Optional[name_authority] => Pcore::URI,
        Optional[name] => {NAME},
        Optional[version] => Variant[String[1], SemVer],
        Optional[types] => Hash[{SIMPLE_NAME}, Variant[Type, {OBJECT}], 1],
        Optional[references] => Hash[{SIMPLE_NAME}, Struct[{{
            name => {NAME},
            version_range => Variant[String[1], SemVerRange],
            Optional[name_authority] => Pcore::URI,
            Optional[annotations] => {ANNOTATIONS}
        }}], 1],
        Optional[annotations] => {ANNOTATIONS}
    }}]""",
    "URI_SHAPE": f"""Variant[String[1], Struct[{{
        Optional[scheme] => {COMPONENT},
        Optional[userinfo] => {COMPONENT},
        Optional[host] => {COMPONENT},
        Optional[port] => Optional[Variant[Integer[0], Type[NotUndef], Type[Undef]]],
        Optional[path] => {COMPONENT},
        Optional[query] => {COMPONENT},
        Optional[fragment] => {COMPONENT},
        Optional[opaque] => {COMPONENT}
    }}]]""",
}


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_are_those_of_puppet(name: str) -> None:
    shape: PuppetType = getattr(shapes, name)
    assert str(shape) == str(parse_type(SHAPES[name]))


def test_the_only_function_with_another_name_is_the_one_for_brackets() -> None:
    names = shapes.OBJECT_SHAPE.named["functions"].value
    assert isinstance(names, HashType)
    assert [names.key.accepts_value(one) for one in ("a", "[]", "[a]", "A")] == [
        True,
        True,
        False,
        False,
    ]


def test_types_of_names_are_those_of_puppet() -> None:
    assert parse_type(MEMBER) == MEMBER_NAME
    assert parse_type(NAME) == TYPE_NAME
    uri = parse_type(r"Pattern[/[a-zA-Z][\-+.a-zA-Z\d]*:/]")
    assert PCORE_ALIASES["Pcore::URI"].resolved() == uri
    pattern = parse_type(r"Regexp[/[a-zA-Z][\-+.a-zA-Z\d]*:/]")
    assert PCORE_ALIASES["Pcore::URI_RX"].resolved() == pattern


# Types that no text names.
_NAMELESS = {"ObjectTypeExten", "Unit"}


@pytest.mark.parametrize("kind", sorted(set(_META) - _NAMELESS))
def test_the_model_knows_which_pcore_types_a_type_is_an_instance_of(kind: str) -> None:
    names = set()
    described = _KNOWN[f"pcore::{kind.lower()}type"]
    for ancestor in described.lineage():
        names.add(ancestor.label)
    assert parse_type(kind).pcore_names() == names
