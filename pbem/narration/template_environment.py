"""How templates look things up and call them: what Jinja offers beside that, no template of ours uses."""

from collections.abc import MutableMapping
from typing import Any, Final

from jinja2 import Environment
from jinja2.runtime import Context

_OF_EVERY_DICT: Final = frozenset(dir(dict))


class _SafeContext(Context):
    """Calls what a template calls, without asking first whether it wants to know the context: nothing of ours does.

    A letter makes about a hundred calls, and the question costs more than most answers.
    """

    def call(__self, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805 - as Jinja names them
        """What a function or macro returns."""
        kwargs.pop("_loop_vars", None)
        kwargs.pop("_block_vars", None)
        return __obj(*args, **kwargs)


class Templates(Environment):
    """The environment of all that is told; what is global is put there before the first template is looked up."""

    context_class = _SafeContext

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """What is global in a template, as a plain dict: it is copied for each letter."""
        return {**self.globals, **(d or {})}

    def getattr(self, obj: Any, attribute: str) -> Any:
        """As in any environment; an entry of a dict is not looked for among its methods first, in vain."""
        if obj.__class__ is dict:
            if attribute in obj and attribute not in _OF_EVERY_DICT:
                return obj[attribute]
        else:
            try:
                return getattr(obj, attribute)
            except AttributeError:
                pass
        return super().getattr(obj, attribute)
