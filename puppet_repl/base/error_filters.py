"""Which errors a debugger stops at: all errors, or only uncaught ones.

The debug adapter protocol calls them exception filters.
"""

from __future__ import annotations

RAISED = "raised"
UNCAUGHT = "uncaught"
