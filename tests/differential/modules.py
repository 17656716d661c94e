"""A program's definitions as the files of a module."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tests.differential.programs import Node, Program, literal

__all__ = ["parameters", "with_data", "without_environment", "write"]

# The directory of a kind of definition, and the name in it.
_DIRECTORIES = {
    "function": "functions",
    "type": "types",
    "class": "manifests",
    "define": "manifests",
}
_DEFINED = re.compile(r"(function|type|class|define) [mM]::(\w+)")
_ENVIRONMENT = re.compile(r'"environment": "\w+"')


# What the data have for parameters of classes, by their kinds, in JSON and in Puppet alike.
DATA = {
    "int": "6",
    "small": "6",
    "float": "2.5",
    "str": '"of data"',
    "array": '[1, "two"]',
    "bool": "true",
    "any": '"any of data"',
}
_PARAMETER = re.compile(r"class (m::c\d\d)\([^$]*\$(v\d\d) = ")
_HIERA = "version: 5\nhierarchy:\n  - {name: all, path: all.yaml}\n"


def write(program: Program, environment: Path, data_in: str = "") -> Path:
    """Write an environment with the definitions in the module ``m``; return its path.

    ``data_in`` is the directory, from there, of the layer that has values for classes.
    """
    shutil.rmtree(environment, ignore_errors=True)
    module = environment / "modules" / "m"
    for directory in set(_DIRECTORIES.values()):
        (module / directory).mkdir(parents=True)
    for definition in program.definitions:
        found = _DEFINED.match(definition.text)
        assert found is not None, definition.text
        path = module / _DIRECTORIES[found[1]] / f"{found[2].lower()}.pp"
        path.write_text(definition.text + "\n", encoding="utf-8")
    if data_in:
        layer = environment / data_in
        (layer / "data").mkdir()
        (layer / "hiera.yaml").write_text(_HIERA, encoding="utf-8")
        lines = [
            f"{key}: {DATA[each.parts[0].kind]}\n" for key, each in parameters(program).items()
        ]
        (layer / "data" / "all.yaml").write_text("".join(lines), encoding="utf-8")
    return environment


def parameters(program: Program) -> dict[str, Node]:
    """Return the classes of a program with a parameter that data can have, by its key."""
    found = {}
    for definition in program.definitions:
        parameter = _PARAMETER.match(definition.text)
        if parameter is not None and definition.parts[0].kind in DATA:
            found[f"{parameter[1]}::{parameter[2]}"] = definition
    return found


def with_data(program: Program) -> Program:
    """Return the program with the values of the data as defaults."""
    classes = [*parameters(program).values()]
    changed = [
        each.replaced(0, literal(each.parts[0].kind, DATA[each.parts[0].kind]))
        if each in classes
        else each
        for each in program.definitions
    ]
    return program._replace(definitions=tuple(changed))


def without_environment(text: str) -> str:
    """Return a text without the name of the environment."""
    return _ENVIRONMENT.sub('"environment": ""', text)
