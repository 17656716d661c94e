"""What goes over the wire: JSON in UTF-8, whatever text a program has made.

Puppet text can hold halves of surrogate pairs, which UTF-8 has no bytes for. They are replaced here
and nowhere else, because there is no output, reply, event or error that could not hold one.
"""

from __future__ import annotations

import json
from typing import Any

from jupyter_client.jsonutil import json_clean, json_default

from puppet_repl.base.safe_text import to_wire


def pack(content: Any) -> bytes:
    """Return a part of a message as Jupyter's session sends it. Raises what json.dumps raises."""
    try:
        text = _dumps(content)
    except (TypeError, ValueError):  # keys that are no text, numbers that JSON lacks
        text = _dumps(json_clean(content))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return to_wire(text).encode()


def _dumps(content: Any) -> str:
    return json.dumps(content, default=json_default, ensure_ascii=False, allow_nan=False)
