"""What a balancer asks: whether this process and the workers live, whether it can serve.  Strangers learn no more."""

from flask import Response
from flask.typing import ResponseReturnValue

from pbem.service.base.services import is_ready
from pbem.web.site import PageRequest


def alive(visit: PageRequest) -> ResponseReturnValue:
    """The process answers, and no role of workers has been silent for too long."""
    if visit.services.silent_roles():
        return Response("a worker is stopped\n", 503, mimetype="text/plain")
    return Response("ok\n", mimetype="text/plain")


def ready(visit: PageRequest) -> ResponseReturnValue:
    """Its database answers, too."""
    if is_ready(visit.services):
        return Response("ok\n", mimetype="text/plain")
    return Response("not ready\n", 503, mimetype="text/plain")
