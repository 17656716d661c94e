"""SGR parameters, by background, for text that prompt_toolkit does not draw."""

from __future__ import annotations

from puppet_repl.tools.rendering.fragments import PALETTE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Those of the palette, and those in their place on a light background.
LIGHT_SGR = {
    "32": "38;5;28",
    "36": "38;5;24",
    "33": "38;5;94",
    "31": "38;5;124",
    "35": "38;5;91",
    "34": "38;5;25",
    "2": "38;5;242",
}


def make_palette(*, light: bool) -> Mapping[str, str]:
    """Return the SGR parameters of the roles for a background, as ``ansi`` takes them."""
    if not light:
        return PALETTE
    return {
        role: ";".join([LIGHT_SGR.get(part, part) for part in parameters.split(";")])
        for role, parameters in PALETTE.items()
    }


def light_by_environment(value: str | None) -> bool | None:
    """Tell whether ``COLORFGBG`` names a light background; None if it names none."""
    number = (value or "").rpartition(";")[2]
    if not number.isdecimal() or int(number) > 15:
        return None
    return int(number) in (7, *range(9, 16))
