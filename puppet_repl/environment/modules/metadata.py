"""Whether Puppet has a module, by its metadata.json.

Puppet reads the metadata of each module of an environment. A module is left out, with an error in
the log, if its metadata are not JSON (under ``strict`` = error) or lack a part; other data than an
object end the compilation.
"""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.file_reading import read_text
from puppet_repl.base.json_data import JsonDataError, has_half_pairs, is_deeper, read_json
from puppet_repl.language.ruby_library.json import MAX_DEPTH, JsonError, parse_json
from puppet_repl.language.values.hash import PuppetHash, from_data
from puppet_repl.language.values.ruby import no_method, ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from puppet_repl.base.stamp import Look, Stamp
    from puppet_repl.environment.modules.modules import Module
    from puppet_repl.language.runtime.options import Strictness

    # The finding in a file, for a level of ``strict``, with the stamp of the file.
    Findings: TypeAlias = dict[tuple[str, Strictness], tuple[Stamp | None, "Finding"]]

_PARTS = ("source", "author", "version", "license", "dependencies")
_UNREADABLE = "{} has an invalid and unparsable metadata.json file. The parse error: {}"
_NO_ARRAY = (
    "The value for the key dependencies in the file metadata.json of the module {}"
    " must be an array, not: '{}'"
)


class Finding:
    """What the metadata of a module mean for it.

    ``log`` is a level and a message, None for nothing; ``is_loaded`` tells whether Puppet has the
    module. With a ``fault`` no program is compiled: it is what Ruby says, and why.
    """

    __slots__ = ("fault", "is_loaded", "log")

    def __init__(
        self,
        log: tuple[str, str] | None = None,
        *,
        is_loaded: bool = True,
        fault: tuple[str, str] | None = None,
    ) -> None:
        self.log = log
        self.is_loaded = is_loaded and fault is None
        self.fault = fault

    def error(self) -> PuppetError | None:
        """Return the error that ends a compilation, None for none."""
        if self.fault is None:
            return None
        message, note = self.fault
        return PuppetError(message, notes=(note,))


_GOOD = Finding()


def finding_of(module: Module, strict: Strictness, known: Findings, look: Look) -> Finding:
    """Return what the metadata of a module mean; ``known`` are earlier findings, also updated."""
    path = module.file("metadata.json")
    if module.reach is not None and not module.reach.allows(path):
        return _GOOD
    stamp = look.stamp(path)
    if stamp is None or not stamp[1]:  # an empty file is as good as none
        return _GOOD
    found = known.get((path, strict))
    if found is None or found[0] != stamp:
        found = known[path, strict] = (stamp, _read(module.name, path, strict))
    return found[1]


def _read(name: str, path: str, strict: Strictness) -> Finding:
    try:
        data = _parsed(read_text(path))
    except (OSError, UnicodeDecodeError):
        return _GOOD
    except JsonError as error:
        level = {"error": "err", "warning": "warning", "off": "debug"}[strict]
        message = _UNREADABLE.format(name, error)
        return Finding((level, message), is_loaded=strict != "error")
    return judge(name, path, data)


def _parsed(text: str) -> Any:
    """Return the value of a JSON text as plain data; raise JsonError with Ruby's words."""
    if not (is_deeper(text, MAX_DEPTH) or has_half_pairs(text)):
        try:
            return read_json(text)
        except JsonDataError:
            pass  # Ruby's library reads comments
    return parse_json(text)


def judge(name: str, path: str, data: Any) -> Finding:
    """Return what the data of metadata.json mean for a module of this name."""
    if isinstance(data, list | tuple | str) and not data:
        return _GOOD
    if isinstance(data, str):  # whose part of a name is that name
        data = {part: part for part in ("name", *_PARTS) if part in data}
        if not data:
            return _lacking(name, _PARTS[0])
    if not isinstance(data, dict | PuppetHash):
        return _fault(path, data)
    if not data:
        return _GOOD
    title = data.get("name")
    if title not in (None, False) and not isinstance(title, str):
        return Finding(fault=(_without("tr", title), f"the name in {path} is not a string"))
    for part in _PARTS:
        if data.get(part) is None:
            return _lacking(name, part)
    dependencies = data["dependencies"]
    if not isinstance(dependencies, list | tuple):
        text = ruby_text(from_data(dependencies))
        return Finding(("err", _NO_ARRAY.format(name, text)), is_loaded=False)
    for each in dependencies:
        fault = _fault_in_dependency(each)
        if fault is not None:
            return Finding(fault=(fault, f"a dependency in {path} is not an object with a name"))
    return _GOOD


def _lacking(name: str, part: str) -> Finding:
    return Finding(("err", f"No {part} module metadata provided for {name}"), is_loaded=False)


def _fault(path: str, data: Any) -> Finding:
    """Return what Ruby does with data that are not an object."""
    if isinstance(data, list | tuple):
        message = "no implicit conversion of String into Integer"
    else:
        message = _without("empty?", data)
    return Finding(fault=(message, f"{path} is not a JSON object"))


def _fault_in_dependency(each: Any) -> str | None:
    if isinstance(each, dict | PuppetHash):
        name = each.get("name")
        return None if name is None or isinstance(name, str) else _without("tr", name)
    if isinstance(each, str):
        return "string not matched"
    if each is None or isinstance(each, bool):
        return _without("[]", each)
    return "no implicit conversion of String into Integer"


def _without(method: str, value: Any) -> str:
    """Return Ruby's words for a value without a method."""
    return no_method(method, from_data(value)).message
