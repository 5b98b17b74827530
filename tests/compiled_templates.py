"""What templates are compiled to, once in a run of the tests: whichever process or environment of Jinja shows them."""

from pathlib import Path
from types import CodeType
from typing import Any

from jinja2 import Environment
from jinja2.bccache import Bucket, FileSystemBytecodeCache


class _Shared(FileSystemBytecodeCache):
    """Code by file and source, and by what else of an environment goes into it; read once in each process."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder)
        self._code: dict[tuple[str, str], CodeType | None] = {}

    def get_bucket(self, environment: Environment, name: str, filename: str | None, source: str) -> Bucket:
        escape = environment.autoescape
        said = bool(escape(name) if callable(escape) else escape), getattr(environment.finalize, "__qualname__", "")
        return super().get_bucket(environment, f"{name} {said} {environment.trim_blocks}", filename, source)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take it from memory, else from its file."""
        bucket.code = self._code.get((bucket.key, bucket.checksum))
        if bucket.code is None:
            super().load_bytecode(bucket)
            self._code[bucket.key, bucket.checksum] = bucket.code


def keep_in(folder: Path) -> None:
    """Every environment that is made from here on has its code from this folder."""
    begin, shared = Environment.__init__, _Shared(str(folder))

    def begin_with_shared(self: Environment, *given: Any, **options: Any) -> None:
        begin(self, *given, **{"bytecode_cache": shared, **options})

    Environment.__init__ = begin_with_shared  # type: ignore[method-assign]
