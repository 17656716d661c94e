"""The settings of the server, which its client sends."""

from __future__ import annotations

from copy import copy

from puppet_repl.base.profiles import DEFAULT_LANGUAGE
from puppet_repl.base.reach import Reach
from puppet_repl.environment.facts.facts import is_factset
from puppet_repl.host.machines import is_node_name
from puppet_repl.language.runtime.options import OPTIONS
from puppet_repl.tools.formatting import WIDTH
from puppet_repl.tools.validation.file import Choices
from puppet_repl.tools.validation.file_rules import ignored_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

SECTION = "puppet-repl"
_MAX_SECONDS = 60.0


class Settings:
    """What a user has chosen; ``problems`` are sentences about settings that were not taken.

    ``modulePath`` are further directories of modules, ``facts`` the name of a bundled set of facts,
    ``node`` the node for which data are looked up. ``advice`` says whether there are warnings of
    probable mistakes, and ``ignore`` are rules without them. ``language`` and ``strict`` mean what
    they do on the command line, ``width`` is that of lines. ``trust`` allows commands to evaluate,
    for ``maxSeconds`` each.
    """

    def __init__(self, given: object = None) -> None:
        self.problems: list[str] = []
        self._given: dict[str, Any] = given if isinstance(given, dict) else {}
        self.module_path: tuple[str, ...] = tuple(self._taken("modulePath", (), _strings))
        # Those directories whose links to modules elsewhere are followed.
        self.linking_path = self.module_path
        self.facts: str | None = self._taken("facts", None, _facts)
        self.node: str | None = self._taken("node", None, _node)
        self.advice: bool = self._taken("advice", True, _boolean)
        self.ignore: frozenset[str] = frozenset(self._taken("ignore", (), _rules))
        self.language: str = self._taken("language", DEFAULT_LANGUAGE, OPTIONS["language"].taken)
        self.strict: Any = self._taken("strict", "error", OPTIONS["strict"].taken)
        self.width: int = self._taken("width", WIDTH, _width)
        # A value of another kind must not give trust.
        self.trust: bool = self._taken("trust", True, _boolean)
        if not isinstance(self._given.get("trust"), bool | None):
            self.trust = False
        self.max_seconds: float = self._taken("maxSeconds", _MAX_SECONDS, _seconds)

    def _taken(self, name: str, default: Any, take: Callable[[Any], Any]) -> Any:
        value = self._given.get(name)
        if value is None:
            return default
        try:
            return take(value)
        except (TypeError, ValueError) as error:
            self.problems.append(f"the setting {SECTION}.{name} is not used: {error}")
            return default

    def restricted(self, start: Settings, directories: Iterable[str]) -> Settings:
        """Return these settings for directories that are not trusted.

        They may have sent the settings. So of the module path that part counts which is in the
        settings of the ``start``, or in these directories.
        """
        reach = Reach(directories)
        made = copy(self)
        made.linking_path = tuple(each for each in self.module_path if each in start.module_path)
        made.module_path = tuple(
            each for each in self.module_path if each in made.linking_path or reach.allows(each)
        )
        return made

    @property
    def given(self) -> dict[str, Any]:
        """What the client has sent."""
        return self._given

    @property
    def choices(self) -> Choices:
        """The settings for checks. No Ruby parses code: it would be another program."""
        return Choices(
            self.language, self.strict, advice=self.advice, ruby="off", ignore=self.ignore
        )


def _strings(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TypeError("it is a list of strings")
    if any("\0" in each for each in value):
        raise ValueError("a string has NUL in it")
    return value


def _rules(value: object) -> list[str]:
    return [ignored_rule(each) for each in _strings(value)]


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("it is true or false")
    return value


def _width(value: object) -> int:
    if type(value) is not int or value < 1:
        raise TypeError("it is a number of columns")
    return value


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= 3600:
        raise TypeError("it is a number of seconds, at most 3600")
    return float(value)


def _node(value: object) -> str | None:
    if not isinstance(value, str):
        raise TypeError("it is the name of a node")
    if value and not is_node_name(value):
        raise ValueError("no node can have this name")
    return value or None  # a client may have '' as the default


def _facts(value: object) -> str:
    # Nothing but names: a file of facts might be anywhere.
    if not (isinstance(value, str) and is_factset(value)):
        raise ValueError("an unknown set of facts")
    return value
