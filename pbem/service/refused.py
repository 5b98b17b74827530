"""What was asked of a service cannot be done: a code for the narrator, and its terms."""


class Refused(Exception):
    """What was asked cannot be done; `code` and `terms` are for the narrator."""

    def __init__(self, code: str, **terms: object) -> None:
        """`code` names the reason."""
        super().__init__(code)
        self.code, self.terms = code, terms
