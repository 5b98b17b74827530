"""The commands of deploy/README.md, as they stand there."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "deploy" / "README.md").read_text(encoding="utf-8")


def blocks(chapter: str) -> list[list[str]]:
    """The lines of each block of a chapter, without their indent."""
    text = README.split(f"\n## {chapter}\n")[1].split("\n## ")[0]
    found = re.findall(r"^( *)```\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return [[line.removeprefix(indent) for line in lines.splitlines()] for indent, lines in found]


def block(chapter: str, begins: str) -> list[str]:
    """The block of a chapter whose first line begins like this."""
    (found,) = [lines for lines in blocks(chapter) if lines[0].startswith(begins)]
    return found
