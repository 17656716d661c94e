"""Templates: epp and inline_epp; template and inline_template, which need Ruby, say so."""

from __future__ import annotations

from puppet_repl.errors import PuppetError, RuntimeFailure
from puppet_repl.functions.registry import Function, LegacyFunction, by_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from puppet_repl.runtime.context import Context
    from puppet_repl.syntax.source import Source

_PARAMETERS = r"Hash[Pattern[/^\w+$/], Any] $parameters?"
_RESULT = "Variant[String, Sensitive[String]]"

epp = Function(
    "epp",
    theme="templates",
    doc="""Render the EPP template of a file.

    The file is named by an absolute path, or as 'module/name' for a file in the templates
    folder of a module; '.epp' at the end may be left out. The template sees the variables of
    the top scope and the given parameters. If it declares parameters, these are checked. The
    result is Sensitive if a Sensitive value was put in.
    """,
    examples=(
        "epp('no_module/x')  # error: Evaluation Error: Error while evaluating a Function Call, "
        "Could not find template 'no_module/x.epp'",
    ),
)


@epp.dispatch(f"String $path, {_PARAMETERS}", returns=_RESULT)
def _epp(reference: str, parameters: Any = None, *, context: Context) -> Any:
    name = reference if reference.endswith(".epp") else f"{reference}.epp"
    source = _template_source(name, context)
    if source is None:
        raise RuntimeFailure(f"Could not find template '{name}'")
    return _render(source, parameters, context, "epp")


inline_epp = Function(
    "inline_epp",
    theme="templates",
    doc="""Render a text as an EPP template.

    The template sees all variables of the place of the call, and the given parameters. If it
    declares parameters, these are checked. The result is Sensitive if a Sensitive value was put
    in.
    """,
    examples=(
        "inline_epp('Hello <%= $name %>!', {name => 'you'})  # => 'Hello you!'",
        "inline_epp('<% [1, 2].each |$i| { %><%= $i %>;<% } %>')  # => '1;2;'",
    ),
)


@inline_epp.dispatch(f"String $template, {_PARAMETERS}", returns=_RESULT)
def _inline_epp(text: str, parameters: Any = None, *, context: Context) -> Any:
    from puppet_repl.syntax.source import Source

    return _render(Source(text, "inlined-epp-text"), parameters, context, "inline_epp")


def _template_source(name: str, context: Context) -> Source | None:
    import os

    if context.environment is not None:
        found: Source | None = context.environment.load_template(name)
        return found
    if not os.path.isabs(name) or not os.path.exists(name):
        return None
    from puppet_repl.syntax.reading import read_template

    try:
        return read_template(name)
    except OSError as error:
        raise RuntimeFailure(f"Could not read {name}: {error.strerror or error}") from None


def _render(source: Source, parameters: Any, context: Context, function: str) -> Any:
    if context.render_epp is None:
        raise RuntimeFailure(f"{function}(): this session cannot render templates")
    try:
        return context.render_epp(source, parameters, inline=function == "inline_epp")
    except PuppetError as error:
        if error.source is source and not error.message.startswith("Evaluation Error:"):
            raise RuntimeFailure(f"{function}(): Invalid EPP: {error}") from None
        raise


template = LegacyFunction(
    "template",
    -2,
    theme="templates",
    doc="""Refused: templates in ERB need Ruby, which is not here.

    A template that exists is named in the error, so that it can be turned into an EPP template
    and rendered with epp().
    """,
    examples=(
        "template('no_module/x.erb')  # error: Evaluation Error: Error while evaluating a "
        "Function Call, Could not find template 'no_module/x.erb'",
    ),
)


@template.body("String +$paths", returns="String")
def _template(values: tuple[Any, ...], *, context: Context) -> str:
    from puppet_repl.values.ruby import ruby_text

    for value in values:
        if type(value) is not str or _template_source(value, context) is None:
            raise RuntimeFailure(f"Could not find template '{ruby_text(value)}'")
    raise RuntimeFailure(
        f"template(): '{values[0]}' is an ERB template and needs Ruby, which is not available "
        "here; write it as an EPP template and render it with epp()"
    )


inline_template = LegacyFunction(
    "inline_template",
    -2,
    theme="templates",
    doc="""Refused: templates in ERB need Ruby, which is not here.

    A text without any ERB tag is answered as it is; use inline_epp() for one with tags.
    """,
    examples=("inline_template('plain text')  # => 'plain text'",),
)


@inline_template.body("String +$templates", returns="String")
def _inline_template(values: tuple[Any, ...]) -> str:
    from puppet_repl.values.ruby import ruby_text

    text = "".join([ruby_text(value) for value in values])
    if "<%" in text:
        raise RuntimeFailure(
            "inline_template(): the text is an ERB template and needs Ruby, which is not "
            "available here; write it as an EPP template and render it with inline_epp()"
        )
    return text


FUNCTIONS = by_name(epp, inline_epp, template, inline_template)
