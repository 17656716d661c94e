"""Stopping in code: debug::break."""

from __future__ import annotations

from puppet_repl.language.functions.registry import function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context
    from puppet_repl.language.values.protocols import Value

NOT_HERE = "debug::break() has not stopped the code: nobody can look at it here"


@function(
    "debug::break",
    "Hash $options?",
    returns="Undef",
    examples=("debug::break()  # => undef",),
)
def debug_break(options: Value = None, *, context: Context) -> None:
    """Stop the code here, for a look at its variables.

    At a prompt, the prompt of the debugger opens; in a notebook the debugger of JupyterLab has to
    be on. Elsewhere the code goes on, after a warning. Puppet itself lacks this function. The
    options of the function in the module debug are accepted and have no effect.

    @param options the options of puppet-debugger, without effect here
    """
    if not context.stop_here():
        context.warn_once("debug::break", NOT_HERE)
