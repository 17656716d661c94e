"""The keys of the prompt as ``:help keys`` lists them, read from the bindings themselves."""

from __future__ import annotations

from collections.abc import Iterable

from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import Filter, emacs_insert_mode, vi_insert_mode, vi_navigation_mode
from prompt_toolkit.key_binding.bindings.emacs import load_emacs_bindings
from prompt_toolkit.key_binding.key_bindings import Binding, KeyBindingsBase
from prompt_toolkit.keys import Keys

from puppet_repl.frontends.terminal.keys import SENT_AS_CHARACTERS, grouped_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontends.terminal.app import Terminal

_NAMES = {
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "home": "Home",
    "end": "End",
    "delete": "Delete",
    "pageup": "Page Up",
    "pagedown": "Page Down",
    "backspace": "Backspace",
    "c-h": "Backspace",
    "c-i": "Tab",
    "s-tab": "Shift-Tab",
    "c-m": "Enter",
    "c-@": "Ctrl-Space",
    "escape": "Escape",
    " ": "Space",
    "<bracketed-paste>": "a paste",
}
# What a key has when it is not pressed by a user, or what stands for all keys.
_NO_KEYS = (Keys.Any, Keys.SIGINT)


def all_keys(terminal: Terminal) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the keys of a prompt and what they do, by headings."""
    found = [(heading, listed_keys(keys)) for heading, keys in grouped_keys(terminal)]
    if terminal.editing_mode == EditingMode.EMACS:
        found.append(("Emacs", emacs_keys([row for _, rows in found for row in rows])))
    return found


def listed_keys(bindings: KeyBindingsBase) -> list[tuple[str, str]]:
    """Return the keys of each function of some bindings, and what it does."""
    found: dict[str, list[str]] = {}
    for binding in bindings.bindings:
        summary = _summary(binding)
        name = _name(binding)
        if summary and name:
            names = found.setdefault(summary, [])
            if name not in names:
                names.append(name)
    return [(", ".join(names), summary) for summary, names in found.items()]


def emacs_keys(own: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the usual keys of emacs that the prompt's own do not replace."""
    taken = {key for keys, _ in own for key in keys.split(", ")}
    found = []
    for keys, summary in listed_keys(load_emacs_bindings()):
        names = [key.removesuffix(" (emacs)") for key in keys.split(", ")]
        # What names a function of the library tells a user nothing.
        if "`" not in summary and not taken.issuperset(names):
            found.append((", ".join([name for name in names if name not in taken]), summary))
    return found


def _summary(binding: Binding) -> str:
    """Return the first sentence of the docstring of a handler; '' if its name is private."""
    handler = binding.handler
    if handler.__name__.startswith("_"):
        return ""
    text = " ".join((handler.__doc__ or "").split())
    return text.partition(". ")[0].rstrip(".")


def _name(binding: Binding) -> str:
    if any(key in _NO_KEYS for key in binding.keys):
        return ""
    keys = [str(getattr(key, "value", key)) for key in binding.keys]
    sent = SENT_AS_CHARACTERS.get("".join(keys[1:]))
    if sent is not None:
        return sent
    parts: list[str] = []
    while keys:
        if keys[0] == "escape" and len(keys) > 1:
            parts.append(f"Alt-{_key(keys[1])}")
            del keys[:2]
        else:
            parts.append(_key(keys.pop(0)))
    name = " ".join(parts)
    used = list(_parts(binding.filter))
    if vi_navigation_mode in used:
        return f"{name} (vi)"
    return f"{name} (emacs)" if emacs_insert_mode in used and vi_insert_mode not in used else name


def _parts(condition: Filter) -> Iterable[Filter]:
    for part in getattr(condition, "filters", ()):
        yield from _parts(part)
    yield condition


def _key(key: str) -> str:
    if key in _NAMES:
        return _NAMES[key]
    if key.startswith("c-"):
        rest = key[2:]
        return f"Ctrl-{_NAMES.get(rest, rest.upper())}"
    return key.upper() if key[:1] == "f" and key[1:].isdigit() else key
