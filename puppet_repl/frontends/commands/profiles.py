"""``:node @NAME``: the node of a profile, in a session that runs."""

from __future__ import annotations

import os
from argparse import Namespace

from puppet_repl.base.wording import listed
from puppet_repl.environment.facts.facts import (
    FactsError,
    layered_facts,
    machine_facts,
    override,
)
from puppet_repl.environment.modules.checkout import Checkout, checkout_here
from puppet_repl.frontends.commands.resets import after_reset
from puppet_repl.host.options_file import OptionsFile, OptionsFileError
from puppet_repl.host.session_options import UsageError, check_node_name, chosen_values
from puppet_repl.host.surroundings import file_here, profile_of
from puppet_repl.language.runtime.options import OPTIONS
from puppet_repl.tools.reports.parts import CommandError, Message, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from puppet_repl.host.command_model import Call
    from puppet_repl.host.host import Host

# Options of the node, which a session takes whenever it begins again.
_OF_THE_NODE = ("environment", "facts", "modulepath", "node", "trusted")


class _Profile:
    """A profile with the other options of the file, as a command line gives them.

    ``host`` has the profile that the session has had ``before``, and its facts: those that nobody
    but the user has named stay, ``--facts`` unless the profile has some.
    """

    def __init__(self, name: str, host: Host) -> None:
        self.told: list[str] = []
        self.name = name
        self.before: Mapping[str, Any] = host.of_profile
        file = file_here()
        self.own, self.source = profile_of(name, file, self.told.append)
        self.base_source: OptionsFile | None = file
        base: Mapping[str, Any] = {} if file is None else file.base
        self.values = {**base, **self.own}
        files = _names(self.values)
        given = [each for option, each in host.facts_from if option == "--facts"]
        if "facts" not in self.own and given != _names({**base, **self.before}):
            files = given
        assignments = [each for option, each in host.facts_from if option == "--fact"]
        self.facts = layered_facts(files)
        for assignment in assignments:
            self.facts = override(machine_facts() if self.facts is None else self.facts, assignment)
        self.facts_from = [("--facts", each) for each in files]
        self.facts_from += [("--fact", each) for each in assignments]
        self.taken = _in_session(self.values, self.values)
        if self.taken.get("node") is not None:
            check_node_name(self.taken["node"])


def _names(values: Mapping[str, Any]) -> list[str]:
    return list(values.get("facts") or ())


def take_profile(call: Call, name: str) -> Report:
    """Return the report of a command that takes the node of a profile, with all that it has."""
    session, options = call.session, call.session.options
    if options.hermetic:
        raise CommandError("a hermetic session has no profiles", "")
    try:
        profile = _Profile(name, call.host)
        settings = _settings_for(call, profile)
    except (UsageError, OptionsFileError, FactsError) as error:
        raise CommandError(str(error), "") from None
    for setting, value in settings.items():
        call.host.settings.put(setting, value)
    _take_place(call, profile)
    options.node = profile.taken.get("node")
    options.trusted = profile.taken.get("trusted") or {}
    session.use_facts(profile.facts)
    call.host.facts_from = profile.facts_from
    call.host.of_profile = profile.own
    others = [each for each in call.host.options_from if not each.startswith("profile ")]
    call.host.options_from = [*others, f"profile {name}"]
    parts = [Message(text, "warning") for text in profile.told]
    return after_reset(call, [*parts, Message(f"profile {name}; session reset", "dim")])


def _settings_for(call: Call, profile: _Profile) -> dict[str, Any]:
    """Return the settings that change with a profile, those of the one before included.

    Raises CommandError for another option that would change: a session has it from its start.
    """
    options = call.session.options
    before = _in_session(profile.before, profile.before)
    changed: dict[str, Any] = {}
    for name in dict.fromkeys((*profile.before, *profile.own)):
        if name in _OF_THE_NODE:
            continue
        present = _plain(name, getattr(options, name))
        is_left = name not in profile.own
        if is_left and present != _plain(name, before.get(name, OPTIONS[name].default)):
            continue  # something else than the profile before has set it
        wanted = profile.taken.get(name, OPTIONS[name].default)
        if _plain(name, wanted) != present:
            changed[name] = wanted
    refused = [name for name in changed if not OPTIONS[name].is_setting]
    if refused:
        hint = f"puppet-repl @{profile.name} begins a session with it"
        raise CommandError(f"a session that runs cannot change {listed(refused)}", hint)
    return changed


def _take_place(call: Call, profile: _Profile) -> None:
    """Let the session have the environment and the module path of a profile.

    They stay as they are if neither this profile nor the one before names any.
    """
    options = call.session.options
    before, taken = _in_session(profile.before, ("environment", "modulepath")), profile.taken
    if "modulepath" in profile.own or options.modulepath == before.get("modulepath"):
        options.modulepath = taken.get("modulepath") or ()
    found = options.found
    if "environment" in profile.own or options.environment == before.get("environment", ""):
        options.environment = taken.get("environment")
        file = profile.source if "environment" in profile.own else profile.base_source
        found = None
        if options.environment is None:
            found = None if options.modulepath else checkout_here()
        elif file is not None and file.root is not None:
            found = Checkout(options.environment, file.root, is_environment=True)
    options.find(found, waits=False)


def _in_session(values: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return options of a file as a session keeps them; those with their defaults are left out."""
    given = {name: values[name] for name in names if name in values and name in OPTIONS}
    return chosen_values(Namespace(**given))


def _plain(name: str, value: Any) -> Any:
    """Return a value to compare; paths of a command line may be relative."""
    if OPTIONS[name].kind == "path":
        return value and os.path.abspath(value)
    if OPTIONS[name].kind == "paths":
        return tuple(map(os.path.abspath, value))
    return value
