"""The Node.js process that formats: one for this process, started by the first call."""

from __future__ import annotations

import atexit
import io
import json
import os
import subprocess
import threading
from collections.abc import Collection

from jetblack import _errors
from jetblack._mode import Mode
from jetblack._node import BUNDLE, find_node


def ask(operation: str, source: str, mode: Mode, *, fast: bool, lines: Collection[tuple[int, int]] = ()) -> str:
    """The output of Black's function of that name; raises its exception."""
    source.encode("utf-8")  # Black raises the same UnicodeEncodeError for what is no text.
    request = {
        "operation": operation,
        "source": source,
        "mode": _as_json(mode),
        "fast": fast,
        "lines": [[int(start), int(end)] for start, end in lines],
    }
    answer = _process.answer(json.dumps(request).encode("ascii"))
    if "output" in answer:
        return answer["output"]
    raise _exception(answer["failure"])


def _as_json(mode: Mode) -> dict[str, object]:
    """Black's own `Mode` does as well: its versions and features have the same names."""
    length = mode.line_length
    if isinstance(length, bool) or not isinstance(length, int):
        raise TypeError(f"line_length must be an int, not {type(length).__name__}")
    return {
        "targetVersions": sorted(version.name.lower() for version in mode.target_versions),
        "lineLength": length,
        "stringNormalization": bool(mode.string_normalization),
        "isPyi": bool(mode.is_pyi),
        "isIpynb": bool(mode.is_ipynb),
        "magicTrailingComma": bool(mode.magic_trailing_comma),
        "pythonCellMagics": sorted(mode.python_cell_magics),
        "preview": bool(mode.preview),
        "unstable": bool(mode.unstable),
        "enabledFeatures": [feature.name for feature in mode.enabled_features],
    }


def _exception(failure: dict) -> Exception:
    name, message = failure["exception"], failure["message"]
    if name == "InvalidInput":
        places = [failure.get(key) for key in ("line", "column", "context", "details")]
        return _errors.InvalidInput(message, *places)
    kinds = {"AssertionError": AssertionError, "ValueError": ValueError, "RuntimeError": RuntimeError}
    return (kinds.get(name) or getattr(_errors, name))(message)


class _Process:
    """Starts the process, hands it one request after the other, and starts another one if it has died."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: _Child | None = None

    def answer(self, request: bytes) -> dict:
        with self._lock:
            try:
                if self._child is not None:
                    try:
                        return self._child.exchange(request)
                    except (OSError, EOFError):
                        self._stop()  # It was killed in the meantime. Formatting has no effects, so once more.
                self._child = _Child()
                return self._child.exchange(request)
            except (OSError, EOFError) as error:
                self._stop()
                raise RuntimeError(f"Jetblack's Node.js process ended without an answer: {error}") from error
            except BaseException:
                # An interrupt, say: the answer that nobody has read must not become the next one's.
                self._stop()
                raise

    def _stop(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.stop()

    def close(self) -> None:
        with self._lock:
            self._stop()

    def forget(self) -> None:
        """In a forked child: the process is the parent's, and so may be the lock."""
        self._lock = threading.Lock()
        self._child = None


class _Child:
    """A running Node.js process."""

    def __init__(self) -> None:
        command = [find_node(), os.path.join(BUNDLE, "dist", "service.js")]
        # Without a buffer for writing, of which a fork would have a second copy.
        self._process = subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._answers = io.BufferedReader(self._process.stdout)  # type: ignore[arg-type]
        if not self._answers.readline():
            self.stop()
            raise EOFError(f"{command[0]} may be older than Node.js 22.18")

    def exchange(self, request: bytes) -> dict:
        rest = memoryview(request + b"\n")
        while rest:
            rest = rest[self._process.stdin.write(rest) :]  # type: ignore[union-attr]
        line = self._answers.readline()
        if not line.endswith(b"\n"):
            raise EOFError("it died while formatting")
        return json.loads(line)

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        self._answers.close()
        self._process.stdin.close()  # type: ignore[union-attr]


_process = _Process()
atexit.register(_process.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_process.forget)
