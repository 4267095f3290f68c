"""The error for input that cannot be read. Every package may raise it."""


class Portable(Exception):
    """An exception that can be copied and pickled with all its attributes, whatever its constructor takes."""

    def __reduce__(self) -> tuple[object, ...]:
        """Return the data to rebuild the exception from its message and attributes, without its constructor."""
        return _rebuilt, (type(self), self.args, dict(vars(self)))


def _rebuilt(kind: type[Portable], args: tuple[object, ...], attributes: dict[str, object]) -> Portable:
    error = kind.__new__(kind, *args)
    vars(error).update(attributes)
    return error


class InputError(Portable, ValueError):
    """Something that was given to Caltrop cannot be read: a file, a line on standard input, a name.

    It is for input that a person can correct. Acts against the rules are refusals of the engine, and programming errors
    are other exceptions.

    Args:
        message: Description of the fault, with the nearest right value if there is one.
        source: The file, or another name for where the input came from.
        line: Line in the source, counted from 1.
        column: Column in the line, counted from 1.
        field: The field at fault, as a path such as `units[2].kind`.

    >>> str(InputError("no kind 'medium-tnak'; did you mean 'medium-tank'?", source="army.yaml", line=3, field="kind"))
    "army.yaml:3: kind: no kind 'medium-tnak'; did you mean 'medium-tank'?"
    """

    message: str
    """The fault in words, without its place."""
    source: str | None
    """The file, or another name for where the input came from."""
    line: int | None
    """Line in the source, counted from 1."""
    column: int | None
    """Column in the line, counted from 1."""
    field: str | None
    """The field at fault."""
    values: dict[str, int]
    """Numbers in the message by name, for programs: `dice` is the required number of dice."""

    def __init__(
        self,
        message: str,
        *,
        source: str | None = None,
        line: int | None = None,
        column: int | None = None,
        field: str | None = None,
        values: dict[str, int] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.line = line
        self.column = column
        self.field = field
        self.values = dict(values or {})

    def __str__(self) -> str:
        """Return the place and the message in one line, as `source:line:column: field: message`."""
        place = ":".join(str(part) for part in (self.source, self.line, self.column) if part is not None)
        return ": ".join(part for part in (place, self.field, " ".join(self.message.split())) if part)
