"""The table of events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "events",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("key", sa.String(64), nullable=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.UniqueConstraint("game", "seq", name="one_event_a_number"),
    )
    op.create_index("events_by_key", "events", ["key"])


def downgrade() -> None:
    """Take the table away."""
    op.drop_table("events")
