"""Formats Python byte for byte as Black does.

The functions, their parameters and the exceptions are Black's: `import jetblack as black` does for programs that call
`black.format_str`, `black.format_file_contents` or `black.format_cell`. The work is done by one Node.js process, which
is started by the first call and ends with this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jetblack._errors import ASTSafetyError as ASTSafetyError
    from jetblack._errors import InvalidInput as InvalidInput
    from jetblack._errors import NothingChanged as NothingChanged
    from jetblack._errors import SourceASTParseError as SourceASTParseError
    from jetblack._format import format_cell as format_cell
    from jetblack._format import format_file_contents as format_file_contents
    from jetblack._format import format_ipynb_string as format_ipynb_string
    from jetblack._format import format_str as format_str
    from jetblack._mode import FileMode as FileMode
    from jetblack._mode import Mode as Mode
    from jetblack._mode import Preview as Preview
    from jetblack._mode import TargetVersion as TargetVersion
    from jetblack._version import __version__ as __version__

# Loaded when they are asked for, so that the commands start without them.
_HOMES = {
    "ASTSafetyError": "_errors",
    "InvalidInput": "_errors",
    "NothingChanged": "_errors",
    "SourceASTParseError": "_errors",
    "format_cell": "_format",
    "format_file_contents": "_format",
    "format_ipynb_string": "_format",
    "format_str": "_format",
    "FileMode": "_mode",
    "Mode": "_mode",
    "Preview": "_mode",
    "TargetVersion": "_mode",
    "__version__": "_version",
}

__all__ = [name for name in _HOMES if not name.startswith("_")]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
