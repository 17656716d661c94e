"""Check the content of a request, and describe its mistake to the front end."""

from __future__ import annotations

from typing import Any

_KINDS: dict[type, str] = {
    str: "a string",
    int: "a whole number",
    bool: "true or false",
    dict: "an object",
}
_REQUIRED: dict[str, dict[str, type]] = {
    "execute_request": {"code": str},
    "complete_request": {"code": str, "cursor_pos": int},
    "inspect_request": {"code": str, "cursor_pos": int},
    "is_complete_request": {"code": str},
    "history_request": {"hist_access_type": str, "output": bool, "raw": bool},
}
_OPTIONAL: dict[str, dict[str, type]] = {
    "execute_request": {"user_expressions": dict, "store_history": bool},
    "history_request": {
        **dict.fromkeys(("session", "start", "stop", "n"), int),
        "pattern": str,
        "unique": bool,
    },
}
# Requests whose base class refuses unknown keys.
_CLOSED = ("history_request",)


def request_problem(kind: str, content: Any) -> str | None:
    """Return the problem with the content of a request, or None; further keys are allowed."""
    required = _REQUIRED.get(kind, {})
    optional = _OPTIONAL.get(kind, {})
    if not isinstance(content, dict):
        return f"the content of {kind} has to be an object"
    for key, wanted in required.items():
        if key not in content:
            return f"{kind} needs '{key}', {_KINDS[wanted]}"
        if type(content[key]) is not wanted:
            return f"'{key}' of {kind} has to be {_KINDS[wanted]}"
    for key, wanted in optional.items():
        if content.get(key) is not None and type(content[key]) is not wanted:
            return f"'{key}' of {kind} has to be {_KINDS[wanted]}"
    if kind in _CLOSED:
        for key in content:
            if key not in required and key not in optional:
                return f"{kind} has no '{key}'"
    return None
