"""Words in messages: labels with an article, counts, lists, errors of the system."""

from __future__ import annotations

import errno

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def with_article(label: str) -> str:
    """Return ``an Integer``, ``a String``; y counts as a vowel, a quote in front is skipped."""
    letter = label.lstrip("'\"")[:1].lower()
    return f"an {label}" if letter and letter in "aeiouy" else f"a {label}"


def capitalized(label: str) -> str:
    """Return the label with its article, as it begins a sentence."""
    text = with_article(label)
    return text[0].upper() + text[1:]


def counted(number: int, singular: str, plural: str = "") -> str:
    """Return ``1 input``, ``2 inputs``; the plural adds an s unless it is given."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def listed(words: Sequence[str]) -> str:
    """Return ``one``, ``one and two``, ``one, two and three``."""
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


def some_of(names: Sequence[str], most: int) -> str:
    """Return the names as ``listed`` does, after the first ``most`` how many more there are."""
    if len(names) > most:
        names = [*names[:most], f"{len(names) - most} more"]
    return listed(names)


def why_unusable(error: OSError | UnicodeDecodeError) -> str:
    """Return why a file cannot be read or written, without the file's name, which says where."""
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 (byte {error.start})"
    if error.errno == errno.EBADF:  # of a standard stream
        return "it is closed"
    return error.strerror or str(error)


def failure_with_file(error: OSError) -> str:
    """Return the name of the file, if the error has one, and the reason."""
    reason = why_unusable(error)
    return f"{error.filename}: {reason}" if error.filename else reason


def shortened(text: str, most: int = 200) -> str:
    """Return a text that is no longer than so many characters; dots stand for its end."""
    return text if len(text) <= most else text[: most - 3] + "..."
