"""Fields of forms and of addresses, as numbers."""

from collections.abc import Mapping

from pbem import values


def number(given: Mapping[str, str], name: str, otherwise: int = 0) -> int:
    """The whole number in a field; `otherwise` where the field is missing or holds anything else."""
    try:
        return values.whole(given.get(name, "").strip())
    except ValueError:
        return otherwise
