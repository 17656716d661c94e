"""Options that come from the working directory: of its checkout, its file of options, a profile.

Options of the command line take precedence over those of a profile, these over those of
``.puppet-repl.toml``, and these over the checkout of the directory.
"""

from __future__ import annotations

import os

from puppet_repl.base.matching import did_you_mean
from puppet_repl.base.wording import listed
from puppet_repl.environment.modules.checkout import (
    OPTIONS_FILE,
    Checkout,
    checkout_here,
    options_file_here,
)
from puppet_repl.host.host import CONFIGURATION, config_directory
from puppet_repl.host.options_file import OptionsFile, OptionsFileError
from puppet_repl.host.session_options import UsageError, print_warning
from puppet_repl.host.session_setup import NO_ENVIRONMENT
from puppet_repl.language.runtime.options import OPTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any


# Options that each side of a comparison has for itself.
OF_A_SIDE = ("environment", "facts", "node")


def take_surroundings(given: Namespace, warn: Callable[[str], None] = print_warning) -> None:
    """Add to options what nobody has named: options of files, and the checkout of the directory.

    A hermetic session reads only named directories. With ``--environment off`` nothing is found.
    In both the file of the directory counts only if a profile is named. ``warn`` is called with
    warnings. Raises UsageError.
    """
    is_off = given.environment == NO_ENVIRONMENT
    given.environment = None if is_off else given.environment
    finds = not (is_off or given.hermetic)
    given.waits = not (given.environment or given.enc or given.node or given.profile)
    try:
        file = file_here() if finds or given.profile else None
        given.options_from = [] if file is None else [file.name]
        if given.profile:
            values, source = profile_of(given.profile, file, warn)
            given.options_from.append(f"profile {given.profile}")
            given.of_profile = values
            _take(given, values, source, is_off=is_off)
        if file is not None:
            _take(given, file.base, file, is_off=is_off)
    except OptionsFileError as error:
        raise UsageError(str(error)) from None
    if finds and not (given.environment or given.modulepath or given.hermetic):
        given.found = checkout_here()
        if given.found is not None:
            given.environment = given.found.environment


def profile_of(
    name: str, file: OptionsFile | None, warn: Callable[[str], None]
) -> tuple[dict[str, Any], OptionsFile]:
    """Return a profile and its file: the user's own, else that of the repository.

    A warning says that there are two. Raises UsageError for an unknown name, OptionsFileError for
    a file that cannot be used.
    """
    files = _with_profiles(file)
    having = [each for each in files if name in each.profiles]
    if len(having) > 1:
        warn(f"the profile '{name}' is that of {CONFIGURATION}, not of {OPTIONS_FILE}")
    if having:
        return having[0].profile(name), having[0]
    names = [profile for each in files for profile in each.profiles]
    there = f"there are {', '.join(dict.fromkeys(names))}" if names else "no file has one"
    raise UsageError(f"there is no profile '{name}'; {did_you_mean(name, names) or there}")


def take_two_profiles(
    given: Namespace, names: Sequence[str], warn: Callable[[str], None] = print_warning
) -> list[dict[str, Any]]:
    """Return the environment, node and facts of two profiles; options get what both have alike.

    Raises UsageError for another option in which they differ.
    """
    try:
        file = file_here()
        found = [profile_of(name, file, warn) for name in names]
    except OptionsFileError as error:
        raise UsageError(str(error)) from None
    (one, source), (other, _) = found
    others = sorted({*one, *other} - {*OF_A_SIDE})
    different = [name for name in others if one.get(name) != other.get(name)]
    if different:
        told = listed([OPTIONS[name].flag for name in different])
        raise UsageError(
            f"@{names[0]} and @{names[1]} differ in {told}: "
            "the sides of a comparison have an environment, a node and facts of their own"
        )
    _take(given, {name: one[name] for name in others}, source, is_off=False)
    return [{name: values.get(name) for name in OF_A_SIDE} for values in (one, other)]


def profile_names() -> list[str]:
    """Return the names of the profiles that can be taken here. Raises OptionsFileError."""
    names = [name for file in _with_profiles(file_here()) for name in file.profiles]
    return list(dict.fromkeys(names))


def _with_profiles(file: OptionsFile | None) -> list[OptionsFile]:
    """Return the user's own file of profiles, if there is one, and that of the repository."""
    own = os.path.join(config_directory(), CONFIGURATION)
    files = [OptionsFile(own, None)] if os.path.exists(own) else []
    return files if file is None else [*files, file]


def file_here() -> OptionsFile | None:
    """Return the options of the repository of the working directory. Raises OptionsFileError."""
    found = options_file_here()
    return None if found is None else OptionsFile(*found)


def _take(given: Namespace, values: Mapping[str, Any], file: OptionsFile, *, is_off: bool) -> None:
    """Add the values of a file to options that are not given; no environment if it ``is_off``."""
    for name, value in values.items():
        if is_off and name == "environment":
            continue
        row = OPTIONS.get(name)
        current = getattr(given, name, None)
        if current and (row is None or current != row.default):
            continue
        if name == "node" and hasattr(given, "nodes"):
            value = [value]
            if given.nodes:
                continue
        setattr(given, name, value)
        if name == "environment" and file.root is not None:
            given.found = Checkout(value, file.root, is_environment=True)
