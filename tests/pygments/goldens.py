"""Golden token lists in the format of Pygments; run as a module it writes them anew."""

from __future__ import annotations

from pathlib import Path

from pygments.lexer import Lexer

import puppet_pygments

DIRECTORY = Path(__file__).parent
LEXERS = {
    alias: lexer
    for lexer in (getattr(puppet_pygments, name) for name in puppet_pygments.LEXERS)
    for alias in lexer.aliases
}


def snippets() -> list[Path]:
    return sorted(DIRECTORY.glob("snippets/*/*.txt"))


def tokens_of(lexer: Lexer, text: str) -> str:
    """The tokens of a text, one a line, with a blank line after each line end."""
    lines = []
    for token, value in lexer.get_tokens(text):
        lines.append(f"{value!r:<13} {str(token)[6:]}")
        if value.endswith("\n"):
            lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def split(path: Path) -> tuple[str, str, str]:
    """The comment, the input and the expected tokens of a golden file."""
    comment, rest = path.read_text(encoding="utf-8").split("---input---\n", 1)
    text, tokens = rest.split("\n---tokens---\n", 1)
    return comment, text + "\n" if not text.endswith("\n") else text, tokens


def actual(path: Path) -> str:
    return tokens_of(LEXERS[path.parent.name](), split(path)[1])


def update() -> None:
    for path in snippets():
        comment, text, _ = split(path)
        path.write_text(
            f"{comment}---input---\n{text}\n---tokens---\n{actual(path)}", encoding="utf-8"
        )


if __name__ == "__main__":
    update()
