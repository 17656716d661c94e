"""ERB templates: what they see of the program, and their rendering by Ruby."""

from __future__ import annotations

import re
from functools import lru_cache

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.base.file_reading import read_bytes
from puppet_repl.environment.ruby.engines import remedy
from puppet_repl.environment.ruby.variables import visible_value, visible_variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.environment.ruby.host import RubyHost
    from puppet_repl.language.runtime.scope import Scope
    from puppet_repl.language.values.protocols import Value

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NAME = re.compile(r"@([a-z_]\w*)", re.ASCII)
# Code that may read instance variables whose names are not in the text.
_REFLECTION = re.compile(
    r"\b(?:instance_(?:variable|eval|exec)|binding\b|eval\b|self\b|ObjectSpace|Marshal)"
)
# What changes a string in place, or tells whether that can be done.
_CHANGING = re.compile(
    r"<<|\w!|\bfrozen\?|\]\s*=(?![=~])"
    r"|\b(?:append_as_bytes|clear|concat|force_encoding|insert|prepend|replace|setbyte)\b"
)


class Templates:
    """Renders the templates of one session.

    A template gets only the variables whose names are in its text. Facts do not change: each is
    sent once, and goes by a number from then on.
    """

    def __init__(self, host: RubyHost) -> None:
        self.host = host
        self._fixed: list[Value] = []
        self._numbers: dict[str, int] = {}

    def render_text(self, text: str) -> str | None:
        """Render the text of inline_template(); as render_file()."""
        if not self.host.has_engine:
            self._refuse("The text of inline_template()")
            return None
        return self._render(text, {})

    def render_file(self, name: str, path: str) -> str | None:
        """Render a template in a file; ``name`` is its name in the program.

        Raises RuntimeFailure with the location in the template, or because there is no Ruby;
        with the option to go on without Ruby, the result is None.
        """
        try:
            data = read_bytes(path).removeprefix(_BYTE_ORDER_MARK)
        except OSError as error:
            raise _unreadable(name, path, error) from None
        text = data.decode("utf-8", "surrogateescape")
        if "<%" not in text:
            return text
        if not self.host.has_engine:
            self._refuse(f"The template '{name}' ({path})")
            return None
        return self._render(text, {"file": path, "name": name})

    def fixed_value(self, number: int) -> Value:
        """Return the value that goes by a number."""
        return self._fixed[number]

    def _render(self, text: str, fields: dict[str, Any]) -> str:
        scope = self.host.context.scope
        fields["text"] = self.host.codec.encode(text)
        fields["s"] = self.host.scopes.number(scope)
        self._add_variables(fields, scope, names_read(text), is_frozen=_may_change(text))
        result: str = self.host.value("render", **fields)
        return result

    def _refuse(self, what: str) -> None:
        """Raise the error about a template that needs Ruby, or warn once."""
        context = self.host.context
        message = f"{what} is in ERB, which needs Ruby and cannot be rendered here"
        if context.options.unknown_functions == "warn":
            context.warn_once(f"template {what}", f"{message} (it gives undef)")
            return
        raise RuntimeFailure(
            f"{message}; {remedy(context)}",
            notes=("epp() and inline_epp() render templates in Puppet's own language",),
        )

    def _add_variables(
        self,
        fields: dict[str, Any],
        scope: Scope,
        names: tuple[str, ...] | None,
        *,
        is_frozen: bool,
    ) -> None:
        """Add the variables of these names, or all: ``vars`` by value, ``fixed`` by number.

        ``shared`` are the numbers of arrays and hashes. For a template that may find out whether a
        string ``is_frozen``, strings have numbers, too, and ``literals`` are those that are.
        """
        if names is None:
            names = tuple(visible_variables(scope))
            fields["order"] = names
        variables: dict[str, Any] = {}
        fixed: dict[str, int] = {}
        shared: dict[str, int] = {}
        literals: dict[str, list[str]] = {}
        context, changes = self.host.context, self.host.changes
        for name in names:
            value, where = visible_value(scope, name)
            if value is None or where is None:
                continue
            if where is context.top and name in context.fixed:
                fixed[name] = self._number(name, value)
                continue
            variables[name] = self.host.codec.encode(value)
            number = changes.number_of_variable(where, name, value, with_strings=is_frozen)
            if number is not None:
                shared[name] = number
                if is_frozen:
                    literals[name] = [*changes.literals(where, name)]
        fields["vars"] = variables
        if shared:
            fields["shared"] = shared
        if literals:
            fields["literals"] = literals
        if fixed:
            fields["fixed"] = fixed

    def _number(self, name: str, value: Value) -> int:
        number = self._numbers.get(name)
        if number is None or self._fixed[number] is not value:
            number = self._numbers[name] = len(self._fixed)
            self._fixed.append(value)
        return number


@lru_cache(maxsize=512)
def names_read(text: str) -> tuple[str, ...] | None:
    """Return the names of the variables that a template may read, None for any."""
    if _REFLECTION.search(text) is not None:
        return None
    return tuple(dict.fromkeys(_NAME.findall(text)))


@lru_cache(maxsize=512)
def _may_change(text: str) -> bool:
    """Tell whether a template may change a string in place, or find out whether it could."""
    return _CHANGING.search(text) is not None


def _unreadable(name: str, path: str, error: OSError) -> RuntimeFailure:
    step = "io_fread" if isinstance(error, IsADirectoryError) else "rb_sysopen"
    return RuntimeFailure(
        f"Failed to parse template {name}:\n  Filepath: {path}\n  Line: 1\n"
        f"  Detail: {error.strerror} @ {step} - {path}\n"
    )
