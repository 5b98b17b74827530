"""How alembic reaches the database: only online, only with the address that it is given."""

from alembic import context

from pbem.store.database import Database
from pbem.store.models import Base

database = Database(context.config.attributes["url"])
with database.engine.begin() as connection:
    context.configure(
        connection=connection, target_metadata=Base.metadata, render_as_batch=database.sqlite, compare_type=True
    )
    with context.begin_transaction():
        context.run_migrations()
database.close()
