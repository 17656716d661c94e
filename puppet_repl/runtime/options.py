"""What a session may be told: the settings of Puppet that the language depends on, and limits."""

from __future__ import annotations


class Options:
    """The settings of one session; they stay as they are while an input runs.

    ``strict`` is Puppet's setting ('error', 'warning' or 'off'); ``plain`` gives Puppet's rules
    across inputs too (no name bound twice). With ``storeconfigs`` exported resources can be
    collected in the same session. Node blocks run where ``node`` is set. ``max_memory`` is what
    code may take, in bytes; ``modulepath`` are folders in the order they are searched.
    """

    __slots__ = (
        "allow_generate",
        "environment",
        "max_memory",
        "modulepath",
        "node",
        "plain",
        "storeconfigs",
        "strict",
        "strict_variables",
        "stubs",
    )

    def __init__(
        self,
        *,
        strict: str = "error",
        strict_variables: bool = True,
        plain: bool = False,
        allow_generate: bool = False,
        max_memory: int = 1 << 30,
        modulepath: tuple[str, ...] = (),
        environment: str | None = None,
        node: str | None = None,
        stubs: tuple[str, ...] = (),
        storeconfigs: bool = False,
    ) -> None:
        self.strict = strict
        self.strict_variables = strict_variables
        self.plain = plain
        self.allow_generate = allow_generate
        self.max_memory = max_memory
        self.modulepath = modulepath
        self.environment = environment
        self.node = node
        self.stubs = stubs
        self.storeconfigs = storeconfigs
