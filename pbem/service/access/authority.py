"""What somebody is to a table: one of its masters, a player, or neither."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Authority:
    """How somebody stands to a table: whether he masters it, and his seat."""

    master: bool
    seat: str | None

    @property
    def any(self) -> bool:
        """Whether the table is any business of his."""
        return self.master or self.seat is not None
