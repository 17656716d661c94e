"""The version of the product, in one place, and the commit that it was built from."""

__version__ = "0.1.0"

COMMIT_FILE = "commit.txt"
"""The file beside this module that a build writes: lexer_pygments/hatch_build.py."""
_LENGTH = 7


def commit() -> str:
    """Return the commit of the build, or of the checkout, in short; '' if it is unknown.

    The build comes first: an archive may be unpacked in a repository of somebody else. Git is not
    run: the files that name the commit are read, also those of a work tree.
    """
    from os.path import abspath, dirname, join

    here = dirname(abspath(__file__))
    if built := _read(here, COMMIT_FILE):
        return built[:_LENGTH]
    root = dirname(dirname(here))
    pointer = _read(root, ".git")  # a directory, except in a work tree
    git = join(root, pointer.removeprefix("gitdir: ") or ".git")
    common = join(git, _read(git, "commondir"))
    head = _read(git, "HEAD")
    name = head.removeprefix("ref: ")
    if name != head:
        packed = [line.split(" ") for line in _read(common, "packed-refs").splitlines()]
        found = [line[0] for line in packed if line[1:] == [name]]
        head = _read(common, name) or "".join(found)
    return head[:_LENGTH]


def full_version() -> str:
    """Return the version, with the commit if it is known: ``0.1.0 (2582af2)``."""
    known = commit()
    return f"{__version__} ({known})" if known else __version__


def _read(*path: str) -> str:
    from os.path import join

    try:
        with open(join(*path), encoding="utf-8") as file:
            return file.read().strip()
    except (OSError, ValueError):
        return ""
