"""The record of a game: what an entry holds, the file that carries it, and what that file proves without any server.

Pure: the engine and the arithmetic of `pbem.crypto`, no database and no key.  `pbem.service.archive.files` writes these
files from a server's journal and opens them on another.
"""
