"""The rows of a study as a Parquet file, written by DuckDB."""

from __future__ import annotations

from pathlib import Path

from caltrop.lab.extras import needed

COLUMNS = {
    "game": "INTEGER",
    "cell": "INTEGER",
    "number": "INTEGER",
    "levels": "MAP(VARCHAR, VARCHAR)",
    "ruleset": "VARCHAR",
    "edition": "VARCHAR",
    "scenario": "VARCHAR",
    "armies": "VARCHAR[]",
    "size": "INTEGER",
    "rules": "MAP(VARCHAR, VARCHAR)",
    "players": "VARCHAR[]",
    "seed": "VARCHAR",
    "swapped": "BOOLEAN",
    "winner": "INTEGER",
    "side": "INTEGER",
    "winner_name": "VARCHAR",
    "first": "INTEGER",
    "first_name": "VARCHAR",
    "second_name": "VARCHAR",
    "names": "VARCHAR[]",
    "rounds": "INTEGER",
    "decisions": "INTEGER",
    "rolls": "INTEGER",
    "points": "INTEGER[]",
    "reason": "VARCHAR",
    "lost": "STRUCT(side INTEGER, kind VARCHAR, units INTEGER)[]",
    "clauses": "VARCHAR[]",
    "digest": "VARCHAR",
}
"""Names and types of the columns in `results.parquet`; see `caltrop.lab.studies.playing.GameRow`."""


def check_there() -> None:
    needed("caltrop study", "studies", "duckdb")


def write_parquet(lines: Path, table: Path) -> None:
    """Convert lines of JSON to Parquet, in the order of the games."""
    columns = ", ".join([f"{name}: '{kind}'" for name, kind in COLUMNS.items()])
    read = f"read_json({_quoted(lines)}, format = 'newline_delimited', columns = {{{columns}}})"
    beside = table.with_name(f".{table.name}.new")
    copy(f"SELECT * FROM {read} ORDER BY game", beside)
    beside.replace(table)


def copy(query: str, table: Path) -> None:
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("SET threads TO 1")
        connection.execute(f"COPY ({query}) TO {_quoted(table)} (FORMAT parquet, COMPRESSION zstd)")


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
