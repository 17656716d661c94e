"""``render``: the text of a template."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from errno import ENOENT

from puppet_repl.base.errors import NO_TIME, EvaluationError, TimeLimitExceeded
from puppet_repl.frontends.api.arguments import check_names, make_session
from puppet_repl.language.syntax.source import Source
from puppet_repl.language.syntax.source_files import read_template
from puppet_repl.language.values.sensitive import Sensitive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Unpack

    from puppet_repl.frontends.api.arguments import (
        Facts,
        Hiera,
        Log,
        ModulePath,
        Path,
        SessionOptions,
    )
    from puppet_repl.session import Session, Shared

# A text that is the name of a template: no template says nothing but this.
_FILE_NAME = re.compile(r"[^<>\n]+\.(?:epp|erb)")
_ERB = ".erb"


def render(
    template: Path,
    params: Mapping[str, object] | None = None,
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
) -> str:
    """Return the text of a template with parameters.

    ``template`` is the path of a file, the name of a template of a module
    (``nginx/server.conf.epp``), or the text of an EPP template: a string that does not end in
    ``.epp`` or ``.erb`` is a text. A file whose name ends in ``.erb`` is rendered by the Ruby of
    the session, and sees the parameters as variables (``@port``); every other one is EPP. A text
    with something Sensitive in it is returned as it is.

    Raises ParseError or EvaluationError, whose ``file`` is the template, and OSError for a file
    that cannot be read.

    :param template: a path, a name in a module, or a text
    :param params: the parameters of the template, by name
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
    check_names(
        render,
        options,
        "the parameters of the template are a mapping: "
        f"render(template, {{{', '.join(f'{str(name)!r}: ...' for name in options)}}})",
    )
    if not isinstance(template, (str, os.PathLike)):
        raise TypeError(f"a template is a string, or the path of a file, not {template!r}")
    for name in params or ():
        if not isinstance(name, str):
            raise TypeError(f"the name of a parameter is a string, not {name!r}")
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
            return _rendered(session, template, params)
    except TimeLimitExceeded as error:
        file = os.fspath(template) if isinstance(template, os.PathLike) else None
        raise EvaluationError(str(error), NO_TIME, source=Source("", file)) from None


def _rendered(session: Session, template: Path, params: Mapping[str, object] | None) -> str:
    if isinstance(template, str) and _FILE_NAME.fullmatch(template) is None:
        outcome = session.render_epp(template, params)
    else:
        path = _file_of(session, os.fspath(template))
        if path.endswith(_ERB):
            os.stat(path)  # Ruby's own error would name no kind
            outcome = session.render_erb("", params, path=path)
        else:
            outcome = session.render_epp(read_template(path).text, params, name=path)
    value = outcome.unwrap()
    return str(value.value if isinstance(value, Sensitive) else value)


def _file_of(session: Session, name: str) -> str:
    """Return the path of a template: as it is, or in the directory templates of a module."""
    if session.environment is None or os.path.exists(name):
        return name
    path = session.environment.find_file("templates", name)
    if path is None:
        raise FileNotFoundError(ENOENT, "neither a file nor a template of a module", name)
    return path
