"""Words in messages: labels with their article or at the start of a sentence, counted nouns."""

from __future__ import annotations


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
