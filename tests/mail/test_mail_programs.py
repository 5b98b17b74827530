"""The five mail programs, without a mail server between: what they send is read as what their owner wrote."""

from email.message import EmailMessage

import pytest

from tests.golden.make import LETTERS
from tests.mail.mail_programs import STYLES
from tests.mail.quoting import printed, understand

OFFERED = sorted(path for path in LETTERS.glob("*/*.txt") if "\n; --- " in path.read_text("utf-8"))


def server_email(text: str) -> EmailMessage:
    """A letter of ours as its reader has it."""
    letter = EmailMessage()
    letter["From"], letter["Reply-To"] = '"Rose" <t+142bdgnftqh2@games.example.org>', "o+7h2k9qxw4m@games.example.org"
    letter["Message-ID"] = "<r1@games.example.org>"
    letter["Subject"], _, body = text.removeprefix("Subject: ").partition("\n\n")
    letter.set_content(body)
    return letter


@pytest.mark.parametrize("style", STYLES)
def test_an_answer_in_the_style_of_a_mail_program_is_its_lines(style: str) -> None:
    """To each letter that offers lines, each program's answer holds the line that was chosen, and no other order."""
    assert len(OFFERED) >= 8
    for path in OFFERED:
        text = path.read_text("utf-8")
        line = next(row.removeprefix("; ") for row in text.split("\n; --- ", 1)[1].splitlines()[1:] if row[:2] == "; ")
        rows = text.partition("\n\n")[2].split("\n")
        covered = [n for n, row in enumerate(rows) if row.startswith("; ")]
        template = rows[covered[0] : covered[-1] + 2]
        got = understand(STYLES[style](server_email(text), [line], "zoe@players.test", 1), printed(rows, template))
        found = [row.upper() for row in (*got.lines, *got.uncommented) if row and "Zoé" not in row]
        assert found == [line.upper()], (path.name, style)
