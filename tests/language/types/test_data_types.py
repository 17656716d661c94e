"""One record a data type: what is made from the records, and what they say, is there."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

from puppet_repl.language.types.data_types import DATA_TYPES, DOCUMENTED, RECORDS, DataType
from puppet_repl.language.types.making.constructor import Constructor
from puppet_repl.language.types.making.factory import lookup
from puppet_repl.language.types.making.new import constructor_of
from puppet_repl.language.types.model.base import PuppetType
from puppet_repl.language.values.protocols import PuppetValue
from puppet_repl.session import Session
from puppet_repl.session.symbols import SessionSymbols
from tests.imports import tree_of

ROOT = Path(__file__).parents[3]


def name_of(record: DataType) -> str:
    return record.name


@pytest.mark.parametrize("record", RECORDS, ids=name_of)
def test_every_type_is_found_by_its_name(record: DataType) -> None:
    module, _, constant = record.path.rpartition(".")
    kind = getattr(import_module(f"puppet_repl.language.types.{module}"), constant)
    assert isinstance(kind, PuppetType)
    assert lookup(record.name) is kind
    assert lookup(f"::{record.name.upper()}") is kind
    if record.name not in ("TypeAlias", "TypeReference", "TypeSet"):
        assert kind.name == record.name


@pytest.mark.parametrize(
    "record", [record for record in RECORDS if record.constructor], ids=name_of
)
def test_every_constructor_is_found(record: DataType) -> None:
    constructor = constructor_of(record.name)
    assert isinstance(constructor, Constructor)
    assert constructor.signatures


@pytest.mark.parametrize("record", DOCUMENTED.values(), ids=name_of)
def test_help_shows_the_record(record: DataType) -> None:
    session = Session()
    inspected = session.inspect(record.name, 1)
    assert inspected is not None
    assert record.name in SessionSymbols(session).type_names()
    assert record.text.endswith((".", " ...")) and len(record.text) < 90
    assert inspected.text == record.text
    assert inspected.signatures == (record.name + record.parameters,)


@pytest.mark.parametrize("record", [record for record in RECORDS if record.example], ids=name_of)
def test_examples_are_of_their_types(record: DataType) -> None:
    """An example is a value of the type, a type of its kind, or the definition of one."""
    session = Session()
    if record.example.startswith("type "):
        assert session.execute(record.example).error is None
        return
    outcome = session.execute(record.example)
    assert outcome.error is None, outcome.error
    kind = lookup(record.name)
    assert kind is not None
    value = outcome.value
    own_kind = isinstance(value, PuppetType) and value.kind == record.name
    is_type = isinstance(value, PuppetType) and kind.accepts_type(value)
    assert own_kind or is_type or kind.accepts_value(value), value


def classes_below(base: type) -> set[type]:
    found = {base}
    for below in base.__subclasses__():
        found |= classes_below(below)
    return found


def test_values_of_classes_of_their_own_have_rich_data() -> None:
    for record in RECORDS:
        lookup(record.name)
    for kind in classes_below(PuppetValue):
        name = kind.__dict__.get("data_type", "")
        if isinstance(name, str) and name not in ("", "Sensitive"):
            record = DATA_TYPES[name.lower()]
            assert record.name == name
            assert record.rich_data is not None


@pytest.mark.xdist_group("sources")
def test_an_object_is_shown_to_python_as_puppet_writes_it() -> None:
    value = Session(facts={}).execute("type P = Object[{attributes => {a => Integer}}] P(1)").value
    assert repr(value) == "<P({'a' => 1})>"


def test_no_module_lists_the_data_types_again() -> None:
    """A table by kind of type has rules for some of them; nobody lists most of them."""
    names = {record.name for record in RECORDS}
    for path in (ROOT / "puppet_repl").rglob("*.py"):
        if path.name in ("data_types.py", "pcore.py"):
            continue
        for node in ast.walk(tree_of(path)):
            items = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else []
            if isinstance(node, ast.Dict):
                items = [key for key in node.keys if key is not None]
            listed = {item.value for item in items if isinstance(item, ast.Constant)}
            assert len(listed & names) < 12, f"{path}:{node.lineno}"
