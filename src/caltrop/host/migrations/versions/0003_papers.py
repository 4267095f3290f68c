"""The table of papers: data beside games that changes, such as people, their keys, open seats and ratings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table and its index."""
    op.create_table(
        "papers",
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("id", sa.String(96), primary_key=True),
        sa.Column("whose", sa.String(64), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("papers_of_one", "papers", ["whose", "kind"])


def downgrade() -> None:
    """Take the table away."""
    op.drop_table("papers")
