"""Black's exceptions (`black.parsing`, `black.report`), by the same names and with the same attributes."""

from __future__ import annotations


class NothingChanged(UserWarning):
    """The source is formatted already."""


class InvalidInput(ValueError):
    """The source is not Python that the target versions allow."""

    def __init__(
        self,
        message: str,
        lineno: int | None = None,
        column: int | None = None,
        context: str | None = None,
        details: str | None = None,
    ) -> None:
        super().__init__(message, lineno, column, context, details)
        #: 1-based line.
        self.lineno = lineno
        #: 0-based column, in characters.
        self.column = column
        #: `cannot parse`, with the newest target version where there are any.
        self.context = context
        #: The faulty line, a caret below it, and the reason.
        self.details = details

    def __str__(self) -> str:
        return str(self.args[0])


class SourceASTParseError(Exception):
    """The source can be formatted, but Python's own parser refuses it, so that the output cannot be checked."""


class ASTSafetyError(Exception):
    """The output is not equivalent to the source: a fault of this program. The source stays as it is."""
