"""Sealing, signing, wrapping of keys, commitments, and the entropy of draws.

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

from pbem.crypto.chain import (
    GENESIS,
    ChainBroken,
    ChainLink,
    EntryId,
    EntrySalts,
    draw_entropy,
    hash_entry,
    hash_seed,
    mix_seed,
    verify_entry,
    verify_link,
    verify_part,
)
from pbem.crypto.encoding import CryptoError, DecryptionError, TamperedError, UnknownKey
from pbem.crypto.game_keys import (
    GameKeys,
    WrappedGameKeys,
    create_game_keys,
    load_orders_key,
    rewrap,
    unwrap_game_keys,
)
from pbem.crypto.key_chain import DerivedKeyChain
from pbem.crypto.key_files import KeyFileError
from pbem.crypto.key_folder import (
    REQUIRED_KEYS,
    KeyFolder,
    MailerKeys,
    ResolverKeys,
    RoleKeys,
    SmtpKeys,
    WebKeys,
)
from pbem.crypto.keys import (
    MailerKey,
    MailerPublicKey,
    MasterKeys,
    NonExportable,
    OrdersPublicKey,
    OrdersSecretKey,
    PositionKey,
    ResolverKey,
    ResolverPublicKey,
    Role,
    SessionSecret,
    SigningKey,
    VerifyKeys,
    ViewKey,
)
from pbem.crypto.records import (
    View,
    ViewContext,
    is_delta_encrypted,
    seal_entry,
    seal_view,
    seal_views,
    unseal_entry,
    unseal_view,
)
from pbem.crypto.sealed_messages import (
    EmailContext,
    OpenedEmail,
    OwnOrdersContext,
    OwnOrdersRequest,
    RequestKey,
    RequestPublic,
    open_quarantined,
    seal_email,
    seal_quarantined,
    seal_reply,
    sign_request,
    unseal_email,
    verify_request,
)
from pbem.crypto.sealed_orders import (
    OpenedOrders,
    OrdersContext,
    OrdersKind,
    SealedOrders,
    commit_to_orders,
    new_salt,
    seal_orders,
    unseal_orders,
    verify_commitment,
)
from pbem.crypto.tokens import is_token, new_token, same_token, token_hash

__all__ = [
    "GENESIS",
    "REQUIRED_KEYS",
    "ChainBroken",
    "ChainLink",
    "CryptoError",
    "DecryptionError",
    "DerivedKeyChain",
    "EmailContext",
    "EntryId",
    "EntrySalts",
    "GameKeys",
    "KeyFileError",
    "KeyFolder",
    "MailerKey",
    "MailerKeys",
    "MailerPublicKey",
    "MasterKeys",
    "NonExportable",
    "OpenedEmail",
    "OpenedOrders",
    "OrdersContext",
    "OrdersKind",
    "OrdersPublicKey",
    "OrdersSecretKey",
    "OwnOrdersContext",
    "OwnOrdersRequest",
    "PositionKey",
    "RequestKey",
    "RequestPublic",
    "ResolverKey",
    "ResolverKeys",
    "ResolverPublicKey",
    "Role",
    "RoleKeys",
    "SealedOrders",
    "SessionSecret",
    "SigningKey",
    "SmtpKeys",
    "TamperedError",
    "UnknownKey",
    "VerifyKeys",
    "View",
    "ViewContext",
    "ViewKey",
    "WebKeys",
    "WrappedGameKeys",
    "commit_to_orders",
    "create_game_keys",
    "draw_entropy",
    "hash_entry",
    "hash_seed",
    "is_delta_encrypted",
    "is_token",
    "load_orders_key",
    "mix_seed",
    "new_salt",
    "new_token",
    "open_quarantined",
    "rewrap",
    "same_token",
    "seal_email",
    "seal_entry",
    "seal_orders",
    "seal_quarantined",
    "seal_reply",
    "seal_view",
    "seal_views",
    "sign_request",
    "token_hash",
    "unseal_email",
    "unseal_entry",
    "unseal_orders",
    "unseal_view",
    "unwrap_game_keys",
    "verify_commitment",
    "verify_entry",
    "verify_link",
    "verify_part",
    "verify_request",
]
