"""What a letter is by its headers alone, and which addresses a bounce names.

The header rule decides that a letter must never be answered nor read as
orders; the delivery report (RFC 3464) then says for whom it failed.  Where a
bounce is not such a report, its text is searched: a best effort, since the
envelope address that it came back to already tells whose letter it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from email.message import Message
from email.parser import HeaderParser
from email.policy import compat32
from itertools import islice

from pbem.common.addresses import IN_TEXT
from pbem.mail.addresses import is_local_domain
from pbem.mail.charsets import header_text, to_bytes
from pbem.mail.parsed_email import EmailKind, FailedRecipient

LOOP_HEADER = "X-PBEM-Loop"
"""Every letter of ours carries it; a letter that comes in with it has been here before."""

_BOUNCE_SENDERS = frozenset({"mailer-daemon", "postmaster", "mail-daemon", "mailer_daemon", "maildaemon", "mdaemon"})
_ROBOTS = re.compile(r"(?:no-?_?reply|do-?not-?reply|ne-?pas-?repondre|bounces?|notifications?-noreply)(?:[+.=-].*)?$")
_PRECEDENCE = frozenset({"bulk", "list", "junk"})
_BOUNCE_SUBJECT = re.compile(
    r"undeliver|not deliver|could not be delivered|deliver(?:y|ed)?\b.{0,30}(?:fail|status|problem|error|delayed)|"
    r"failure notice|returned mail|mail delivery|non[- ]remis|échec de (?:la )?(?:remise|livraison|distribution)|"
    r"unzustellbar|mail system error|message status|nondeliverable|bounced|"
    r"fail(?:ed|ure).{0,20}(?:mail|message|deliver)",
    re.IGNORECASE,
)
_DELAYED = re.compile(
    r"not yet been delivered|been (?:delayed|postponed)|message .{0,40}delayed \d|\(delay(?:ed)?\)|"
    r"warning message only|"
    r"delayed mail|delivery delayed|could not send message for past|remains undelivered|"
    r"will (?:be retried|continue to (?:attempt|try)|keep (?:on )?trying|try again)|delivery attempts will continue|"
    r"pas encore (?:été|pu être) (?:remis|livr|distribu)|remise retardée|retard (?:de|dans) la (?:remise|livraison)|"
    r"verzögert|noch nicht zugestellt|in ritardo|retrasad[oa]|opóźni",
    re.IGNORECASE,
)
"""What only a warning says: the server that wrote it goes on trying."""
_POSTMASTER = re.compile(r"\W*(?:postmaster|mailer-daemon|mail delivery (?:sub)?system)\b", re.IGNORECASE)
_AUTO_SUBJECT = re.compile(
    r"\s*(?:auto(?:matic)?[- ]?(?:reply|response|antwort)|auto:|automatische antwort|réponse automatique|"
    r"rép\. auto|risposta automatica|respuesta automática|resposta automática|automatisch antwoord|autosvar)",
    re.IGNORECASE,
)
_AWAY_SUBJECT = re.compile(
    r"out of (?:the )?office|absen(?:ce|t)\b|abwesen|\bvacation\b|on leave|congés?\b|en vacances|"
    r"hors du bureau|fuori ufficio|fuera de la oficina|afwezig|bortrest|poissa",
    re.IGNORECASE,
)
_AWAY_TEXT = re.compile(
    r"(?:i am|i'm|we are|will be) (?:currently |now |also )?(?:out of (?:the |my )?office|"
    r"away from (?:my|the) (?:desk|office)|on (?:annual |parental |maternity |sick )?(?:leave|holidays?|vacation))|"
    r"out of (?:the )?office (?:until|till|from|and)|limited access to (?:my )?e-?mails?|"
    r"this is an? (?:automatic|automated|auto)|(?:automatic|automated|auto)[- ](?:reply|response|answer)|"
    r"(?:message|request|e-?mail|ticket) has been (?:received|created|logged)|a ticket has been|"
    r"do not reply to this (?:message|e-?mail)|this mailbox is not monitored|"
    r"je suis (?:actuellement |présentement )?(?:absente?\b|en (?:congés?|vacances|déplacement|arrêt))|"
    r"absente? du bureau|(?:message|réponse|courriel|mail) automatique|"
    r"(?:message|demande|courriel|mail) a bien été (?:reçue?|enregistrée?)|"
    r"merci de ne pas répondre à ce|"
    r"ich bin (?:derzeit |zurzeit |momentan |aktuell |bis )?.{0,30}(?:nicht im büro|abwesend|im urlaub|außer haus)|"
    r"automatische (?:antwort|nachricht)|estoy (?:fuera de la oficina|de vacaciones|ausente)|respuesta automática|"
    r"sono (?:fuori (?:ufficio|sede)|in ferie|assente)|risposta automatica|"
    r"(?:ik ben|momenteel) (?:afwezig|op vakantie)|estou (?:ausente|de férias)|resposta automática",
    re.IGNORECASE,
)
"""The first words of a letter by which a machine gives itself away that names itself in no header."""
_ADDRESS = re.compile(IN_TEXT)
_NAMED = re.compile(
    r"(?:^|\n)[ \t]*(?:"
    r"(?:final-|original-)?recipient\s*:\s*(?:rfc822\s*;\s*)?|to\s*:\s*|failed recipient\s*:\s*|"
    r"recipient(?:'s)? address\s*:\s*|"
    r"user\s*:\s*|unknown user\s*:?\s*|<|'|\"?(?:smtp:|rfc822;\s*)?"
    r")['<\"]?(" + IN_TEXT + r")",
    re.IGNORECASE,
)
_COPY_BEGINS = re.compile(
    r"\n.{0,12}(?:below this line|original message|unsent message|returned message|message header|"
    r"copy of (?:your|the) message|message text follows|original mail|message d'origine|return-path:|received:)",
    re.IGNORECASE,
)
_REPORTS = ("message/delivery-status", "message/global-delivery-status")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_DELAYS = ("delay", "defer", "transient", "temporar", "warning")
_SUCCESSES = ("delivered", "relayed", "expanded")
"""Actions of RFC 3464 §2.3.3, as words begin that servers write in their place; all others say that it failed."""
_REPLY = re.compile(r"\b[45]\d\d[ -].{3,200}")
_MESSAGE_ID = re.compile(r"^[> \t]*message-id:\s*(<[^>\s]{1,500}>)", re.IGNORECASE | re.MULTILINE)
_DEEPEST = 20
_SEARCHED = 20_000
_FIRST_LINES, _FIRST_SIGNS = 6, 600
_MOST_FAILURES = 50
_LONGEST_REPLY = 200
_MOST_BLOCKS = 1_000


def classify_headers(head: Message, sender: str, null_sender: bool, domain: str, name: str = "") -> EmailKind | None:
    """The automatic kind that a letter's headers give away, or None if a human may have written it.

    `sender` is the address in From, `null_sender` tells an empty envelope
    sender, `domain` is our own mail domain, and `name` that of the mailbox
    which is ours there, if not all is: mail "from" it has looped.
    """
    if kind := _report_kind(head):
        return kind
    local = sender.partition("@")[0].lower()
    if head["X-Failed-Recipients"] or local in _BOUNCE_SENDERS:
        return EmailKind.BOUNCE
    subject = header_text(str(head["Subject"] or ""))
    if _is_failure_report(head, subject, null_sender):
        return EmailKind.BOUNCE
    if head[LOOP_HEADER] or (domain and is_local_domain(sender, domain, name)):
        return EmailKind.LOOP
    return _classify_auto_reply(head, subject, local, null_sender) or _classify_bulk(head)


def _is_failure_report(head: Message, subject: str, null_sender: bool) -> bool:
    """Bounces of servers that sign with a human address: the subject says so, and nobody is being replied to."""
    if _POSTMASTER.match(header_text(str(head["From"] or ""))):
        return True
    found = _BOUNCE_SUBJECT.search(subject) if null_sender else _BOUNCE_SUBJECT.match(subject)
    return found is not None


def _report_kind(head: Message) -> EmailKind | None:
    if head.get_content_type() != "multipart/report":
        return None
    report = str(head.get_param("report-type") or "").lower()
    if report == "feedback-report":
        return EmailKind.COMPLAINT
    return EmailKind.AUTO_REPLY if report == "disposition-notification" else EmailKind.BOUNCE


def _classify_auto_reply(head: Message, subject: str, local: str, null_sender: bool) -> EmailKind | None:
    submitted = _header_word(head, "Auto-Submitted")
    told = submitted not in ("", "no") or _header_word(head, "Precedence") in ("auto_reply", "auto-reply")
    marked = any(head[name] for name in ("X-Autoreply", "X-Autorespond", "X-AutoReply-From", "X-Mail-Autoreply"))
    if _AUTO_SUBJECT.match(subject) or (_AWAY_SUBJECT.search(subject) and (told or marked or null_sender)):
        return EmailKind.OUT_OF_OFFICE
    if told or marked or null_sender or _ROBOTS.match(local):
        return EmailKind.OUT_OF_OFFICE if _header_word(head, "X-Autoreply") == "vacation" else EmailKind.AUTO_REPLY
    return None


def _classify_bulk(head: Message) -> EmailKind | None:
    listed = head["List-Id"] or head["List-Unsubscribe"] or _header_word(head, "Precedence") in _PRECEDENCE
    return EmailKind.BULK if listed else None


def _header_word(head: Message, name: str) -> str:
    return str(head[name] or "").split(";")[0].split("(")[0].strip().lower()[:60]


def looks_automatic(lines: Iterable[str]) -> bool:
    """Return True if the first lines of a letter sound like an answering machine; a person may write so too."""
    first = " ".join(islice((line for line in lines if line), _FIRST_LINES))[:_FIRST_SIGNS]
    return _AWAY_TEXT.search(first.replace("\u2019", "'")) is not None


def failed_recipients(message: Message, text: str) -> tuple[FailedRecipient, ...]:
    """For whom a bounce says that it failed: from its delivery report, its own header, else its text."""
    found = list(_parse_reports(message))
    if not found:
        told = " ".join(str(value) for value in message.get_all("X-Failed-Recipients") or ())
        named = _ADDRESS.findall(told[:_SEARCHED])
        outcome = "delayed" if _is_delay_warning(message, text) else "failed"
        words = _REPLY.search(_strip_returned_email(text))
        reply = clean_reply(words[0] if words else "")
        found = [FailedRecipient(address, outcome, reply) for address in named or _addresses_in(text)]
    unique = {failure.address.lower(): failure for failure in reversed(found)}
    return tuple(reversed(unique.values()))[:_MOST_FAILURES]


def has_report(message: Message) -> bool:
    """Return True if a letter holds a delivery report, be it inside another letter."""
    return any(part.get_content_type() in _REPORTS for part in walk_parts(message, into_letters=True))


def clean_reply(words: str) -> str:
    """A server's words as they may be kept: on one line, without the addresses that they name.

    Without a semicolon too, which begins a line of suggested orders.
    """
    return _ADDRESS.sub("…", header_text(words, _LONGEST_REPLY * 2)).replace(";", ",")[:_LONGEST_REPLY]


def _parse_reports(message: Message) -> Iterator[FailedRecipient]:
    parts = (part for part in walk_parts(message, into_letters=True) if part.get_content_type() in _REPORTS)
    blocks = (block for part in parts for block in _report_blocks(part))
    return filter(None, map(_recipient, islice(blocks, _MOST_BLOCKS)))


def _report_blocks(part: Message) -> Iterator[Message]:
    """The groups of fields of a report.

    The standard library splits one type of report alone, and only where it has no transfer encoding.
    """
    payload = part.get_payload()
    blocks = [block for block in payload if isinstance(block, Message)] if isinstance(payload, list) else []
    yield from blocks
    rest = Message()
    rest["Content-Transfer-Encoding"] = str(part["Content-Transfer-Encoding"] or "")
    bodies = [body for block in blocks if isinstance(body := block.get_payload(), str)]
    rest.set_payload("\n\n".join(bodies) if blocks else str(payload or ""))
    text = to_bytes(rest)[:_SEARCHED].decode("utf-8", "replace").replace("\r\n", "\n")
    yield from map(HeaderParser(policy=compat32).parsestr, _BLANK_LINE.split(text))


def _recipient(block: Message) -> FailedRecipient | None:
    """What a group of fields says of a recipient; None for the one that is about the server.

    The recipient may be missing: the address that a bounce comes to tells whose email it is.
    """
    named = [str(block[name]) for name in ("Original-Recipient", "Final-Recipient") if block[name]]
    action, status = _header_word(block, "Action"), _header_word(block, "Status")
    if not named and not action:
        return None
    address = next((found[0] for one in named if (found := _ADDRESS.search(one))), "")
    said = str(block["Diagnostic-Code"] or "").strip()
    reply = clean_reply(re.sub(r"^[\w-]{1,20}\s*;\s*", "", said) or status)
    return FailedRecipient(address, _to_outcome(action, status), reply)


def _to_outcome(action: str, status: str) -> str:
    """What became of an email: by its action, and only without one by the class of its code."""
    if action.startswith(_SUCCESSES) or (not action and status.startswith("2")):
        return "delivered"
    return "delayed" if action.startswith(_DELAYS) or (not action and status.startswith("4")) else "failed"


def _is_delay_warning(message: Message, text: str) -> bool:
    """Return True if a bounce that is no report only says that delivery takes longer."""
    subject, words = header_text(str(message["Subject"] or "")), " ".join(_strip_returned_email(text).split())
    return _DELAYED.search(f"{subject}\n{words}") is not None


def _strip_returned_email(text: str) -> str:
    """The words of the server that wrote a bounce, without the letter that it gives back."""
    return _COPY_BEGINS.split(text[:_SEARCHED], maxsplit=1)[0]


def _addresses_in(text: str) -> list[str]:
    own = _strip_returned_email(text)
    named = [address.lstrip("'") for address in _NAMED.findall("\n" + own)]
    return named or [address.lstrip("'") for address in _ADDRESS.findall(own)[:1]]


def returned_message_id(message: Message, text: str = "", domain: str = "") -> str:
    """The Message-ID of the letter that a bounce or a complaint gives back, as a part or in its text.

    Of several, as where a report lies in another letter, the first of our own `domain`.
    """
    found = list(islice(_returned_ids(message), _MOST_FAILURES))
    if not found and (copied := _MESSAGE_ID.search(text[:_SEARCHED])):
        found = [copied.group(1)]
    ours = (one for one in found if domain and one.rstrip(">").lower().endswith(f"@{domain.lower()}"))
    return next(ours, found[0] if found else "")


def _returned_ids(message: Message) -> Iterator[str]:
    for part in walk_parts(message, into_letters=True):
        if part is not message and part["Message-ID"]:
            yield str(part["Message-ID"]).strip()[:500]
        if part.get_content_type() == "text/rfc822-headers":
            yield from _MESSAGE_ID.findall(to_bytes(part).decode("latin-1"))


def walk_parts(message: Message, into_letters: bool = False, depth: int = 0) -> Iterator[Message]:
    """A message and its parts, outermost first, to a bounded depth; letters inside letters only if asked for."""
    yield message
    letter = message.get_content_maintype() == "message"
    if depth > _DEEPEST or not message.is_multipart() or (letter and not into_letters):
        return
    payload = message.get_payload()
    for part in payload if isinstance(payload, list) else []:
        if isinstance(part, Message):
            yield from walk_parts(part, into_letters, depth + 1)
