"""What a process must know of chat services; a part of the settings."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.config.env_reader import EnvReader


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """The settings of chat services.

    `discord_public_key` and `discord_application`: of our application at Discord (empty: players cannot write from
    there); `api`: where Discord is asked; `allow_loopback_webhooks`: webhooks may lead to this machine, in a trial.
    """

    discord_public_key: str = ""
    discord_application: str = ""
    api: str = "https://discord.com/api/v10"
    allow_loopback_webhooks: bool = False


def load_chat_settings(reading: EnvReader, production: bool) -> ChatSettings:
    """Read the settings of chat services; Discord's key and number come together."""
    key = reading.optional("PBEM_DISCORD_PUBLIC_KEY", _public_key, "the 64 hexadecimal signs of a public key", "")
    number = reading.optional("PBEM_DISCORD_APPLICATION", parse_snowflake, "the number of an application", "")
    if bool(key) != bool(number) and not reading.has("DISCORD"):
        missing = "PBEM_DISCORD_APPLICATION" if key else "PBEM_DISCORD_PUBLIC_KEY"
        reading.add_error(missing, "is missing while the other of the two is set", "both, or neither")
    return ChatSettings(key, number, allow_loopback_webhooks=not production)


def _public_key(raw: str) -> str:
    if not re.fullmatch(r"[0-9a-fA-F]{64}", raw):
        raise ValueError
    return raw.lower()


def parse_snowflake(raw: str) -> str:
    """A number as Discord gives them; raises ValueError."""
    if not re.fullmatch(r"[1-9][0-9]{5,19}", raw):
        raise ValueError
    return raw
