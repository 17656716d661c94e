"""What values may be asked: the protocols that their classes obey, as types."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    # Any Puppet value. What may be done with it follows from its class: narrow it first.
    Value: TypeAlias = object
