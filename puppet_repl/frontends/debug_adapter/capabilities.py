"""What debuggers can do, as they tell clients: kinds of errors, the answer to ``initialize``."""

from __future__ import annotations

from puppet_repl.base.error_filters import RAISED, UNCAUGHT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.frontends.debug_adapter.arguments import Message

KNOWN = (RAISED, UNCAUGHT)


def filters_for(subject: str) -> list[Message]:
    """Return them as ``initialize`` names them; the ``subject`` is what runs: cell, program."""
    uncaught = f"Stop where an error is raised that ends the {subject}."
    return [
        {"filter": name, "label": label, "description": text, "default": False}
        for name, label, text in (
            (RAISED, "Raised errors", "Stop where an error is raised."),
            (UNCAUGHT, "Uncaught errors", uncaught),
        )
    ]


CAPABILITIES = {
    "supportsConfigurationDoneRequest": True,
    "supportsFunctionBreakpoints": True,
    "supportsConditionalBreakpoints": True,
    "supportsHitConditionalBreakpoints": True,
    "supportsLogPoints": True,
    "supportsBreakpointLocationsRequest": True,
    "supportsEvaluateForHovers": True,
    "supportsClipboardContext": True,
    "supportsExceptionInfoRequest": True,
    "supportsCompletionsRequest": True,
    "supportsDelayedStackTraceLoading": True,
    "completionTriggerCharacters": ["$", ":", "[", "'"],
    "supportsLoadedSourcesRequest": True,
    "supportsRestartRequest": True,
    "supportsTerminateRequest": True,
    "supportsCancelRequest": True,
    "exceptionBreakpointFilters": filters_for("program"),
}
"""What ``puppet-repl debug-adapter`` can do."""
