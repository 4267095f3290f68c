"""How a migration is run: in the transaction that `database` has begun, and ends."""

from __future__ import annotations

from alembic import context

# SQLite cannot alter a table in place: batches make a new one and copy.
context.configure(connection=context.config.attributes["connection"], render_as_batch=True, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
