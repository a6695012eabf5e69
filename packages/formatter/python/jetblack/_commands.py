"""The commands: each becomes the Node.js program of its name, with the same arguments, streams and exit code."""

from __future__ import annotations

import os
import sys

from jetblack._node import BUNDLE, NodeNotFound, find_node


def jetblack() -> None:
    _run("jetblack", "jetblack.cjs")


def jetblackd() -> None:
    _run("jetblackd", "jetblackd.cjs")


def jetblack_lsp() -> None:
    _run("jetblack-lsp", "jetblack-lsp.cjs")


def _run(command: str, program: str) -> None:
    try:
        arguments = [find_node(), os.path.join(BUNDLE, "bin", program), *sys.argv[1:]]
        _become(arguments)
    except NodeNotFound as error:
        sys.exit(f"{command}: {error}")
    except OSError as error:
        sys.exit(f"{command}: Node.js at {arguments[0]} cannot be started: {error.strerror}")


def _become(arguments: list[str]) -> None:
    if os.name != "nt":
        os.execv(arguments[0], arguments)
    # Windows has no exec: the console hands interrupts to both, and Node's exit code is ours.
    import signal
    import subprocess

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(subprocess.call(arguments))
