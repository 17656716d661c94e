"""Numbers for what Ruby refers to.

None is given twice in a process: a Ruby can serve one session after the other, and may still have
objects that stand for values of an earlier one.
"""

from __future__ import annotations

from itertools import count

next_number = count(1).__next__
"""Return a number that was never returned before."""
