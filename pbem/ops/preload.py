"""All that the processes of a server load, loaded once for those that are forked of this one; nothing is opened."""

import os
import signal
from contextlib import suppress
from importlib import import_module
from typing import Final

from sqlalchemy.orm import configure_mappers

from pbem.common.confusables import is_confusable
from pbem.ops.memory import freeze_gc
from pbem.ops.servers import die_with_parent, set_process_name

_LOADED: Final = """
    celery.apps.worker celery.concurrency.solo celery.fixups.django celery.worker.autoscale celery.worker.components
    celery.app.amqp celery.app.control celery.app.events celery.app.log celery.backends.base celery.events.receiver
    celery.worker.consumer celery.worker.consumer.delayed_delivery celery.worker.control
    celery.worker.loops celery.worker.strategy billiard.pool kombu.transport.redis sqlite3 valkey
    cryptography.hazmat.backends.openssl css_inline encodings.idna encodings.ascii encodings.unicode_escape
    worker.run pbem.app pbem.cli.main pbem.smtp_process pbem.discord.endpoint pbem.narration.letters pbem.web.serve
""".split()
"""Modules with all that they import; one that is not installed is not missed."""


def _load_modules() -> None:
    for name in _LOADED:
        with suppress(ModuleNotFoundError):
            import_module(name)
    configure_mappers()
    is_confusable("I", "l")  # the table of signs that look alike: whoever takes names wants it
    # What is forked of this one keeps it alive otherwise, though nobody looks after it.
    die_with_parent(os.getppid(), signal.SIGKILL)
    set_process_name("loaded")
    freeze_gc()


_load_modules()
