"""Settings: complete, loud, and no key of another role."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.config.env_reader import VARIABLES, ConfigError, Role
from pbem.config.settings import PARTS, Address, Settings
from pbem.crypto import beacon
from pbem.crypto.key_folder import REQUIRED_KEYS, ResolverKeys, WebKeys
from pbem.crypto.keys import Role as KeyRole
from tests import server_templates

ROLES: tuple[Role, ...] = ("web", "smtp", "mailer", "resolver", "scheduler", "all")


@pytest.fixture
def env(state_dir: Path) -> dict[str, str]:
    """The variables of a complete installation in production."""
    server_templates.copy_keys(state_dir / "keys")
    return {
        "PBEM_PUBLIC_URL": "https://play.example.org/",
        "PBEM_MAIL_DOMAIN": "Games.Example.org",
        "PBEM_STATE_DIR": str(state_dir),
        "PBEM_DATABASE_URL": "postgresql:///pbem?host=/run/postgresql",
        "PBEM_BROKER_URL": "redis://127.0.0.1:6379/0",
        "PBEM_RELAY_HOST": "mail.example.org",
        "PBEM_LMTP_LISTEN": "127.0.0.1:2424",
        "PBEM_ALLOW_SHARED_USER": "yes",
    }


def _complaints(env: dict[str, str], role: Role = "all") -> tuple[str, ...]:
    with pytest.raises(ConfigError) as refusal:
        Settings.from_env(env, role)
    return refusal.value.complaints


def test_each_role_gets_its_own_parts_only(env: dict[str, str]) -> None:
    """Each role reads the settings, tidied; listeners and relay are there for the roles that use them."""
    found = {role: Settings.from_env(env, role) for role in ROLES}
    for settings in found.values():
        assert (settings.public_url, settings.mail_domain) == ("https://play.example.org", "games.example.org")
        assert (settings.production, settings.time_zone) == (True, "UTC")
    assert {role for role, s in found.items() if s.relay} == {"mailer", "all"}
    assert {role for role, s in found.items() if s.lmtp_listen} == {"smtp", "all"}
    assert {role for role, s in found.items() if s.http_listen} == {"web", "all"}
    assert found["all"].lmtp_listen == Address("127.0.0.1", 2424)


def test_everything_missing_is_told_at_once() -> None:
    """An empty environment is refused with one sentence, and one line, for each variable that must be set."""
    with pytest.raises(ConfigError) as refusal:
        Settings.from_env({})
    complaints = refusal.value.complaints
    assert str(refusal.value).splitlines() == list(complaints)
    named = {complaint.split()[0] for complaint in complaints}
    assert named == {
        f"PBEM_{name}"
        for name in "PUBLIC_URL MAIL_DOMAIN STATE_DIR DATABASE_URL BROKER_URL RELAY_HOST LMTP_LISTEN".split()
    }
    assert all("expected" in complaint and complaint.endswith(".") for complaint in complaints)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PBEM_PUBLIC_URL", "play.example.org"),
        ("PBEM_PUBLIC_URL", "https://user:word@play.example.org"),
        ("PBEM_PUBLIC_URL", "https://play.example.org:99999"),
        ("PBEM_PUBLIC_URL", "http://play.example.org"),
        ("PBEM_MAIL_DOMAIN", "games"),
        ("PBEM_MAIL_DOMAIN", "games..org"),
        ("PBEM_MAIL_DOMAIN", "spiel.größe.de"),
        ("PBEM_STATE_DIR", "relative/folder"),
        ("PBEM_STATE_DIR", "/no/such/folder"),
        ("PBEM_DATABASE_URL", "mysql://localhost/pbem"),
        ("PBEM_BROKER_URL", "amqp://localhost"),
        ("PBEM_BROKER_URL", "sentinel://one:26379,two:26379"),
        ("PBEM_LMTP_LISTEN", "2424"),
        ("PBEM_LMTP_LISTEN", "127.0.0.1:0"),
        ("PBEM_LMTP_LISTEN", "::1:2424"),
        ("PBEM_SMTP_LISTEN", "local host:25"),
        ("PBEM_HTTP_LISTEN", "127.0.0.1:80x"),
        ("PBEM_RELAY_PORT", "70000"),
        ("PBEM_MAILBOX_LOCAL_PART", "ada+games"),
        ("PBEM_MAILBOX_LOCAL_PART", "Ada@example.org"),
        ("PBEM_MAILBOX_LOCAL_PART", "a" * 36),
        ("PBEM_MAILBOX_USER", "games"),
        ("PBEM_MAILBOX_PORT", "0"),
        ("PBEM_MAILBOX_TLS", "ssl"),
        ("PBEM_PUBLIC_URL", "http://127.0.0.1.example.org"),
        ("PBEM_RELAY_TLS", "maybe"),
        ("PBEM_BEACONS", "api.drand.sh"),
        ("PBEM_BEACONS", "https://api.drand.sh, https://drand.example"),
        ("PBEM_BEACONS", "https://api.drand.sh http://drand.example"),
        ("PBEM_TIME_ZONE", "Europe/Lutetia"),
        ("PBEM_TIME_ZONE", "../../etc/passwd"),
        ("PBEM_PRODUCTION", "perhaps"),
        ("PBEM_TRUSTED_PROXIES", "-1"),
        ("PBEM_EMAILS_PER_HOUR", "0"),
        ("PBEM_EMAILS_PER_HOUR", "1_000"),
    ],
)
def test_malformed_value_is_named(env: dict[str, str], name: str, value: str) -> None:
    """A malformed value is refused by one sentence that names its variable and says what is expected."""
    (complaint,) = _complaints(env | {name: value})
    assert complaint.startswith(f"{name} ")
    assert "; expected " in complaint


def test_misspelt_variable_is_refused_with_the_nearest(env: dict[str, str]) -> None:
    """A PBEM_ variable that does not exist is refused, and the nearest that does is named."""
    (complaint,) = _complaints(env | {"PBEM_RELAY_HSOT": "x"})
    assert complaint.startswith("PBEM_RELAY_HSOT is not a setting; expected PBEM_RELAY_HOST")


def test_password_in_a_variable_is_refused_unseen(env: dict[str, str]) -> None:
    """A password in an address is refused, and never repeated in the refusal."""
    (complaint,) = _complaints(env | {"PBEM_DATABASE_URL": "postgresql://pbem:Xyzzy9@db/pbem"})
    assert "PBEM_DATABASE_URL_FILE" in complaint
    assert "Xyzzy9" not in complaint


def test_address_with_password_comes_from_a_private_file(env: dict[str, str], state_dir: Path) -> None:
    """The address with its password is taken from a file of mode 0600, and shown nowhere."""
    file = state_dir / "database"
    file.write_text("postgresql://pbem:Xyzzy9@db/pbem\n")
    file.chmod(0o600)
    del env["PBEM_DATABASE_URL"]
    settings = Settings.from_env(env | {"PBEM_DATABASE_URL_FILE": str(file)})
    assert settings.database_url == "postgresql://pbem:Xyzzy9@db/pbem"
    assert "Xyzzy9" not in repr(settings)
    assert "Xyzzy9" not in str(dict(settings.variables))


@pytest.mark.parametrize("mode", [0o640, 0o602])
def test_secret_file_open_to_others_is_refused(env: dict[str, str], state_dir: Path, mode: int) -> None:
    """A file of a secret that others could read or write is refused, its content unseen."""
    file = state_dir / "relay"
    file.write_text("Xyzzy9\n")
    file.chmod(mode)
    (complaint,) = _complaints(env | {"PBEM_RELAY_USER": "pbem", "PBEM_RELAY_PASSWORD_FILE": str(file)})
    assert complaint.startswith("PBEM_RELAY_PASSWORD_FILE ")
    assert f"{mode:04o}"[1:] in complaint
    assert "Xyzzy9" not in complaint


def test_relay_password_is_read_and_hidden(env: dict[str, str], state_dir: Path) -> None:
    """The relay's password is the first line of its file and does not print; TLS is used by default."""
    file = state_dir / "relay"
    file.write_text("Xyzzy9\nsecond line\n")
    file.chmod(0o400)
    settings = Settings.from_env(env | {"PBEM_RELAY_USER": "pbem", "PBEM_RELAY_PASSWORD_FILE": str(file)}, "mailer")
    assert settings.relay is not None
    assert (settings.relay.user, settings.relay.password, settings.relay.tls) == ("pbem", "Xyzzy9", "starttls")
    assert "Xyzzy9" not in repr(settings)


