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

    ``key`` is a key, or several, of which the first one with a value counts; ``default`` is
    returned if no key has a value. ``merge`` is the name of a strategy (``unique``, ``deep``), or a
    mapping with it and its options; ``type`` is the text of the type that the value must have. The
    other arguments are those of ``compile``; no manifests are run. Raises EvaluationError if there
    is neither a value nor a default.
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

    ``key`` and ``merge`` are as in ``lookup``, the other arguments as in ``compile``. The lookup
    of a key without a value does not raise an error.
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
        return session.explain(_keys(key), merge=merge)[1]


def _keys(key: str | Sequence[str]) -> str | tuple[str, ...]:
    """Return one key, or several. Raises TypeError for anything else."""
    if isinstance(key, str):
        return key
    if isinstance(key, Sequence) and key and all(isinstance(each, str) for each in key):
        return tuple(key)
    raise TypeError(f"a key is a string, or a list of them, not {key!r}")
