"""Limits on the process that Puppet code runs in, and how it collects garbage.

They concern the whole process, so programs set them and sessions do not.
"""

from __future__ import annotations

# Objects made before the youngest are looked through: Puppet's values hold no cycles.
_COLLECT_AFTER = 50_000


def tune_process(max_memory: int) -> None:
    """Let the process take ``max_memory`` bytes more than it has now, where the system can say so.

    Code that wants more ends in a MemoryError, which becomes an error of that code.
    """
    import gc

    gc.enable()
    gc.set_threshold(_COLLECT_AFTER, 20, 50)
    try:
        import resource

        with open("/proc/self/statm", "rb") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        wanted = now + max_memory
        if hard != resource.RLIM_INFINITY:
            wanted = min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    except (ImportError, OSError, ValueError):
        # Not every system counts the memory of a process.
        return
