"""Signatures of the API without the names of type aliases, which no program can import."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from puppet_repl.frontends.api import arguments, catalog
from puppet_repl.language.runtime.options import STRICTNESS

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_ALIASES = {
    **{
        name: text
        for module in (arguments, catalog)
        for name, text in vars(module).items()
        if name[0].isupper() and isinstance(text, str)
    },
    "Callee": "Callable",
    "Converters": "Mapping[Any, Callable[[Any], object]]",  # type is an attribute of classes here
    "Kind": "str",
    "Strictness": f"Literal{list(STRICTNESS)}",
    "Unknown": "Literal['error', 'warn']",
    "Secrets": "Literal['error', 'placeholder']",
    "Value": "Any",
}
_NAME = re.compile(r"(?<![\w.])[A-Z]\w*")


def without_aliases(signature: str) -> str:
    """Return a signature with what each alias stands for."""
    text = signature.replace(": Unpack[SessionOptions]", "").replace("os.PathLike", "PathLike")
    new = _NAME.sub(lambda match: _ALIASES.get(match[0], match[0]), text)
    return new if new == text else without_aliases(new)


def _process(
    _app: Sphinx, _what: str, _name: str, _value: object, _options: object, *parts: str | None
) -> tuple[str | None, ...]:
    return tuple(None if part is None else without_aliases(part) for part in parts)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the extension to autodoc."""
    app.connect("autodoc-process-signature", _process)
    return {"parallel_read_safe": True}
