"""Base class of functions that partition a graph; the partitioner is a name or an object."""

from dataclasses import replace

from consilience.consensus._base import Capabilities, ConsensusFunction, Outcome
from consilience.partition import Partitioner, PartitionerChoice, Solution


class GraphFunction(ConsensusFunction):
    """Cut a graph by a partitioner, which a subclass declares as a `PartitionerChoice`."""

    partitioner: str | Partitioner

    def _partitioner(self) -> Partitioner:
        return self._partitioner_choice().resolve(self.partitioner)

    def _partitioner_choice(self) -> PartitionerChoice:
        choice = self.parameters["partitioner"]
        assert isinstance(choice, PartitionerChoice)  # noqa: S101 - declared by every subclass
        return choice

    def active_capabilities(self) -> Capabilities:
        partitioner, active = self._partitioner(), self.capabilities
        if partitioner.equal_parts and self._partitioner_choice().kind != "clusters":
            # Balance counts every object once, so identical rows must not be merged.
            active = replace(active, profile_exact=False, sample_weight=False)
        return replace(active, cost="quadratic") if partitioner.cost == "quadratic" else active


def outcome_of_cut(found: list[Solution]) -> Outcome:
    """Return the best result of a partitioner, and the others if it reports several starts."""
    return Outcome.of_all(found) if len(found) > 1 else Outcome.of(found[0])
