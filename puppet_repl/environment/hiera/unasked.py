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
    from puppet_repl.environment.hiera.config import Level
    from puppet_repl.environment.hiera.search import Search
    from puppet_repl.language.values.protocols import Value


class UnaskedLevels:
    """The levels that could not be asked, for one input: they are not asked again."""

    def __init__(self) -> None:
        # The reasons by hiera.yaml and name of the level.
        self._reasons: dict[tuple[str, str], str] = {}
        self._keys: set[str] = set()

    def forget(self) -> None:
        """Ask all levels again."""
        self._reasons.clear()
        self._keys.clear()

    def may_have(self, key: str) -> bool:
        """Tell whether one of the levels may have a key."""
        return key in self._keys

    def add(self, level: Level, error: PuppetError) -> None:
        """Add a level with the error of its function."""
        reason = shortened(error.message.partition("\n")[0])
        self._reasons[level.config_path, level.name] = reason

    def has(self, level: Level) -> bool:
        """Tell whether a level is one of them."""
        return (level.config_path, level.name) in self._reasons

    def pass_over(self, level: Level, key: str, search: Search) -> None:
        """Note that a level was not asked for a key, unless it cannot have the key."""
        placeholders = placeholders_of(search.context)
        if placeholders is None or not _is_allowed(level, key):
            return
        reason = self._reasons[level.config_path, level.name]
        if search.explainer is not None:
            search.explainer.end("not asked", key)
            search.explainer.text(f"Not asked: {reason}")
        if key != OPTIONS:
            self._keys.add(key)
            placeholders.add_unasked(f"level '{level.name}' ({level.function}: {reason})", key)


def placeholder_of(key: str, search: Search) -> Value:
    """Return the placeholder of a key without a value, UNSET if all levels were asked for it.

    Raises PuppetError where lookup_options cannot convert it.
    """
    placeholders = search.context.placeholders
    if placeholders is None:
        return UNSET
    root = str((split_segments(key) or (key,))[0])
    if not search.hiera.functions.unasked.may_have(root):
        return UNSET
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
