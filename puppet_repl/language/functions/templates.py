"""Templates: epp and inline_epp; template and inline_template, which Ruby renders."""

from __future__ import annotations

import os

from puppet_repl.base.errors import PuppetError, RuntimeFailure
from puppet_repl.base.wording import why_unusable
from puppet_repl.language.functions.paths import no_path
from puppet_repl.language.functions.registry import function, legacy_function
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.source_files import read_template
from puppet_repl.language.values.default import DEFAULT
from puppet_repl.language.values.ruby import no_method

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.syntax.source import Source
    from puppet_repl.language.values.hash import PuppetHash
    from puppet_repl.language.values.protocols import Value

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

    @param path an absolute path, or 'module/name'
    @param parameters the values of the template's parameters, by their names
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

    @param template the text of the template
    @param parameters the values of the template's parameters, by their names
    """
    return _render(Source(text, "inlined-epp-text"), parameters, context, "inline_epp")


def _template_source(name: str, context: Context) -> Source | None:
    if context.environment is not None:
        found: Source | None = context.environment.load_template(name)
        return found
    if not os.path.isabs(name):
        return None
    context.check_reach(name)
    if not os.path.exists(name):
        return None
    try:
        return read_template(name)
    except OSError as error:
        raise RuntimeFailure(f"Could not read {name}: {why_unusable(error)}") from None


def _render(
    source: Source, parameters: PuppetHash | None, context: Context, function_name: str
) -> Value:
    if context.render_epp is None:
        raise RuntimeFailure(f"{function_name}(): this session cannot render templates")
    try:
        return context.render_epp(source, parameters, inline=function_name == "inline_epp")
    except PuppetError as error:
        if error.source is source and not error.message.startswith("Evaluation Error:"):
            notes = tuple(f"in the template, {note}" for note in error.notes)
            raise RuntimeFailure(f"{function_name}(): Invalid EPP: {error}", notes=notes) from None
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
def template(values: tuple[Value, ...], *, context: Context) -> str | None:
    """Render ERB templates in files and return their text, that of several joined.

    A file is named as 'module/name' for one in the directory templates of a module, or by an
    absolute path. The template sees the variables in reach of the call: $x as @x, or by
    scope['x'], which is the way to $a::b too. Its code is Ruby and runs in the Ruby of the
    session; without one, templates that have code are errors.

    @param paths absolute paths, or 'module/name'
    """
    return _joined([_render_file(value, context) for value in values])


@legacy_function(
    "inline_template",
    "String +$templates",
    returns="String",
    examples=("inline_template('plain text')  # => 'plain text'",),
)
def inline_template(values: tuple[Value, ...], *, context: Context) -> str | None:
    """Render strings as ERB templates and return their text, that of several joined.

    With $x = 'Ada', inline_template('Hello <%= @x.upcase %>') is 'Hello ADA'. What a template sees
    and needs is as for template().

    @param templates the texts of the templates
    """
    return _joined([_render_text(value, context) for value in values])


def _render_file(name: Value, context: Context) -> str | None:
    if type(name) is not str:
        raise no_path(name, context)
    path = _template_file(name, context)
    if path is None:
        raise RuntimeFailure(f"Could not find template '{name}'")
    return context.ruby.templates.render_file(name, path)


def _template_file(name: str, context: Context) -> str | None:
    if os.path.isabs(name):
        context.check_reach(name)
        context.note_file(name, context.look.newest_stamp(name))
        return name
    if context.environment is None:
        return None
    found: str | None = context.environment.find_file("templates", name)
    return found


def _render_text(text: Value, context: Context) -> str | None:
    if type(text) is not str:
        error = no_method("b" if text is DEFAULT else "encoding", text)
        raise RuntimeFailure(f"Failed to parse inline template: {error.message}")
    return context.ruby.templates.render_text(text) if "<%" in text else text


def _joined(texts: list[str | None]) -> str | None:
    """Return texts as one text; None if rendering failed for any."""
    found = [text for text in texts if text is not None]
    return "".join(found) if len(found) == len(texts) else None
