"""Templates: epp, inline_epp; template and inline_template, which need Ruby, raise errors."""

from __future__ import annotations

import os

from puppet_repl.errors import PuppetError, RuntimeFailure
from puppet_repl.functions.registry import function, legacy_function
from puppet_repl.syntax.reading import read_template
from puppet_repl.syntax.source import Source
from puppet_repl.values.ruby import ruby_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.runtime.context import Context
    from puppet_repl.syntax.source import Source
    from puppet_repl.values.hash import PuppetHash
    from puppet_repl.values.protocols import Value

_PARAMETERS = r"Hash[Pattern[/^\w+$/], Any] $parameters?"
_RESULT = "Variant[String, Sensitive[String]]"


@function(
    "epp",
    f"String $path, {_PARAMETERS}",
    returns=_RESULT,
    examples=(
        "epp('no_module/x')  # error: Evaluation Error: Error while evaluating a Function Call, "
        "Could not find template 'no_module/x.epp'",
    ),
)
def epp(reference: str, parameters: PuppetHash | None = None, *, context: Context) -> Value:
    """Render the EPP template in a file.

    The file is named by an absolute path, or as 'module/name' for a file in the directory
    templates of a module; the extension '.epp' is optional. The template can use the variables of
    the top scope and the given parameters. If it declares parameters, the given ones are checked.
    The result is Sensitive if a Sensitive value was inserted.
    """
    name = reference if reference.endswith(".epp") else f"{reference}.epp"
    source = _template_source(name, context)
    if source is None:
        raise RuntimeFailure(f"Could not find template '{name}'")
    return _render(source, parameters, context, "epp")


@function(
    "inline_epp",
    f"String $template, {_PARAMETERS}",
    returns=_RESULT,
    examples=(
        "inline_epp('Hello <%= $name %>!', {name => 'you'})  # => 'Hello you!'",
        "inline_epp('<% [1, 2].each |$i| { %><%= $i %>;<% } %>')  # => '1;2;'",
    ),
)
def inline_epp(text: str, parameters: PuppetHash | None = None, *, context: Context) -> Value:
    """Render a string as an EPP template.

    The template can use all variables at the location of the call, and the given parameters. If
    it declares parameters, the given ones are checked. The result is Sensitive if a Sensitive
    value was inserted.
    """
    return _render(Source(text, "inlined-epp-text"), parameters, context, "inline_epp")


def _template_source(name: str, context: Context) -> Source | None:
    if context.environment is not None:
        found: Source | None = context.environment.load_template(name)
        return found
    if not os.path.isabs(name) or not os.path.exists(name):
        return None
    try:
        return read_template(name)
    except OSError as error:
        raise RuntimeFailure(f"Could not read {name}: {error.strerror or error}") from None


def _render(
    source: Source, parameters: PuppetHash | None, context: Context, function_name: str
) -> Value:
    if context.render_epp is None:
        raise RuntimeFailure(f"{function_name}(): this session cannot render templates")
    try:
        return context.render_epp(source, parameters, inline=function_name == "inline_epp")
    except PuppetError as error:
        if error.source is source and not error.message.startswith("Evaluation Error:"):
            raise RuntimeFailure(f"{function_name}(): Invalid EPP: {error}") from None
        raise


@legacy_function(
    "template",
    "String +$paths",
    returns="String",
    examples=(
        "template('no_module/x.erb')  # error: Evaluation Error: Error while evaluating a "
        "Function Call, Could not find template 'no_module/x.erb'",
    ),
)
def template(values: tuple[Value, ...], *, context: Context) -> str:
    """Raise an error: ERB templates need Ruby, which is not available here.

    The error names a template that exists, so that it can be rewritten as an EPP template and
    rendered with epp().
    """
    for value in values:
        if type(value) is not str or _template_source(value, context) is None:
            raise RuntimeFailure(f"Could not find template '{ruby_text(value)}'")
    raise RuntimeFailure(
        f"template(): '{values[0]}' is an ERB template and needs Ruby, which is not available "
        "here; write it as an EPP template and render it with epp()"
    )


@legacy_function(
    "inline_template",
    "String +$templates",
    returns="String",
    examples=("inline_template('plain text')  # => 'plain text'",),
)
def inline_template(values: tuple[Value, ...]) -> str:
    """Raise an error for an ERB template, because these need Ruby.

    A string without any ERB tag is returned unchanged; use inline_epp() for one with tags.
    """
    text = "".join([ruby_text(value) for value in values])
    if "<%" in text:
        raise RuntimeFailure(
            "inline_template(): the text is an ERB template and needs Ruby, which is not "
            "available here; write it as an EPP template and render it with inline_epp()"
        )
    return text
