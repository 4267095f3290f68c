"""The table of standings: stored states of games, with which games open faster than by replaying their events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "standings",
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("stamp", sa.String(64), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Take the table away."""
    op.drop_table("standings")
