"""How a process writes its log: a JSON object a line in production, and lines for people elsewhere.

Whoever has something to tell uses a logger of the standard library, and gives ids of games, entries and letters in
`extra`.  Of an error the class and the places in the code are told, never its text: that may hold what a player wrote.
"""

import logging
import sys
import traceback
from collections.abc import Iterable
from typing import Final

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

FIELDS: Final = frozenset({"game", "entry", "letter", "letters", "kind", "command", "worker"})
"""What a line may say beside its sentence: ids and counts."""
MAX_FRAMES: Final = 12


def configure(production: bool, process: str, filters: Iterable[logging.Filter] = ()) -> None:
    """Let this process write its log to standard error; `process` names it in each line."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_formatter(production, process))
    for one in filters:
        handler.addFilter(one)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    for ours in ("pbem", "worker"):
        logging.getLogger(ours).setLevel(logging.INFO)
    logging.captureWarnings(True)


def _formatter(production: bool, process: str) -> logging.Formatter:
    def named(logger: WrappedLogger, method: str, line: EventDict) -> EventDict:
        return {**line, "process": process}

    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(FIELDS),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _failed_task,
        _failed_page,
        _strip_text,
    ]
    drop = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    last: list[Processor] = (
        [drop, named, structlog.processors.JSONRenderer(ensure_ascii=True)]
        if production
        else [drop, structlog.dev.ConsoleRenderer(colors=False, pad_event_to=0, sort_keys=False)]
    )
    return structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=last)


def _failed_task(logger: WrappedLogger, method: str, line: EventDict) -> EventDict:
    """What the queue says of a task that failed holds the text of the error, and the task's id twice."""
    record: logging.LogRecord = line["_record"]
    context = getattr(record, "data", None)
    if record.name == "celery.app.trace" and isinstance(context, dict):
        line["event"] = f"the task {context.get('name')} failed"
    return line


def _failed_page(logger: WrappedLogger, method: str, line: EventDict) -> EventDict:
    """Of a request that failed in its own hands the server of pages tells the address, which may let people in."""
    record: logging.LogRecord = line["_record"]
    if record.name == "waitress" and " while serving " in line["event"]:
        line["event"] = "a page could not be served"
    return line


def _strip_text(logger: WrappedLogger, method: str, line: EventDict) -> EventDict:
    """An error by its class, and where it was raised; its text, and those of its causes, are left out."""
    told = line.pop("exc_info", None)
    error = told[1] if isinstance(told, tuple) else told
    if isinstance(error, BaseException):
        frames = reversed(traceback.extract_tb(error.__traceback__)[-MAX_FRAMES:])
        line["error"] = type(error).__name__
        line["at"] = " < ".join(f"{frame.name} {frame.filename}:{frame.lineno}" for frame in frames)
    return line
