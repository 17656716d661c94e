"""Puppet's warnings of variables that hiera.yaml finds no value for: two lines for each variable.

Front ends count them in one line.
"""

from __future__ import annotations

from puppet_repl.base.wording import counted, some_of

_BEGIN, _END = "Interpolation failed with '", "', but compilation continuing; "
_MAX_LISTED = 5


def warning_of(name: str, reason: str) -> str:
    """Return the warning of a variable, without a location."""
    return f"{_BEGIN}{name}{_END}{reason}"


class FailedInterpolations:
    """The warnings that are counted, one of each variable.

    ``request`` says how the user gets to see them.
    """

    def __init__(self, request: str) -> None:
        self._request = request
        self._warnings: dict[str, str] = {}

    def counts(self, text: str) -> bool:
        """Tell whether a message is such a warning; count it."""
        if not text.startswith(_BEGIN):
            return False
        self._warnings.setdefault(text.removeprefix(_BEGIN).partition(_END)[0], text)
        return True

    def take(self) -> str | None:
        """Return one warning for all so far and forget them; return None without any."""
        warnings, self._warnings = self._warnings, {}
        if len(warnings) < 2:
            return next(iter(warnings.values()), None)
        names = some_of([*warnings], _MAX_LISTED)
        variables = counted(len(warnings), "variable")
        return f"hiera.yaml found no value for {variables}: {names} ({self._request})"
