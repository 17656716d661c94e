"""Facts of a kind of machine, which take on the name and the agent of the node they are used for.

The bundled sets and the facts of this machine are such samples. A file of facts is not: it says
what one node has reported, its name included.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from puppet_repl.base.profiles import Profile


class SampleFacts(dict[str, "Any"]):
    """Facts under Facter's names.

    ``chosen`` are the dotted names of those that the user has given, which stay.
    """

    __slots__ = ("chosen",)

    def __init__(self, facts: Mapping[str, Any], chosen: Iterable[str] = ()) -> None:
        super().__init__(facts)
        self.chosen = frozenset(chosen)

    def choosing(self, name: str) -> SampleFacts:
        """Return a copy for which the user gives the fact of that dotted name."""
        return SampleFacts(self, (*self.chosen, name))

    def overlaid(self, top: Mapping[str, Any]) -> SampleFacts:
        """Return the facts with the facts of the node itself on top."""
        made = SampleFacts({**self, **top}, (*self.chosen, *top))
        networking = top.get("networking")
        name = networking.get("fqdn") if isinstance(networking, dict) else None
        if name and "clientcert" not in made.chosen:
            made["clientcert"] = name
        return made

    def named(self, node: str | None) -> SampleFacts:
        """Return the facts as the node of that name would report them; without one, the same."""
        if not node:
            return self
        name = node.lower()
        hostname, _, domain = name.partition(".")
        made = SampleFacts(self, self.chosen)
        networking = self.get("networking")
        inner = dict(networking) if isinstance(networking, dict) else {}
        for key, value in (("fqdn", name), ("hostname", hostname), ("domain", domain)):
            if not self.chosen & {"networking", f"networking.{key}"}:
                inner[key] = value
            if key in self and key not in self.chosen:
                made[key] = value  # the legacy fact
        made["networking"] = inner
        if "clientcert" not in self.chosen:
            made["clientcert"] = name
        return made

    def with_agent(self, profile: Profile) -> SampleFacts:
        """Return the facts as the agent of a profile of the language would report them."""
        if self.get("implementation") == profile.implementation:
            return self
        made = SampleFacts(self, self.chosen)
        agent = {"implementation": profile.implementation, "puppetversion": profile.version}
        made.update({name: fact for name, fact in agent.items() if name not in self.chosen})
        return made


def facts_of_node(facts: Mapping[str, Any], node: str | None, profile: Profile) -> dict[str, Any]:
    """Return the facts of a session with that language whose node has that name, if any.

    Samples take both on. Others are what Facter said: they get ``clientcert``, which is added
    by the agent, not by Facter, unless they have it.
    """
    if isinstance(facts, SampleFacts):
        return facts.named(node).with_agent(profile)
    found = dict(facts)
    if node:
        found.setdefault("clientcert", node.lower())
    return found
