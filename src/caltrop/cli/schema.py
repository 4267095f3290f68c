"""Print a JSON Schema of what Caltrop reads and writes.

The schemas are made from the types that the program itself reads with.
"""

from __future__ import annotations


def schema(name: str, /, *, game: str | None = None) -> None:
    """Print a JSON Schema.

    Args:
        name: One of scenario, army, campaign, ruling, game, attack, sequence, resolve, odds, view, decision, action,
            event, study or pack.
        game: For one game only.
    """
    from caltrop.cli import print_json
    from caltrop.wire.schemas import schema as made

    print_json(made(name, game), indent=2)
