"""``evaluate``: the value of Puppet code; values as JSON, and a Deferred."""

from __future__ import annotations

from typing import Any

from puppet_repl.base.errors import NO_TIME, EvaluationError, PuppetError, TimeLimitExceeded
from puppet_repl.frontends.api.arguments import check_names, make_session, note_of_file, text_of
from puppet_repl.frontends.commands.notations import json_text
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.types.making.builtin_objects import DEFERRED
from puppet_repl.language.types.making.new import construct
from puppet_repl.language.types.making.puppet_object import PuppetObject
from puppet_repl.language.values.python import from_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    from puppet_repl.frontends.api.arguments import (
        Code,
        Facts,
        Hiera,
        Log,
        ModulePath,
        Path,
        SessionOptions,
    )
    from puppet_repl.session import Shared


def evaluate(
    code: Code,
    *,
    facts: Facts | None = None,
    node: str | None = None,
    modulepath: ModulePath = (),
    environment: Path | None = None,
    hiera: Hiera | None = None,
    variables: Mapping[str, object] | None = None,
    log: Log | None = None,
    shared: Shared | None = None,
    **options: Unpack[SessionOptions],
) -> Any:
    """Return the value of Puppet code, as ``to_python`` makes it; None for undef and for none.

    Functions, types and classes come from the modules and the environment, whose manifests are not
    run. Raises ParseError where the code is not Puppet code, EvaluationError where it fails.

    :param code: the code, or a ``pathlib.Path`` of a file with it
    :param facts: a bundled set (``debian-12``), a file, a mapping, or a list of these in which
        later facts take precedence; by default the facts of this machine
    :param node: the name of the node, by default from the facts
    :param modulepath: the directory with modules, or several
    :param environment: the directory of an environment
    :param hiera: the hiera.yaml of the global layer, a mapping with data on top of all layers, or
        a list of these
    :param variables: values that the top scope has, by name
    :param log: a function that is called with level and text of each message
    :param shared: a ``Shared()`` of calls with the same modules
    :param options: further options of the session, by the names in ``Options``
    """
    check_names(evaluate, options)
    text, file = text_of(code)
    call = make_session(
        node=node,
        facts=facts,
        modulepath=modulepath,
        environment=environment,
        hiera=hiera,
        log=log,
        shared=shared,
        options=options,
        variables=variables,
    )
    try:
        with call as session, session.deadline():
            return session.execute(text, file, record=False, is_last=True).to_python()
    except PuppetError as error:
        note_of_file(code, error)
        raise
    except TimeLimitExceeded as error:
        raise EvaluationError(str(error), NO_TIME, source=Source(text, file)) from None


def Deferred(name: str, arguments: Sequence[object] | None = None) -> PuppetObject:  # noqa: N802
    """Return the value of ``Deferred(name, arguments)``: a call that the agent makes.

    Its attributes are in the mapping ``values``. Raises PuppetError for what names no function.
    """
    given = (name,) if arguments is None else (name, from_python(arguments))
    made = construct(DEFERRED, given)
    assert isinstance(made, PuppetObject)
    return made


def to_json(value: object) -> str:
    """Return a value of Puppet, or what ``to_python`` makes of one, as JSON.

    What JSON has no word for is the text that Puppet interpolates, so that secrets stay hidden.
    Keys are strings there. Raises PuppetError for a number that is infinite, and for a Hash in
    which two keys would be the same string, like 1 and '1'.
    """
    if callable(getattr(value, "to_json", None)):
        kind = type(value).__name__
        raise TypeError(
            f"to_json() takes a value of Puppet, not a {kind}: that has its own to_json()"
        )
    return json_text(from_python(value))