def test_other_roles_do_not_open_the_relay_password(env: dict[str, str]) -> None:
    """A process that sends nothing neither needs nor reads the relay's password."""
    env |= {"PBEM_RELAY_USER": "pbem", "PBEM_RELAY_PASSWORD_FILE": "/no/such/file"}
    assert Settings.from_env(env, "web").relay is None
    assert len(_complaints(env, "mailer")) == 1


def test_password_in_clear_to_another_host_is_refused(env: dict[str, str], state_dir: Path) -> None:
    """A password is not sent without TLS to a host that is not this one."""
    file = state_dir / "relay"
    file.write_text("Xyzzy9")
    file.chmod(0o600)
    env |= {"PBEM_RELAY_USER": "pbem", "PBEM_RELAY_PASSWORD_FILE": str(file), "PBEM_RELAY_TLS": "none"}
    assert _complaints(env)[0].startswith("PBEM_RELAY_TLS ")
    assert Settings.from_env(env | {"PBEM_RELAY_HOST": "127.0.0.1"}).relay is not None


@pytest.mark.parametrize("role", PARTS)
def test_role_starts_with_its_own_keys_alone(env: dict[str, str], state_dir: Path, role: KeyRole) -> None:
    """A process starts when only its own part of the keys is there, wherever its folder lies."""
    alone = state_dir / "alone"
    (state_dir / "keys" / role).rename(alone)
    del env["PBEM_ALLOW_SHARED_USER"]
    settings = Settings.from_env(env | {"PBEM_KEYS_DIR": str(alone)}, role)
    assert settings.key_folder_of(role) == alone


