"""How long a search looks: the budget of tests that try random games, points of a kill, or made-up input."""

_full = False


def use_full(full: bool) -> None:
    """Set whether this run has `--full`; called before any test is collected."""
    global _full
    _full = full


def budget(small: int, full: int) -> int:
    """Return `full` with `pytest --full` (`make test-all`), `small` without: a number of examples, games or points."""
    return full if _full else small
