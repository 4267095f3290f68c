"""Runs migrations in a transaction that `database` begins and ends."""

from __future__ import annotations

from alembic import context

# SQLite cannot change a table in place. A batch makes a new table and copies the rows.
context.configure(connection=context.config.attributes["connection"], render_as_batch=True, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
