"""The database: tables, transactions, and nothing that decides anything.

How a service reads and writes: load, decide, commit.  It *loads* what it needs on a snapshot, one short read
transaction that shows one moment and locks nothing (`Database.prepare`).  It *decides* there, without the write lock:
this is where letters are parsed and sealed, orders judged and gates resolved.  Rows that it adds, changes and removes
are collected and not written (`optimistic.WriteSet`).  It *commits* in one write transaction: that raises the version
of each game and person of whom something is written, provided that all versions are those that were loaded
(`versions`), and then writes the rows, letters to be sent included.  If another writer was faster nothing is written;
the service loads again, a few times, and after that does all in one transaction under the game's lock
(`games.lock_game`).  A transaction that took a lock first raises the versions as it flushes and with each statement of
its session, so nobody has to think of them; statements of a bare connection raise none.  Rows of letters taken in have
no owner: who answers them checks that they still wait, and unique keys stop a second letter, order or entry of the same
name.

Rows that open something to somebody are signed as they are written and verified as they are loaded (`row_signatures`).

Two things are not as SQLAlchemy does them by itself, for their cost: queries are kept for a transaction
(`query_cache`), and a write set saves its new rows in bulk (`optimistic`).
"""
