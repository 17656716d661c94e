"""Placeholders for the secrets of the data that cannot be read here: the option ``secrets``.

A placeholder says nothing about its secret, and is the same in each process: it is made from the
encrypted text, or from the key of a value that a level of the data could not be asked for.
"""

from __future__ import annotations

import re

from puppet_repl.base.wording import counted, some_of
from puppet_repl.language.values.hash import PuppetHash
from puppet_repl.language.values.sensitive import Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.runtime.options import Options
    from puppet_repl.language.types.model.base import PuppetType
    from puppet_repl.language.values.protocols import Value

_NAME = "secret-placeholder"
# Letters, digits and hyphens only, so that it may be part of a URL, a path or a line of a file.
_PATTERN = re.compile(rf"{_NAME}-[0-9a-f]{{12}}")
_NOTE = "the value has a placeholder, a String, for a secret that cannot be read here"
_MAX_LISTED = 5


class Placeholders:
    """The placeholders that a session has made, which it reports at the end of an input.

    ``reports`` are the texts of the warnings so far.
    """

    def __init__(self) -> None:
        self.reports: list[str] = []
        # Why values could not be decrypted, by key of the data and placeholder.
        self._encrypted: dict[tuple[str, str], str] = {}
        # The keys that levels could not be asked for, by level, and those with a placeholder.
        self._unasked: dict[str, set[str]] = {}
        self._of_keys: set[str] = set()
        self._reported: set[object] = set()

    def of_encrypted(self, encrypted: bytes, key: str, reason: str) -> str:
        """Return the placeholder of an encrypted value, which is part of the value of a key.

        ``reason`` says why it cannot be decrypted.
        """
        made = _placeholder("encrypted", encrypted)
        self._encrypted.setdefault((key, made), reason)
        return made

    def of_key(self, key: str) -> str:
        """Return the placeholder of a key that no level has that could be asked."""
        self._of_keys.add(key)
        return _placeholder("key", key.encode("utf-8", "surrogatepass"))

    def add_unasked(self, level: str, key: str) -> None:
        """Count a key that a level could not be asked for; ``level`` also says why."""
        self._unasked.setdefault(level, set()).add(key)

    def add_all(self, others: Placeholders) -> None:
        """Add the placeholders of another session, for a common report."""
        self._encrypted |= others._encrypted
        self._of_keys |= others._of_keys
        for level, keys in others._unasked.items():
            self._unasked.setdefault(level, set()).update(keys)

    def report(self, context: Context) -> None:
        """Warn of the secrets that could not be read since the last report, in one message."""
        text = self.new_report()
        if text:
            context.log("warning", text)

    def new_report(self) -> str:
        """Return the text of that message, an empty one if there were no such secrets."""
        text = "; ".join([*self._encrypted_part(), *self._unasked_part()])
        if text:
            self.reports.append(text)
        return text

    def _encrypted_part(self) -> Iterable[str]:
        new = {each: reason for each, reason in self._encrypted.items() if self._is_new(each)}
        if new:
            values = counted(len(new), "encrypted value")
            keys = some_of(sorted({key for key, _ in new}), _MAX_LISTED)
            verb = "is a placeholder" if len(new) == 1 else "are placeholders"
            yield f"{values} of {keys} {verb}: {some_of([*dict.fromkeys(new.values())], 2)}"

    def _unasked_part(self) -> Iterable[str]:
        """Yield a text for each level that was not asked for keys, and one for placeholders."""
        for level, keys in self._unasked.items():
            number = sum(self._is_new((level, key)) for key in keys)
            if number:
                yield f"{counted(number, 'key')} could not be looked up in {level}"
        made = sorted(filter(self._is_new, self._of_keys))
        if made:
            has = "has a placeholder" if len(made) == 1 else "have placeholders"
            yield f"{some_of(made, _MAX_LISTED)} {has}"

    def _is_new(self, item: object) -> bool:
        """Tell whether nothing was reported of an item so far, and note that it is now."""
        is_new = item not in self._reported
        self._reported.add(item)
        return is_new


def placeholders_of(context: Context) -> Placeholders | None:
    """Return the placeholders of a session, None if secrets that cannot be read are errors."""
    if context.options.secrets == "error":
        return None
    if context.placeholders is None:
        context.placeholders = Placeholders()
    return context.placeholders


def fitting(placeholder: Value, expected: PuppetType | None) -> Value:
    """Return the placeholder of a key, as a Sensitive if a type wants one.

    A level that cannot be asked may return Sensitive values itself.
    """
    if expected is None or type(placeholder) is not str or expected.accepts_value(placeholder):
        return placeholder
    secret = Sensitive(placeholder)
    return secret if expected.accepts_value(secret) else placeholder


def notes_on(value: Value) -> tuple[str, ...]:
    """Return the note for the error of a wrong value, if it has a placeholder in it."""
    return (_NOTE,) if _has_placeholder(value) else ()


def _has_placeholder(value: Value) -> bool:
    if type(value) is str:
        return _PATTERN.search(value) is not None
    if type(value) is tuple:
        return any(map(_has_placeholder, value))
    if type(value) is PuppetHash:
        return any(map(_has_placeholder, value.values()))
    return type(value) is Sensitive and _has_placeholder(value.value)


def advice(options: Options) -> str:
    """Return the hint for the error of a secret that cannot be read here."""
    how = options.spelt("secrets").strip()
    value = "='placeholder'" if how == "secrets" else " placeholder"
    return f"{how}{value} goes on with a placeholder for each secret that cannot be read here"


def _placeholder(kind: str, of: bytes) -> str:
    from hashlib import sha256  # few sessions make any

    return f"{_NAME}-{sha256(kind.encode() + b':' + of).hexdigest()[:12]}"
