"""Levels of data that cannot be asked here, because a function needs what only a server has.

With the option ``secrets`` such a level is passed over. A key that no other level has gets a
placeholder where the lookup would end in an error.
"""

from __future__ import annotations

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.wording import shortened
from puppet_repl.environment.hiera.options import OPTIONS
from puppet_repl.language.data.dotted_keys import split_segments
from puppet_repl.language.runtime.placeholders import placeholders_of
from puppet_repl.language.values.default import UNSET
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.regex import Regexp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from puppet_repl.environment.hiera.config import Level
    from puppet_repl.environment.hiera.search import Search
    from puppet_repl.language.values.protocols import Value

    # The location, and the segments that the function is given.
    Call: TypeAlias = "tuple[str | None, tuple[Any, ...]]"


class UnaskedLevels:
    """The calls of functions of levels that have failed for one input: they are not tried again.

    A level whose function is missing or cannot be loaded is not asked at all. An error of a call
    says nothing about the other calls: ``call`` is what makes one differ from them, None for all.
    """

    def __init__(self) -> None:
        # The reasons by hiera.yaml and name of the level and by call, and the first of each level.
        self._reasons: dict[tuple[str, str, Call | None], str] = {}
        self._first: dict[tuple[str, str], str] = {}
        self._keys: set[tuple[Any, ...]] = set()

    def forget(self) -> None:
        """Ask all levels again."""
        self._reasons.clear()
        self._first.clear()
        self._keys.clear()

    def may_have(self, segments: tuple[Any, ...]) -> bool:
        """Tell whether one of the levels may have the key with these segments."""
        return segments in self._keys or segments[:1] in self._keys

    def add(self, level: Level, call: Call | None, error: PuppetError) -> str:
        """Add a call of a level, or all of them, with the error; return the reason."""
        reason = shortened(error.message.partition("\n")[0])
        self._reasons[level.config_path, level.name, call] = reason
        self._first.setdefault((level.config_path, level.name), reason)
        return reason

    def reason(self, level: Level, call: Call) -> str | None:
        """Return why a level cannot be asked that way, None if it can be, as far as is known."""
        place = level.config_path, level.name
        whole = self._reasons.get((*place, None))
        return self._reasons.get((*place, call)) if whole is None else whole

    def pass_over(
        self, level: Level, segments: tuple[Any, ...], reason: str, search: Search
    ) -> None:
        """Note that a level was not asked for a key, unless it cannot have the key.

        The key has one segment, unless the level finds values inside of others itself.
        """
        placeholders = placeholders_of(search.context)
        key = str(segments[0])
        if placeholders is None or not _is_allowed(level, key):
            return
        if search.explainer is not None:
            search.explainer.end("not asked", key)
            search.explainer.text(f"Not asked: {reason}")
        if key != OPTIONS:
            self._keys.add(segments)
            # One text counts all keys of a level.
            first = self._first[level.config_path, level.name]
            placeholders.add_unasked(f"level '{level.name}' ({level.function}: {first})", key)


def placeholder_of(key: str, search: Search) -> Value:
    """Return the placeholder of a key without a value, UNSET if all levels were asked for it.

    Raises PuppetError where lookup_options cannot convert it.
    """
    placeholders = search.context.placeholders
    if placeholders is None:
        return UNSET
    segments = split_segments(key) or (key,)
    if not search.hiera.functions.unasked.may_have(tuple(segments)):
        return UNSET
    root = str(segments[0])
    made = placeholders.of_key(key)
    if search.explainer is not None:
        search.explainer.text(
            f"No level that could be asked has the key: its placeholder is {made}"
        )
    module = root.partition("::")[0] if "::" in root else None
    wanted = search.hiera.options.of(root, module, search).get("convert_to")
    return made if wanted is None else search.converted(key, made, wanted)


def _is_allowed(level: Level, key: str) -> bool:
    """Tell whether a level may have a key, by the option that many backends have for it."""
    options = level.options if type(level.options) is PuppetHash else PuppetHash.EMPTY
    patterns = options.get("confine_to_keys")
    if type(patterns) is not tuple:
        return True
    try:
        return any(Regexp(pattern).matches(key) for pattern in patterns)
    except PuppetError:
        return True
