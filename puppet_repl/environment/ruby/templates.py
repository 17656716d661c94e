"""ERB templates: what they see of the program, and their rendering by Ruby."""

from __future__ import annotations

import os
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
# These find code that may change a string in place or ask whether it can, and code that may change
# any value. Code of modules may change what a template passes to it.
_CHANGING_STRINGS = re.compile(
    r"<<|\w!|\bfrozen\?|\]\s*=(?![=~])"
    r"|\b(?:append_as_bytes|clear|concat|force_encoding|insert|prepend|replace|setbyte)\b"
)
_CHANGING = re.compile(
    _CHANGING_STRINGS.pattern
    + r"|\]\s*(?:\*\*|<<|>>|\|\||&&|[-+*/%|&^])=|\]\s*[,)][^\n]*=(?![=~>])|\.default\w*\s*=|_?X::"
    r"|\b(?:append|compare_by_identity|delete\w*|fill|keep_if|method|pop|push|rehash|require\w*"
    r"|\w*send(?:__)?|shift|store|unshift|update|function_\w+|scope|template|result)\b"
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
            module, _ = visible_value(self.host.context.scope, "module_name")
            self._refuse("The text of inline_template()", is_own=self._is_own(module))
            return None
        self.host.has_run_text = True
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
            module = None if os.path.isabs(name) else name.partition("/")[0]
            self._refuse(f"The template '{name}' ({path})", is_own=self._is_own(module))
            return None
        return self._render(text, {"file": path, "name": name})

    def fixed_value(self, number: int) -> Value:
        """Return the value that goes by a number."""
        return self._fixed[number]

    def _render(self, text: str, fields: dict[str, Any]) -> str:
        scope = self.host.context.scope
        fields["text"] = self.host.codec.encode(text)
        fields["s"] = self.host.scopes.number(scope)
        self._add_variables(fields, scope, text)
        result: str = self.host.value("render", **fields)
        return result

    def _is_own(self, name: Value) -> bool:
        """Tell whether the user writes a module: one without metadata, or in this directory.

        Code outside of modules is the user's, too.
        """
        environment = self.host.context.environment
        module = None
        if environment is not None and type(name) is str:
            module = environment.modules.get(name)
        if module is None or not module.metadata:
            return True
        here = os.path.join(os.path.realpath(os.curdir), "")
        return here.startswith(os.path.join(os.path.realpath(module.path), ""))

    def _refuse(self, what: str, *, is_own: bool) -> None:
        """Raise the error about a template that needs Ruby, or warn once."""
        context = self.host.context
        message = f"{what} is in ERB, which needs Ruby and cannot be rendered here"
        if context.options.unknown_functions == "warn":
            context.warn_once(f"template {what}", f"{message} (it gives undef)")
            return
        note = "epp() and inline_epp() render templates in Puppet's own language"
        raise RuntimeFailure(f"{message}; {remedy(context)}", notes=(note,) if is_own else ())

    def _add_variables(self, fields: dict[str, Any], scope: Scope, text: str) -> None:
        """Add the variables that a template reads: ``vars`` by value, ``fixed`` by number.

        ``shared`` are the numbers of arrays and hashes that the template may change. If it may
        change strings, these have numbers, too, and ``strings`` are the frozen ones.
        """
        names = names_read(text)
        is_changing, with_strings = may_change(text)
        if names is None:
            names = tuple(visible_variables(scope))
            fields["order"] = names
        variables: dict[str, Any] = {}
        fixed: dict[str, int] = {}
        shared: dict[str, int] = {}
        strings: dict[str, list[str]] = {}
        changes = self.host.changes
        for name in names:
            value, where = visible_value(scope, name)
            if value is None or where is None:
                continue
            if changes.is_fact(where, name):
                fixed[name] = self.number(name, value)
                continue
            variables[name] = self.host.codec.encode(value)
            if not is_changing:
                continue
            number = changes.number_of_variable(where, name, value, with_strings=with_strings)
            if number is not None:
                shared[name] = number
                if with_strings:
                    strings[name] = [*changes.frozen_strings(where, name, value)]
        fields["vars"] = variables
        if shared:
            fields["shared"] = shared
        if strings:
            fields["strings"] = strings
        if fixed:
            fields["fixed"] = fixed

    def number(self, name: str, value: Value) -> int:
        """Return the number that a fact goes by."""
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
def may_change(text: str) -> tuple[bool, bool]:
    """Tell whether a template may change anything in place, and whether that may be a string."""
    if names_read(text) is None:
        return True, True
    return _CHANGING.search(text) is not None, _CHANGING_STRINGS.search(text) is not None


def _unreadable(name: str, path: str, error: OSError) -> RuntimeFailure:
    step = "io_fread" if isinstance(error, IsADirectoryError) else "rb_sysopen"
    return RuntimeFailure(
        f"Failed to parse template {name}:\n  Filepath: {path}\n  Line: 1\n"
        f"  Detail: {error.strerror} @ {step} - {path}\n"
    )
