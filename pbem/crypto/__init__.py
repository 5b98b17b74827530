"""Sealing, signing, wrapping of keys, commitments, and the entropy of draws.

Who can read what, if the database is in the wrong hands together with the named keys:

    sealed orders, game keys, positions, journal     resolver (its master key)
    views of each seat                               web, mailer, resolver
    letters on their way in and out                  mailer (with a key that lives a day)
    templates of letters that were sent              web, mailer, resolver; their other lines as digests under a token
    quarantined emails, receipts to be completed     resolver
    the answer to a read-back request                the browser that asked

Reading is what these claims are about.  An attacker in command of a running web server can also ask in a player's
name what that player could ask.  All primitives come from `cryptography` and the standard library; what is
here is which key, bound to what.
"""

from pbem.crypto.chain import GENESIS as GENESIS
from pbem.crypto.chain import ChainBroken as ChainBroken
from pbem.crypto.chain import ChainLink as ChainLink
from pbem.crypto.chain import EntryId as EntryId
from pbem.crypto.chain import EntrySalts as EntrySalts
from pbem.crypto.chain import draw_entropy as draw_entropy
from pbem.crypto.chain import hash_entry as hash_entry
from pbem.crypto.chain import hash_seed as hash_seed
from pbem.crypto.chain import mix_seed as mix_seed
from pbem.crypto.chain import verify_link as verify_link
from pbem.crypto.chain import verify_part as verify_part
from pbem.crypto.encoding import CryptoError as CryptoError
from pbem.crypto.encoding import DecryptionError as DecryptionError
from pbem.crypto.encoding import TamperedError as TamperedError
from pbem.crypto.encoding import UnknownKey as UnknownKey
from pbem.crypto.game_keys import GameKeys as GameKeys
from pbem.crypto.game_keys import WrappedGameKeys as WrappedGameKeys
from pbem.crypto.game_keys import create_game_keys as create_game_keys
from pbem.crypto.game_keys import load_orders_key as load_orders_key
from pbem.crypto.game_keys import rewrap as rewrap
from pbem.crypto.game_keys import unwrap_game_keys as unwrap_game_keys
from pbem.crypto.key_chain import DerivedKeyChain as DerivedKeyChain
from pbem.crypto.key_files import KeyFileError as KeyFileError
from pbem.crypto.key_folder import REQUIRED_KEYS as REQUIRED_KEYS
from pbem.crypto.key_folder import KeyFolder as KeyFolder
from pbem.crypto.key_folder import MailerKeys as MailerKeys
from pbem.crypto.key_folder import ResolverKeys as ResolverKeys
from pbem.crypto.key_folder import SmtpKeys as SmtpKeys
from pbem.crypto.key_folder import WebKeys as WebKeys
from pbem.crypto.keys import MailerKey as MailerKey
from pbem.crypto.keys import MailerPublicKey as MailerPublicKey
from pbem.crypto.keys import MasterKeys as MasterKeys
from pbem.crypto.keys import NonExportable as NonExportable
from pbem.crypto.keys import OrdersPublicKey as OrdersPublicKey
from pbem.crypto.keys import OrdersSecretKey as OrdersSecretKey
from pbem.crypto.keys import PositionKey as PositionKey
from pbem.crypto.keys import ResolverKey as ResolverKey
from pbem.crypto.keys import ResolverPublicKey as ResolverPublicKey
from pbem.crypto.keys import Role as Role
from pbem.crypto.keys import SessionSecret as SessionSecret
from pbem.crypto.keys import SigningKey as SigningKey
from pbem.crypto.keys import VerifyKeys as VerifyKeys
from pbem.crypto.keys import ViewKey as ViewKey
from pbem.crypto.records import View as View
from pbem.crypto.records import ViewContext as ViewContext
from pbem.crypto.records import is_delta_encrypted as is_delta_encrypted
from pbem.crypto.records import seal_entry as seal_entry
from pbem.crypto.records import seal_view as seal_view
from pbem.crypto.records import seal_views as seal_views
from pbem.crypto.records import unseal_entry as unseal_entry
from pbem.crypto.records import unseal_view as unseal_view
from pbem.crypto.sealed_messages import EmailContext as EmailContext
from pbem.crypto.sealed_messages import OpenedEmail as OpenedEmail
from pbem.crypto.sealed_messages import OwnOrdersContext as OwnOrdersContext
from pbem.crypto.sealed_messages import OwnOrdersRequest as OwnOrdersRequest
from pbem.crypto.sealed_messages import RequestKey as RequestKey
from pbem.crypto.sealed_messages import RequestPublic as RequestPublic
from pbem.crypto.sealed_messages import open_quarantined as open_quarantined
from pbem.crypto.sealed_messages import seal_email as seal_email
from pbem.crypto.sealed_messages import seal_quarantined as seal_quarantined
from pbem.crypto.sealed_messages import seal_reply as seal_reply
from pbem.crypto.sealed_messages import sign_request as sign_request
from pbem.crypto.sealed_messages import unseal_email as unseal_email
from pbem.crypto.sealed_messages import verify_request as verify_request
from pbem.crypto.sealed_orders import OpenedOrders as OpenedOrders
from pbem.crypto.sealed_orders import OrdersContext as OrdersContext
from pbem.crypto.sealed_orders import OrdersKind as OrdersKind
from pbem.crypto.sealed_orders import SealedOrders as SealedOrders
from pbem.crypto.sealed_orders import commit_to_orders as commit_to_orders
from pbem.crypto.sealed_orders import seal_orders as seal_orders
from pbem.crypto.sealed_orders import unseal_orders as unseal_orders
from pbem.crypto.sealed_orders import verify_commitment as verify_commitment
from pbem.crypto.tokens import is_token as is_token
from pbem.crypto.tokens import new_token as new_token
from pbem.crypto.tokens import token_hash as token_hash
