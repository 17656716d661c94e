"""How far the TextMate grammars and the lexers agree: the share of tokens.

``python -m tests.pygments.textmate_score DIRECTORY...`` prints it for the manifests and templates
below directories, with the most frequent differences.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from puppet_pygments import EppLexer, PuppetLexer
from tests.pygments.textmate import FILES, INTERPOLATION, scope_of

ENGINE = Path(__file__).parent / "textmate_engine"
ROOT = Path(__file__).parents[2]
INSTALLED = ROOT / "build" / "textmate"
# Of these languages the engine has the grammars, of the others it has none.
CODE_IN_HEREDOCS = ("meta.embedded.block.puppet", "meta.embedded.block.epp")

#: Kinds of token and scope, and the place in a text.
Difference = tuple[str, str, int]


def install() -> None:
    """Install the engine by npm, unless it is there; raise CalledProcessError."""
    if (INSTALLED / "node_modules" / ".package-lock.json").exists():
        return
    INSTALLED.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ENGINE / name, INSTALLED / name)
    subprocess.run(["npm", "ci", "--silent"], cwd=INSTALLED, check=True)


def scopes_of(texts: Iterable[tuple[str, str]]) -> Iterator[list[str]]:
    """Yield the innermost scope of each character of texts, given with the scope of a grammar."""
    for scopes in all_scopes_of(texts):
        yield [_innermost(each) for each in scopes]


def all_scopes_of(texts: Iterable[tuple[str, str]]) -> Iterator[list[list[str]]]:
    """Yield the scopes of each character, the outermost first."""
    engine = subprocess.Popen(
        ["node", str(ENGINE / "tokens.mjs"), *map(str, FILES)],
        cwd=INSTALLED,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert engine.stdin is not None and engine.stdout is not None
    with engine, engine.stdin, engine.stdout:
        for text, scope in texts:
            # One unit for each character, as in Python: JavaScript counts UTF-16.
            plain = "".join(char if char < "\U00010000" else "\ufffd" for char in text)
            engine.stdin.write(json.dumps({"text": plain, "scope": scope}) + "\n")
            engine.stdin.flush()
            yield [
                scopes
                for length, scopes in json.loads(engine.stdout.readline())
                for _ in range(length)
            ]


def _innermost(scopes: list[str]) -> str:
    """Return the innermost scope; text in another language is text of a heredoc."""
    if any(scope in scopes for scope in CODE_IN_HEREDOCS) and INTERPOLATION not in scopes:
        return scope_of("Literal.String.Heredoc")
    for scope in reversed(scopes[1:]):
        if scope.startswith("meta.embedded.block."):
            return scope_of("Literal.String.Heredoc")
        if not scope.startswith("meta."):
            return scope
    return ""


def differences(text: str, is_template: bool, scopes: list[str]) -> tuple[int, list[Difference]]:
    """Return the number of tokens of a text, and those with another scope than their own."""
    lexer = EppLexer() if is_template else PuppetLexer()
    count = 0
    found: list[Difference] = []
    for start, kind, value in lexer.get_tokens_unprocessed(text):
        if not value.strip():
            continue
        count += 1
        names = {scope_of(kind), scope_of(kind, "epp")}
        for at, char in enumerate(value, start):
            if not char.isspace() and scopes[at] not in names:
                found.append((str(kind).removeprefix("Token."), scopes[at], at))
                break
    return count, found


def score(files: Iterable[Path]) -> Iterator[tuple[Path, str, int, list[Difference]]]:
    """Yield files with their texts, the numbers of their tokens, and the differences."""
    read = [(file, file.read_text("utf-8", "replace").replace("\r", "")) for file in files]
    asked = ((text, "text.epp" if _is_template(file) else "source.puppet") for file, text in read)
    for (file, text), scopes in zip(read, scopes_of(asked), strict=True):
        yield file, text, *differences(text, _is_template(file), scopes)


def _is_template(file: Path) -> bool:
    return file.suffix == ".epp"


def main(directories: list[str]) -> None:
    """Print the share of tokens with the right scope, and what differs most."""
    install()
    files = [
        file
        for directory in directories
        for suffix in ("pp", "epp")
        for file in sorted(Path(directory).rglob(f"*.{suffix}"))
        if file.is_file()
    ]
    tokens = wrong = 0
    kinds: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], str] = {}
    for file, text, count, found in score(files):
        tokens += count
        wrong += len(found)
        for kind, scope, at in found:
            kinds[kind, scope] += 1
            line = text.count("\n", 0, at) + 1
            examples.setdefault((kind, scope), f"{file}:{line}: {text.splitlines()[line - 1]}")
    share = 100 * (tokens - wrong) / max(tokens, 1)
    print(f"{len(files)} files, {tokens} tokens, {wrong} with another scope: {share:.3f} % agree")
    for (kind, scope), number in kinds.most_common(30):
        print(f"{number:6} {kind} is {scope or 'plain'}: {examples[kind, scope][:200]}")


if __name__ == "__main__":
    main(sys.argv[1:])
