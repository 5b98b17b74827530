"""The database: tables, transactions, and nothing that decides anything."""
