"""Coordinates of what is in layers: near to its neighbours, in order, and with gaps between."""

from __future__ import annotations

from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from puppet_repl.tools.graph.layers import Layered

_ROUNDS = 8
# Long edges are kept straight at the cost of others.
_WEIGHT_OF_PLACES = 60.0
_WEIGHT_OF_NONE = 0.01


def horizontal(
    layered: Layered,
    widths: Sequence[float],
    attached: Sequence[tuple[float, float]],
    gap: float,
    edge_gap: float,
) -> list[float]:
    """Return the left side of each node and place; the smallest is 0.

    ``attached`` has for each edge where it leaves its first node and enters its second one, from
    their left sides. ``gap`` is between nodes, ``edge_gap`` where a place of an edge is beside.
    """
    size = [*widths, *([0.0] * (len(layered.layer_of) - layered.count))]
    pulls = _pulls(layered, attached)
    left = [0.0] * len(size)
    offsets = [_offsets(layer, size, layered.count, gap, edge_gap) for layer in layered.layers]
    for layer, offset in zip(layered.layers, offsets, strict=True):
        for node, start in zip(layer, offset, strict=True):
            left[node] = start
    numbers = range(len(layered.layers))
    for round_ in range(_ROUNDS):
        for number in numbers if round_ % 2 == 0 else reversed(numbers):
            layer = layered.layers[number]
            # What is above decides on the way down, what is below on the way up, both at the end.
            sides = (0, 1) if round_ >= _ROUNDS - 2 else (round_ % 2,)
            wanted, weights = [], []
            for node in layer:
                near = [pull for side in sides for pull in pulls[side][node]]
                weight = sum([pull[2] for pull in near])
                wanted.append(
                    sum([(left[other] + shift) * part for other, shift, part in near]) / weight
                    if near
                    else left[node]
                )
                weights.append(weight or _WEIGHT_OF_NONE)
            starts = _nearest(wanted, weights, offsets[number])
            for node, start in zip(layer, starts, strict=True):
                left[node] = start
    smallest = min(left, default=0.0)
    return [each - smallest for each in left]


def _pulls(
    layered: Layered, attached: Sequence[tuple[float, float]]
) -> tuple[list[list[tuple[int, float, float]]], list[list[tuple[int, float, float]]]]:
    """Return for each node who is above it and who below: number, wanted distance and weight."""
    above: list[list[tuple[int, float, float]]] = [[] for _ in layered.layer_of]
    below: list[list[tuple[int, float, float]]] = [[] for _ in layered.layer_of]
    seen = set()
    for chain, (leaves, enters) in zip(layered.chains, attached, strict=True):
        last = len(chain) - 2
        for index, (upper, lower) in enumerate(pairwise(chain)):
            if (upper, lower) in seen:
                continue  # edges share places
            seen.add((upper, lower))
            start = leaves if index == 0 else 0.0
            end = enters if index == last else 0.0
            weight = _WEIGHT_OF_PLACES if 0 < index < last else 1.0
            above[lower].append((upper, start - end, weight))
            below[upper].append((lower, end - start, weight))
    return above, below


def _offsets(
    layer: Sequence[int], size: Sequence[float], count: int, gap: float, edge_gap: float
) -> list[float]:
    """Return where each member of a layer begins if they stand as near as they may."""
    found = []
    start = 0.0
    for index, node in enumerate(layer):
        if index:
            before = layer[index - 1]
            start += size[before] + (gap if before < count and node < count else edge_gap)
        found.append(start)
    return found


def _nearest(
    wanted: Sequence[float], weights: Sequence[float], offsets: Sequence[float]
) -> list[float]:
    """Return starts in order with their gaps, as near to the wanted ones as squares can tell.

    Without the gaps they must not decrease: this is isotonic regression, by pooling neighbours
    that are in the wrong order.
    """
    pools: list[tuple[float, float, int]] = []  # mean, weight, number of members
    for want, weight, offset in zip(wanted, weights, offsets, strict=True):
        mean, heavy, members = want - offset, weight, 1
        while pools and pools[-1][0] > mean:
            other, other_weight, more = pools.pop()
            mean = (mean * heavy + other * other_weight) / (heavy + other_weight)
            heavy += other_weight
            members += more
        pools.append((mean, heavy, members))
    means = [mean for mean, _, members in pools for _ in range(members)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]
