"""The smallest game that uses everything the kernel offers: the example of engine/README.md."""

from tests.toy.rules import RULES

__all__ = ["RULES"]
