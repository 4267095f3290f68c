"""Print a JSON Schema of data that Caltrop reads and writes.

The schemas are generated from the types that the program itself uses for reading.
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
