"""Labels in messages: with their article, and at the start of a sentence."""

from __future__ import annotations


def with_article(label: str) -> str:
    """``an Integer``, ``a String``: y counts as a vowel, a quote before the word does not count."""
    letter = label.lstrip("'\"")[:1].lower()
    return f"an {label}" if letter and letter in "aeiouy" else f"a {label}"


def capitalized(label: str) -> str:
    """The same at the start of a sentence."""
    text = with_article(label)
    return text[0].upper() + text[1:]
