"""The Node.js process that formats: one for this process, started by the first call."""

from __future__ import annotations

import atexit
import io
import json
import os
import subprocess
import threading
from collections.abc import Collection
from enum import Enum

from jetblack import _errors
from jetblack._mode import Mode
from jetblack._node import BUNDLE, find_node

#: What Node.js can hold in one string, in bytes.
MAX_REQUEST = 0x1FFFFFE8


def ask(operation: str, source: str, mode: Mode, *, fast: bool, lines: Collection[tuple[int, int]] = ()) -> str:
    """The output of Black's function of that name; raises its exception."""
    if not isinstance(source, str):
        raise TypeError(f"the source must be a str, not {type(source).__name__}")
    source.encode("utf-8")  # Black raises the same UnicodeEncodeError for what is no text.
    request = {
        "operation": operation,
        "source": source,
        "mode": _as_json(mode),
        "fast": fast,
        "lines": [[int(start), int(end)] for start, end in lines or ()],
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
        "targetVersions": sorted(name.lower() for name in _names("target_versions", mode.target_versions)),
        "lineLength": length,
        "stringNormalization": bool(mode.string_normalization),
        "isPyi": bool(mode.is_pyi),
        "isIpynb": bool(mode.is_ipynb),
        "magicTrailingComma": bool(mode.magic_trailing_comma),
        "pythonCellMagics": sorted(mode.python_cell_magics),
        "preview": bool(mode.preview),
        "unstable": bool(mode.unstable),
        "enabledFeatures": _names("enabled_features", mode.enabled_features),
    }


def _names(field: str, members: Collection[Enum]) -> list[str]:
    for member in members:
        if not isinstance(member, Enum):
            raise TypeError(f"{field} must hold members of the enum, not {member!r}")
    return [member.name for member in members]


def _exception(failure: dict) -> Exception:
    name, message = failure["exception"], failure["message"]
    if name == "InvalidInput":
        places = [failure.get(key) for key in ("line", "column", "context", "details")]
        return _errors.InvalidInput(message, *places)
    kinds = (AssertionError, SyntaxError, ValueError, RuntimeError)
    return ({kind.__name__: kind for kind in kinds}.get(name) or getattr(_errors, name))(message)


class _Process:
    """Starts the process, hands it one request after the other, and starts another one if it has died."""

    def __init__(self) -> None:
        # A signal's handler or a finalizer may ask while this very thread waits for an answer.
        self._lock = threading.RLock()
        self._busy = False
        self._ended = False
        self._child: _Child | None = None

    def answer(self, request: bytes) -> dict:
        if len(request) > MAX_REQUEST:
            raise ValueError("the source is too large")
        with self._lock:
            if self._busy:
                return _answer_once(request)
            self._busy = True
            try:
                return self._answer_next(request)
            finally:
                self._busy = False

    def _answer_next(self, request: bytes) -> dict:
        try:
            if self._child is not None:
                try:
                    return self._child.exchange(request)
                except (OSError, EOFError):
                    self._stop()  # It was killed in the meantime. Formatting has no effects, so once more.
                    if self._ended and threading.current_thread().daemon:
                        # A traceback that is written while the interpreter ends can abort it.
                        raise SystemExit from None
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
        """Ends the process although a daemon thread may wait for it: a program that ends must not wait for both."""
        self._ended = True
        if self._child is not None:
            self._child.kill()

    def forget(self) -> None:
        """In a forked child: the process is the parent's, and so may be the lock."""
        child = self._child
        self.__init__()  # type: ignore[misc]
        if child is not None:
            child.forget()


def _answer_once(request: bytes) -> dict:
    """The answer of a process of its own."""
    try:
        child = _Child()
        try:
            return child.exchange(request)
        finally:
            child.stop()
    except (OSError, EOFError) as error:
        raise RuntimeError(f"Jetblack's Node.js process ended without an answer: {error}") from error


class _Child:
    """A running Node.js process."""

    def __init__(self) -> None:
        command = [find_node(), os.path.join(BUNDLE, "bin", "jetblack-service.cjs")]
        # Without a buffer for writing, of which a fork would have a second copy.
        self._process = subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._answers = io.BufferedReader(self._process.stdout)  # type: ignore[arg-type]
        try:
            self._read("version", f"{command[0]} did not start; it has to be Node.js 22.18 or newer")
        except BaseException:
            self.stop()
            raise

    def exchange(self, request: bytes) -> dict:
        rest = memoryview(request + b"\n")
        while rest:
            rest = rest[self._process.stdin.write(rest) :]  # type: ignore[union-attr]
        return self._read("answer", "it died while formatting")["answer"]

    def _read(self, key: str, ended: str) -> dict:
        """The next line with that key; others come from programs that NODE_OPTIONS loads."""
        while True:
            line = self._answers.readline()
            if not line.endswith(b"\n"):
                raise EOFError(ended)
            try:
                value = json.loads(line)
            except ValueError:
                continue
            if isinstance(value, dict) and key in value:
                return value

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def forget(self) -> None:
        """Closes this side of the pipes; the reader around one of them may be locked by a thread that is not here."""
        self._process.returncode = 0  # Who started it waits for it.
        self._process.stdin.close()  # type: ignore[union-attr]
        self._process.stdout.close()  # type: ignore[union-attr]

    def stop(self) -> None:
        self.kill()
        self._answers.close()
        self._process.stdin.close()  # type: ignore[union-attr]


_process = _Process()
atexit.register(_process.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_process.forget)
