"""The resource whose parameters are checked, for the place of warnings in between."""

from __future__ import annotations

from contextvars import ContextVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    # The context and the resource.
    CheckedResource = tuple[Any, Any]

CHECKED: ContextVar[CheckedResource | None] = ContextVar("CHECKED", default=None)
