"""Amounts that not everybody may count: arithmetic that works for every reader and tells none of them anything."""

from engine.kernel.secrets import Mask, Secret

HiddenAmount = int | Secret[int]
"""A number that everybody may count, or only those who know the secret."""


def can_count(amount: HiddenAmount) -> bool:
    """Return True if the reader in force may count an amount."""
    return isinstance(amount, int) or amount.visible


def count_visible(amount: HiddenAmount) -> int:
    """Return the number. Raises Hidden for a reader who may not count it."""
    return amount if isinstance(amount, int) else amount.value


def set_amount(amount: HiddenAmount, number: int) -> HiddenAmount:
    """Return another number in place of an amount, known to the same readers."""
    return number if isinstance(amount, int) else Secret(number, amount.known_to)


def add_hidden(amount: HiddenAmount, change: HiddenAmount) -> HiddenAmount:
    """Return the sum of two amounts, known to those who know both.

    A reader who may not count one of the two may not count the sum.
    """
    secrets = [part for part in (amount, change) if not isinstance(part, int)]
    if not secrets:
        return count_visible(amount) + count_visible(change)
    known = all(secret.visible for secret in secrets)
    knowing = frozenset.intersection(*(secret.known_to for secret in secrets))
    return Secret(count_visible(amount) + count_visible(change) if known else Mask.UNKNOWN, knowing)
