"""The tables of workers that share a database, and of the games that each has."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "workers",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("address", sa.String(128), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("worker", sa.String(32), nullable=False),
    )
    op.create_index("leases_of_one", "leases", ["worker"])


def downgrade() -> None:
    """Take the tables away."""
    op.drop_table("leases")
    op.drop_table("workers")
