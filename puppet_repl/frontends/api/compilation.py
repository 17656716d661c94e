"""``compile``: the catalog of a node."""

from __future__ import annotations

from puppet_repl.base.errors import (
    NO_TIME,
    CompileError,
    ParseError,
    PuppetError,
    TimeLimitExceeded,
)
from puppet_repl.base.recursion import deep_calls
from puppet_repl.catalog.exports import ExportStore
from puppet_repl.frontends.api.arguments import check_names, make_session, note_of_file, text_of
from puppet_repl.frontends.api.catalog import Catalog, catalog_of
from puppet_repl.language.syntax.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import NoReturn, Unpack

    from puppet_repl.frontends.api.arguments import (
        Code,
        Facts,
        Hiera,
        Log,
        ModulePath,
        Path,
        SessionOptions,
    )
    from puppet_repl.session import Session, Shared


def compile(  # noqa: A001 - as puppet.compile()
    code: Code | None = None,
    *,
    node: str | None = None,
    facts: Facts | None = None,
    modulepath: ModulePath = (),
    environment: Path | None = None,
    hiera: Hiera | None = None,
    variables: Mapping[str, object] | None = None,
    exports: Iterable[Catalog] = (),
    log: Log | None = None,
    shared: Shared | None = None,
    origins: bool = False,
    **options: Unpack[SessionOptions],
) -> Catalog:
    """Compile the catalog of a node, as a Puppet server does.

    Raises CompileError, or ParseError where the code is not Puppet code.

    :param code: Puppet code, or a ``pathlib.Path`` of a manifest; by default the manifests of the
        environment
    :param node: the name of the node, by default from the facts
    :param facts: a bundled set (``debian-12``), a file, a mapping, or a list of these in which
        later facts take precedence; by default the facts of this machine
    :param modulepath: the directory with modules, or several
    :param environment: the directory of an environment
    :param hiera: the hiera.yaml of the global layer, a mapping with data on top of all layers, or
        a list of these
    :param variables: values that the top scope has, by name
    :param exports: catalogs whose exported resources are collected
    :param log: a function that is called with level and text of each message
    :param shared: a ``Shared()`` of calls with the same modules
    :param origins: whether resources know where their attributes come from (``Resource.origins``)
    :param options: further options of the session, by the names in ``Options``
    """
    check_names(compile, options)
    text, file = ("", None) if code is None else text_of(code)
    if code is None and environment is None:
        raise ValueError("compile() needs code, or an environment with manifests")
    call = make_session(
        node=node,
        facts=facts,
        modulepath=modulepath,
        environment=environment,
        hiera=hiera,
        log=log,
        shared=shared,
        exports=ExportStore(each for catalog in exports for each in catalog.exports),
        options=options,
        variables=variables,
    )
    try:
        with call as session, session.deadline(), deep_calls:
            return _compiled(session, text if code is None else text or "\n", file, origins=origins)
    except PuppetError as error:
        note_of_file(code, error)
        _refuse(error)
    except TimeLimitExceeded as error:
        raise CompileError(str(error), NO_TIME, source=Source(text, file)) from None


def _compiled(session: Session, text: str, file: str | None, *, origins: bool) -> Catalog:
    outcome = session.finish_catalog(session.compile_site(text, file))
    if outcome.error is not None:
        _refuse(outcome.error)
    try:
        return catalog_of(session, outcome, origins=origins)
    except PuppetError as error:
        _refuse(error)


def _refuse(error: PuppetError) -> NoReturn:
    """Raise an error as one about a catalog."""
    if not isinstance(error, ParseError):
        error.__class__ = CompileError
    raise error.with_traceback(None) from None