def test_the_scheduler_starts_without_any_key(env: dict[str, str], state_dir: Path) -> None:
    """The scheduler needs no folder of keys, is led to none, and in production refuses to run where one is readable."""
    with pytest.raises(ConfigError, match="keys that the scheduler process could read"):
        Settings.from_env({name: value for name, value in env.items() if name != "PBEM_ALLOW_SHARED_USER"}, "scheduler")
    (state_dir / "keys").rename(state_dir / "elsewhere")
    settings = Settings.from_env(env, "scheduler")
    for part in PARTS:
        with pytest.raises(ConfigError, match="holds no keys"):
            settings.key_folder_of(part)


def test_keys_of_another_role_are_not_given(env: dict[str, str]) -> None:
    """Settings of one role lead to that role's keys and refuse to lead to another's; those of all lead to each."""
    ResolverKeys.load(Settings.from_env(env, "all").key_folder_of("resolver"))
    settings = Settings.from_env(env, "web")
    WebKeys.load(settings.key_folder_of("web"))
    with pytest.raises(ConfigError, match="holds no keys of resolver"):
        settings.key_folder_of("resolver")


@pytest.mark.parametrize(("role", "name"), [(role, name) for role in PARTS for name in REQUIRED_KEYS[role]])
def test_missing_or_open_key_file_is_told(env: dict[str, str], state_dir: Path, role: Role, name: str) -> None:
    """A key file that is missing, or that others could read (if public: replace), stops its role."""
    path = state_dir / "keys" / role / name
    path.chmod(0o444 if name.endswith(".keys") else 0o666)
    (open_to_others,) = _complaints(env, role)
    path.unlink()
    (missing,) = _complaints(env, role)
    assert open_to_others.startswith("PBEM_KEYS_DIR ")
    assert str(path)[-40:] in open_to_others
    assert missing.startswith("PBEM_KEYS_DIR ")
    assert "pbem keys init" in missing


def test_readable_key_of_another_role_is_refused_in_production(env: dict[str, str]) -> None:
    """In production a process that could read another role's keys does not start unless that is accepted."""
    del env["PBEM_ALLOW_SHARED_USER"]
    complaints = _complaints(env, "web")
    assert {part for part in PARTS if any(f"/keys/{part}" in complaint for complaint in complaints)} == {
        "smtp",
        "mailer",
        "resolver",
    }
    assert Settings.from_env(env | {"PBEM_PRODUCTION": "no"}, "web").role == "web"


