"""Ruby's pseudo-random numbers, and the name of the node that many of them depend on."""

from __future__ import annotations

from random import Random

from puppet_repl.base.errors import RuntimeFailure
from puppet_repl.language.values.hash import PuppetHash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from puppet_repl.language.runtime.context import Context


class RubyRandom:
    """Ruby's ``Random.new(seed)``: MT19937.

    Python seeds the generator from the 32-bit words of the seed as Ruby does.
    """

    __slots__ = ("_generator",)

    def __init__(self, seed: int) -> None:
        self._generator = Random(seed)

    def below(self, limit: int) -> int:
        """Return the next ``rand(limit)``: numbers that are not below the limit are redrawn."""
        if limit <= 0:
            raise RuntimeFailure(f"invalid argument - {limit}")
        highest = limit - 1
        mask = (1 << highest.bit_length()) - 1
        while True:
            number = 0
            for word in range((highest.bit_length() - 1) // 32, -1, -1):
                bits = (mask >> (word * 32)) & 0xFFFFFFFF
                if bits:
                    number |= (self._generator.getrandbits(32) & bits) << (word * 32)
                    if number > highest:
                        break
            else:
                return number


def node_name(context: Context) -> str:
    """Return the fact networking.fqdn, or '' if there is none."""
    facts = context.top.lookup("facts") if context.top.exists("facts") else None
    networking = facts.get("networking") if type(facts) is PuppetHash else None
    name = networking.get("fqdn") if type(networking) is PuppetHash else None
    return name if type(name) is str else ""
