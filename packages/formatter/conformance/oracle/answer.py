"""Formats one file as Black's command line does, in this process, and says what came of it."""

import functools
import json
import os
import tempfile
import warnings
from pathlib import Path

import black
from black.mode import Preview, TargetVersion
from black.parsing import InvalidInput

warnings.simplefilter("ignore")

# `black.Mode` takes these members as they come in a request.
PLAIN_MEMBERS = (
    "line_length",
    "preview",
    "unstable",
    "is_pyi",
    "string_normalization",
    "magic_trailing_comma",
    "skip_source_first_line",
)

# In memory where there is such a folder: every case is a file that is written and read.
folder = tempfile.TemporaryDirectory(
    prefix="jetblack-conformance-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None
)


def mode_of(options: dict) -> black.Mode:
    """The members of Black's `Mode`; what is not named has Black's default."""
    return mode_from(json.dumps(options, sort_keys=True))


@functools.cache
def mode_from(text: str) -> black.Mode:
    """One object for equal options: Black's caches compare modes, which takes long unless they are the same object."""
    options = json.loads(text)
    return black.Mode(
        **{name: options[name] for name in PLAIN_MEMBERS if name in options},
        target_versions={TargetVersion[name.upper()] for name in options.get("target_versions", [])},
        enabled_features={Preview[name] for name in options.get("enabled_features", [])},
        python_cell_magics=set(options.get("python_cell_magics", [])),
    )


def suffix_of(options: dict) -> str:
    if options.get("is_ipynb"):
        return ".ipynb"
    return ".pyi" if options.get("is_pyi") else ".py"


def answer(request: dict) -> dict:
    """{"source" or "path", "options", "ranges", "fast"} -> {"text"} or {"refusal": {"type", "message"}}.

    The message is the one that Black prints behind `error: ` (`report.py` Report.failed), with `<file>` for the path.
    """
    options = request["options"]
    if "path" in request:
        contents = Path(request["path"]).read_bytes()
    else:
        contents = request["source"].encode("utf-8", "surrogatepass")
    path = Path(folder.name) / f"file{suffix_of(options)}"
    path.write_bytes(contents)
    try:
        black.format_file_in_place(
            path,
            fast=request.get("fast", False),
            mode=mode_of(options),
            write_back=black.WriteBack.YES,
            lines=[tuple(lines) for lines in request.get("ranges", [])],
        )
    except InvalidInput as error:
        place = f"{error.lineno}:{error.column}"
        return refusal(error, f"{error.context}: <file>:{place}{error.details or ''}")
    except Exception as error:
        text = str(error).replace(str(path), "<file>")
        return refusal(error, f"cannot format <file>: {text}")
    written = path.read_bytes()
    if "path" in request:
        return {"text": black.decode_bytes(written, mode_of(options))[0]}
    return {"text": written.decode("utf-8", "surrogatepass")}


def refusal(error: Exception, message: str) -> dict:
    return {"refusal": {"type": type(error).__name__, "message": message}}
