"""What a person is to a table: one of its masters, a player, or neither."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Authority:
    """What a person is to a table: whether they are one of its masters, and their seat."""

    master: bool
    seat: str | None

    @property
    def any(self) -> bool:
        """Return True if the person is a master or a player of the table."""
        return self.master or self.seat is not None
