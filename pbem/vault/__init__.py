"""The vault: everything that is sealed, signed, wrapped, committed to or drawn by lot stands on this.

Who can read what, if the database is in the wrong hands together with the named keys:

    ballots, wrapped game keys, positions, journal   play (its master key)
    views of each seat                               web, post, play
    letters on their way in and out                  post (with a key that lives a day)
    shunted letters, receipts awaiting play          play
    the answer to a read-back request                the browser that asked

Reading is what these claims are about.  An attacker in command of a running web server can also ask in a player's
name what that player could ask.  All primitives come from `cryptography` and the standard library; what is
here is which key, bound to what.
"""

from pbem.vault.ballots import (
    BallotContext,
    BallotKind,
    OpenedBallot,
    SealedBallot,
    check_commitment,
    commitment,
    new_salt,
    open_ballot,
    seal_ballot,
)
from pbem.vault.chain import (
    GENESIS,
    ChainBroken,
    EntryLink,
    EntryPlace,
    EntrySalts,
    check_entry,
    check_link,
    check_part,
    entry_digest,
    luck,
    mix_seed,
    seed_digest,
)
from pbem.vault.day_chain import DayChain
from pbem.vault.fields import Tampered, UnknownKey, Unopenable, VaultError
from pbem.vault.files import KeyFileProblem
from pbem.vault.folder import NEEDED, DoorKeys, KeyFolder, PlayKeys, PostKeys, RoleKeys, WebKeys
from pbem.vault.games import GameKeys, WrappedGameKeys, ballot_key, new_game_keys, open_game_keys, rewrap
from pbem.vault.keys import (
    BallotKey,
    BallotSecret,
    Guarded,
    MasterKeys,
    PlayKey,
    PlayPublic,
    PositionKey,
    PostKey,
    PostPublic,
    Role,
    SessionSecret,
    SigningKey,
    VerifyKeys,
    ViewKey,
)
from pbem.vault.parcels import (
    LetterContext,
    OpenedLetter,
    ReadBackContext,
    ReadBackRequest,
    RequestKey,
    RequestPublic,
    check_request,
    open_letter,
    open_shunt,
    seal_answer,
    seal_letter,
    seal_shunt,
    sign_request,
)
from pbem.vault.records import (
    View,
    ViewContext,
    open_entry,
    open_view,
    seal_entry,
    seal_view,
    seal_views,
    sealed_beside,
)
from pbem.vault.tokens import is_token, new_token, same_token, token_hash

__all__ = [
    "GENESIS",
    "NEEDED",
    "BallotContext",
    "BallotKey",
    "BallotKind",
    "BallotSecret",
    "ChainBroken",
    "DayChain",
    "DoorKeys",
    "EntryLink",
    "EntryPlace",
    "EntrySalts",
    "GameKeys",
    "Guarded",
    "KeyFileProblem",
    "KeyFolder",
    "LetterContext",
    "MasterKeys",
    "OpenedBallot",
    "OpenedLetter",
    "PlayKey",
    "PlayKeys",
    "PlayPublic",
    "PositionKey",
    "PostKey",
    "PostKeys",
    "PostPublic",
    "ReadBackContext",
    "ReadBackRequest",
    "RequestKey",
    "RequestPublic",
    "Role",
    "RoleKeys",
    "SealedBallot",
    "SessionSecret",
    "SigningKey",
    "Tampered",
    "UnknownKey",
    "Unopenable",
    "VaultError",
    "VerifyKeys",
    "View",
    "ViewContext",
    "ViewKey",
    "WebKeys",
    "WrappedGameKeys",
    "ballot_key",
    "check_commitment",
    "check_entry",
    "check_link",
    "check_part",
    "check_request",
    "commitment",
    "entry_digest",
    "is_token",
    "luck",
    "mix_seed",
    "new_game_keys",
    "new_salt",
    "new_token",
    "open_ballot",
    "open_entry",
    "open_game_keys",
    "open_letter",
    "open_shunt",
    "open_view",
    "rewrap",
    "same_token",
    "seal_answer",
    "seal_ballot",
    "seal_entry",
    "seal_letter",
    "seal_shunt",
    "seal_view",
    "seal_views",
    "sealed_beside",
    "seed_digest",
    "sign_request",
    "token_hash",
]