def test_embedded_needs_no_environment(state_dir: Path) -> None:
    """The embedded default makes its folder, private, and lives on the loopback within it."""
    settings = Settings.with_embedded(state_dir / "demo", http_port=8123, smtp_port=2525, relay_port=2526)
    assert settings.state_dir.stat().st_mode & 0o777 == 0o700
    assert not settings.production
    assert settings.public_url == "http://127.0.0.1:8123"
    assert settings.database_url == f"sqlite:///{state_dir}/demo/pbem.sqlite3"
    assert settings.redis_url == f"unix://{state_dir}/demo/broker.sock?db=0"
    assert settings.relay is not None
    assert (settings.relay.host, settings.relay.port, settings.relay.tls) == ("127.0.0.1", 2526, "none")


def test_variables_hand_the_settings_on(state_dir: Path) -> None:
    """What a child process reads from `variables` equals what its parent has, role by role."""
    server_templates.copy_keys(state_dir / "keys")
    parent = Settings.with_embedded(state_dir)
    assert Settings.from_env(parent.variables, "all") == parent
    assert Settings.from_env(parent.variables, "resolver").database_url == parent.database_url


def test_every_variable_is_read_somewhere(env: dict[str, str], state_dir: Path) -> None:
    """Every variable that is accepted is also read: a broken value of it is noticed, or it names a server's program."""

    class Watched(dict[str, str]):
        seen: set[str]

        def get(self, key: str, default: str | None = None) -> str:  # type: ignore[override]
            self.seen.add(key)
            return super().get(key, default or "")

    watched = Watched(env | {"PBEM_ALLOW_SHARED_USER": "no"})
    watched.seen = set()
    for role in ROLES:
        try:
            Settings.from_env(watched, role)
        except ConfigError:
            continue
    assert watched.seen == VARIABLES


@given(st.dictionaries(st.sampled_from(sorted(VARIABLES)), st.text(max_size=60), max_size=12), st.sampled_from(ROLES))
def test_any_environment_is_read_or_refused(env: dict[str, str], role: Role) -> None:
    """Whatever the values, the outcome is settings or a ConfigError of whole sentences, never another exception."""
    try:
        Settings.from_env(env, role)
    except ConfigError as refusal:
        assert refusal.complaints
        assert all(complaint.isprintable() for complaint in refusal.complaints)


def test_unknown_role_is_refused() -> None:
    """A role that does not exist is refused with those that do."""
    with pytest.raises(ConfigError, match="web, smtp, mailer, resolver, scheduler, metrics, all"):
        Settings.from_env({}, "king")  # type: ignore[arg-type]


def test_unreadable_file_is_told(env: dict[str, str], state_dir: Path) -> None:
    """A file that is a folder, empty, or no text is refused by a sentence."""
    folder, empty, binary = state_dir / "folder", state_dir / "empty", state_dir / "binary"
    folder.mkdir()
    empty.touch(mode=0o600)
    binary.write_bytes(b"\xff\xfe\x00")
    binary.chmod(0o600)
    del env["PBEM_BROKER_URL"]
    for path in (folder, empty, binary):
        os.chmod(path, 0o700 if path.is_dir() else 0o600)
        (complaint,) = _complaints(env | {"PBEM_BROKER_URL_FILE": str(path)})
        assert complaint.startswith("PBEM_BROKER_URL_FILE ")


def test_the_servers_of_the_beacon_are_named_in_order(env: dict[str, str]) -> None:
    """Several addresses have blanks between them; without any, tables may not choose the beacon."""
    given = {"PBEM_BEACONS": "https://api.drand.sh/  https://drand.example:8443/relay"}
    named = ("https://api.drand.sh", "https://drand.example:8443/relay")
    assert [Settings.from_env(env | given, role).beacons for role in ROLES] == [named] * len(ROLES)
    assert Settings.from_env(env).beacons == ()


