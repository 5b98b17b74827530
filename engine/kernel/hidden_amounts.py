"""Amounts that some readers may not count. The arithmetic works for every reader and reveals nothing."""

from engine.kernel.secrets import Mask, Secret

HiddenAmount = int | Secret[int]
"""A number that is public, or known only to some seats."""


def can_count(amount: HiddenAmount) -> bool:
    """Return True if the current reader may count an amount."""
    return isinstance(amount, int) or amount.visible


def count_visible(amount: HiddenAmount) -> int:
    """Return an amount as a number. Raises Hidden for a reader who may not count it."""
    return amount if isinstance(amount, int) else amount.value


def set_amount(amount: HiddenAmount, number: int) -> HiddenAmount:
    """Return `number` as an amount known to the same readers as `amount`."""
    return number if isinstance(amount, int) else Secret(number, amount.known_to)


def add_hidden(amount: HiddenAmount, change: HiddenAmount) -> HiddenAmount:
    """Return the sum of two amounts, known to the readers who know both.

    For a reader who does not know one of them, the value of the sum is masked.
    """
    secrets = [part for part in (amount, change) if not isinstance(part, int)]
    if not secrets:
        return count_visible(amount) + count_visible(change)
    known = all(secret.visible for secret in secrets)
    knowing = frozenset.intersection(*(secret.known_to for secret in secrets))
    return Secret(count_visible(amount) + count_visible(change) if known else Mask.UNKNOWN, knowing)
