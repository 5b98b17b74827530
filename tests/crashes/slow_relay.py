"""A relay that answers every recipient with the same words, or takes its time over each letter."""

import socket
import threading
import time
from types import TracebackType


class SlowRelay:
    """A relay on a port, between entering and leaving."""

    def __init__(self, port: int, answer: str, pause_s: float = 0.0) -> None:
        """`answer`: what it says to RCPT; `pause_s`: how long it thinks before that."""
        self._socket = socket.create_server(("127.0.0.1", port))
        self._answer, self._pause = answer, pause_s
        self.asked = 0

    def __enter__(self) -> "SlowRelay":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _accept(self) -> None:
        while True:
            try:
                line, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(line,), daemon=True).start()

    def _serve(self, line: socket.socket) -> None:
        with line, line.makefile("rb") as reader:
            line.sendall(b"220 surly\r\n")
            for said in reader:
                verb = said[:4].upper()
                if verb == b"RCPT":
                    self.asked += 1
                    time.sleep(self._pause)
                if verb == b"DATA":
                    line.sendall(b"354 go\r\n")
                    list(iter(reader.readline, b".\r\n"))
                line.sendall(f"{self._answer}\r\n".encode() if verb == b"RCPT" else b"250 ok\r\n")
                if verb == b"QUIT":
                    return