def test_the_beacon_is_not_offered_where_it_cannot_be_checked(
    env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the library that checks signatures the server does not start with the beacon: it says what to install."""
    monkeypatch.setattr(beacon, "LIBRARY", "no_such_library")
    (complaint,) = _complaints(env | {"PBEM_BEACONS": "https://api.drand.sh"})
    assert beacon.INSTALL in complaint
    assert Settings.from_env(env).beacons == ()


def test_discords_key_and_number_come_together(env: dict[str, str]) -> None:
    """Our application at Discord has a key and a number: one without the other is refused, and a malformed one too."""
    key, number = {"PBEM_DISCORD_PUBLIC_KEY": "AB" * 32}, {"PBEM_DISCORD_APPLICATION": "1094871234567890123"}
    settings = Settings.from_env(env | key | number)
    assert (settings.chat.discord_public_key, settings.chat.discord_application) == ("ab" * 32, "1094871234567890123")
    assert [c.split()[0] for c in _complaints(env | key)] == ["PBEM_DISCORD_APPLICATION"]
    assert [c.split()[0] for c in _complaints(env | number)] == ["PBEM_DISCORD_PUBLIC_KEY"]
    assert _complaints(env | number | {"PBEM_DISCORD_PUBLIC_KEY": "xyz"})[0].startswith("PBEM_DISCORD_PUBLIC_KEY is")


def test_webhooks_to_this_machine_are_refused_in_production(env: dict[str, str]) -> None:
    """Webhooks may lead to the loopback in a trial, and nowhere else."""
    assert not Settings.from_env(env).chat.allow_loopback_webhooks
    trial = {"PBEM_PRODUCTION": "no", "PBEM_PUBLIC_URL": "http://127.0.0.1:8000"}
    assert Settings.from_env(env | trial).chat.allow_loopback_webhooks


@pytest.fixture
def at_home(env: dict[str, str], state_dir: Path) -> dict[str, str]:
    """The variables of an installation that fetches its letters from a mailbox, and shows pages to its own machine."""
    (state_dir / "mailbox").write_text("Xyzzy9\n")
    (state_dir / "mailbox").chmod(0o600)
    del env["PBEM_LMTP_LISTEN"]
    return env | {
        "PBEM_PUBLIC_URL": "http://127.0.0.1:8000",
        "PBEM_MAILBOX_LOCAL_PART": "Games.Ada",
        "PBEM_MAILBOX_HOST": "imap.example.org",
        "PBEM_MAILBOX_USER": "games.ada@example.org",
        "PBEM_MAILBOX_PASSWORD_FILE": str(state_dir / "mailbox"),
    }


def test_a_mailbox_takes_the_place_of_a_mail_server(at_home: dict[str, str]) -> None:
    """Letters are fetched with TLS by default; only the door knows the password, and all roles the name."""
    found = {role: Settings.from_env(at_home, role) for role in ROLES}
    assert {role for role, s in found.items() if s.mailbox} == {"smtp", "all"}
    assert {s.mailbox_local_part for s in found.values()} == {"games.ada"}
    box = found["smtp"].mailbox
    assert box is not None
    assert (box.port, box.tls, box.password) == (993, "tls", "Xyzzy9")
    assert "Xyzzy9" not in repr(found["smtp"])
    starttls = Settings.from_env(at_home | {"PBEM_MAILBOX_TLS": "starttls"}, "smtp").mailbox
    assert starttls is not None
    assert starttls.port == 143


@pytest.mark.parametrize("lacking", ["PBEM_MAILBOX_HOST", "PBEM_MAILBOX_USER", "PBEM_MAILBOX_PASSWORD_FILE"])
def test_what_belongs_to_a_mailbox_comes_together(at_home: dict[str, str], lacking: str) -> None:
    """A mailbox without its server, user or password is refused, and the sentences name what is wanted."""
    del at_home[lacking]
    complaints = _complaints(at_home, "smtp")
    assert all("MAILBOX" in complaint for complaint in complaints)
    assert any(lacking in complaint for complaint in complaints)
    assert "Xyzzy9" not in "".join(complaints)


def test_the_password_of_a_mailbox_does_not_travel_in_clear(at_home: dict[str, str]) -> None:
    """Without TLS a mailbox is asked on this machine only."""
    assert _complaints(at_home | {"PBEM_MAILBOX_TLS": "none"}, "smtp")[0].startswith("PBEM_MAILBOX_TLS ")
    own = at_home | {"PBEM_MAILBOX_TLS": "none", "PBEM_MAILBOX_HOST": "127.0.0.1"}
    assert Settings.from_env(own, "smtp").mailbox is not None


def test_a_folder_without_keys_is_one_sentence(env: dict[str, str], tmp_path: Path) -> None:
    """Not one for each key that it lacks: it says what makes them."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError) as refused:
        Settings.from_env(env | {"PBEM_KEYS_DIR": str(tmp_path / "empty")})
    (sentence,) = refused.value.complaints
    assert "which has no keys; expected the files that pbem keys init makes" in sentence
