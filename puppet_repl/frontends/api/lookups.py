"""``lookup`` and ``explain``: values of keys in the data of a node, and where they come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from puppet_repl.frontends.api.arguments import check_names, make_session
from puppet_repl.language.values.default import UNSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Unpack

    from puppet_repl.environment.hiera.explanation import Explanation
    from puppet_repl.frontends.api.arguments import (
        Facts,
        Hiera,
        Log,
        ModulePath,
        Path,
        SessionOptions,
    )
    from puppet_repl.session import Shared


def lookup(
    key: str | Sequence[str],
    *,
    default: object = UNSET,
    merge: str | Mapping[str, object] | None = None,
    type: str | None = None,
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
    """Return the value of a key in the data of a node, as ``to_python`` makes it.

    No manifests are run. Raises EvaluationError if there is neither a value nor a default.

    :param key: a key, or several, of which the first one with a value counts
    :param default: the value if no key has one
    :param merge: the name of a strategy (``unique``, ``deep``), or a mapping with it and its
        options
    :param type: the text of the type that the value must have
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
    check_names(lookup, options)
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
    with call as session:
        found = session.lookup(_keys(key), merge=merge, type=type, default=default)
        return found.to_python()


def explain(
    key: str | Sequence[str],
    *,
    merge: str | Mapping[str, object] | None = None,
    facts: Facts | None = None,
    node: str | None = None,
    modulepath: ModulePath = (),
    environment: Path | None = None,
    hiera: Hiera | None = None,
    variables: Mapping[str, object] | None = None,
    log: Log | None = None,
    shared: Shared | None = None,
    **options: Unpack[SessionOptions],
) -> Explanation:
    """Return where the data of a node were searched for a key, and where values were found.

    A key without a value and faulty data raise no error: the explanation ends with it. Raises
    PuppetError for an unknown ``merge``.

    :param key: a key, or several, of which the first one with a value counts
    :param merge: the name of a strategy (``unique``, ``deep``), or a mapping with it and its
        options
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
    check_names(explain, options)
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
    with call as session:
        outcome, explanation = session.explain(_keys(key), merge=merge)
        if not explanation.tells_error:
            outcome.unwrap()
        return explanation


def _keys(key: str | Sequence[str]) -> str | tuple[str, ...]:
    """Return one key, or several. Raises TypeError for anything else."""
    if isinstance(key, str):
        return key
    if isinstance(key, Sequence) and key and all(isinstance(each, str) for each in key):
        return tuple(key)
    raise TypeError(f"a key is a string, or a list of them, not {key!r}")
