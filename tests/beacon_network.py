"""A network of our own that signs rounds as quicknet does, for games that need more rounds than were published."""

import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final, Self

import pytest
from py_arkworks_bls12381 import G1Point, G2Point, Scalar

from pbem.crypto import beacon
from pbem.crypto.beacon import QUICKNET, Chain

_SECRET: Final = Scalar(20_230_823)
OURS: Final = Chain("ab" * 32, (G2Point() * _SECRET).to_compressed_bytes(), QUICKNET.genesis, QUICKNET.period)


def signed(number: int) -> bytes:
    """The signature of a round of ours."""
    point = G1Point.hash_to_curve(hashlib.sha256(number.to_bytes(8, "big")).digest(), beacon._DOMAIN)
    return (point * _SECRET).to_compressed_bytes()


def install_network(patch: pytest.MonkeyPatch, period: int = OURS.period) -> Chain:
    """Take our network for the one that is known; returns it."""
    chain = replace(OURS, period=period)
    patch.setattr(beacon, "QUICKNET", chain)
    return chain


class Relay:
    """A server of the beacon on this machine, which answers as drand's do: GET /HASH/public/ROUND."""

    def __init__(self, has: Mapping[int, bytes]) -> None:
        """`has`: the signatures of the rounds that there are."""
        self.has, self.asked, self.answer = dict(has), list[str](), b""
        relay = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                relay.asked.append(self.path)
                status, body = relay.answer_to(self.path)
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def answer_to(self, path: str) -> tuple[int, bytes]:
        """Status and body of an answer; `answer`, where it is set, whatever is asked."""
        if self.answer:
            return 200, self.answer
        _, chain, public, number = path.split("/")
        assert (chain, public) == (beacon.QUICKNET.hash, "public")
        signature = self.has.get(int(number))
        if signature is None:
            return 425, b'{"error":"too early"}'
        value = beacon.round_value(signature).hex()
        return 200, json.dumps({"round": int(number), "randomness": value, "signature": signature.hex()}).encode()

    def __enter__(self) -> Self:
        """It answers."""
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """It answers no more."""
        self._server.shutdown()
        self._server.server_close()
