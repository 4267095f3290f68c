"""How a migration is run: on the database that `storage` names, in one transaction."""

from __future__ import annotations

from alembic import context
from sqlalchemy import create_engine

engine = create_engine(context.config.attributes["url"])
try:
    with engine.connect() as connection:
        # SQLite cannot alter a table in place: batches make a new one and copy.
        context.configure(connection=connection, render_as_batch=True, transactional_ddl=True)
        with context.begin_transaction():
            context.run_migrations()
        connection.commit()
finally:
    engine.dispose()
